//! Runs several cases of one seed as a batch: each solver runs all of them, then the next solver does. A run of another solver
//! evicts a solver's data from the processor's caches, and loading it again takes longer than many an answer.

use super::{Abort, Worker};
use crate::budget::LimitKind;
use crate::confirm::Context;
use crate::questions::QuestionLog;
use crate::schedule::Unit;
use crate::statistics::accepted;
use case::hash::fnv1a;
use case::{CaseIndex, Origin, SeedIndex, SolverIndex};
use solver::run::history::Transcript;
use solver::{Observation, Outcome, RunMode};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use strategies::{Case, Learned, Seed};

/// The largest batch.
const MOST: usize = 8;

/// A case that is waiting to run.
pub(super) struct Pending {
    pub case: Case,
    pub origin: Origin,
    /// How many answers its strategy had when it made the case.
    answers: usize,
}

impl Pending {
    pub fn new(case: Case, origin: Origin, questions: &QuestionLog) -> Pending {
        Pending { case, origin, answers: questions.answers.len() }
    }

    /// Its index in the turn of its strategy.
    pub fn index(&self) -> CaseIndex {
        CaseIndex(self.origin.index as usize)
    }
}

/// The runs of a case so far.
struct Runs {
    /// The solvers that support the case.
    solvers: Vec<SolverIndex>,
    limit_kind: LimitKind,
    seen: Vec<Observation>,
    transcripts: BTreeMap<SolverIndex, Transcript>,
    took: Duration,
}

impl Worker<'_> {
    /// How many cases of a seed form a batch.
    pub(super) fn batch_size(&self, seed: Option<SeedIndex>) -> usize {
        let settings = self.shared.settings;
        // The coverage of one case decides about the next.
        if settings.measures_coverage() {
            1
        } else if settings.cases.is_some() {
            // With a limit on cases the batches must not depend on the speed of the machine.
            MOST
        } else {
            self.seed_budget.batch_size(seed, MOST)
        }
    }

    /// Runs the pending cases of a unit.
    pub(super) fn run_pending(
        &mut self,
        unit: &Unit,
        seed: &Seed,
        questions: &QuestionLog,
        pending: &mut Vec<Pending>,
    ) -> Result<(), Abort> {
        let cases = std::mem::take(pending);
        let done = self.run_batch(unit.seed, seed, &questions.answers, &cases);
        if let (Err(Abort::Stop), Some(first)) = (&done, cases.first()) {
            self.flush(unit.number, first.index())?;
        }
        done
    }

    /// Runs and judges cases of a seed. `index` is the seed's index if it is in the pool.
    pub(super) fn run_batch(
        &mut self,
        index: Option<SeedIndex>,
        seed: &Seed,
        dialogue: &[Learned],
        cases: &[Pending],
    ) -> Result<(), Abort> {
        if cases.is_empty() {
            return Ok(());
        }
        let mode = self.run_modes.next(index);
        let mut all: Vec<Runs> = cases.iter().map(|pending| self.no_runs(index, &pending.case)).collect();
        for solver in SolverIndex::all(self.shared.targets.len()) {
            for (runs, pending) in all.iter_mut().zip(cases) {
                if runs.solvers.contains(&solver) {
                    self.run_solver(solver, index, mode, pending, runs)?;
                    // Nothing has been counted yet: a resumption runs the whole batch again.
                    if self.should_stop() && cases.len() > 1 {
                        return Err(Abort::Stop);
                    }
                }
            }
        }
        for (runs, pending) in all.into_iter().zip(cases) {
            let started = Instant::now();
            let dialogue = &dialogue[..pending.answers];
            let took = runs.took;
            self.conclude(index, seed, dialogue, pending, runs)?;
            let took = took + started.elapsed();
            self.run_modes.record(mode, took);
            self.seed_budget.record_case(index, took);
        }
        Ok(())
    }

    fn no_runs(&mut self, seed: Option<SeedIndex>, case: &Case) -> Runs {
        let solvers = self.solver_pool.supporting(case);
        let seen = Vec::with_capacity(solvers.len());
        let limit_kind = self.seed_budget.next_limit_kind(seed);
        Runs { solvers, limit_kind, seen, transcripts: BTreeMap::new(), took: Duration::ZERO }
    }

    /// Runs one solver on one case.
    fn run_solver(
        &mut self,
        solver: SolverIndex,
        seed: Option<SeedIndex>,
        mode: RunMode,
        pending: &Pending,
        runs: &mut Runs,
    ) -> Result<(), Abort> {
        let started = Instant::now();
        let case = &pending.case;
        let most = self.shared.settings.limits().wall;
        let limit = self.seed_budget.limit(seed, solver, runs.limit_kind, most);
        let observation = match mode {
            RunMode::Incremental => {
                let mut seen = self.solver_pool.run_incremental(solver, &case.text, limit)?;
                if seen.fallback.take().is_some() {
                    self.run_modes.exclude(seed);
                }
                let transcript = self.solver_pool.transcript(solver);
                runs.transcripts.extend(transcript.map(|transcript| (solver, transcript)));
                seen
            }
            _ => self.run_default(solver, case, &pending.origin.strategy, limit)?,
        };
        let ended = observation.outcome != Outcome::Timeout;
        self.seed_budget.record_run(seed, solver, runs.limit_kind, observation.wall, ended);
        self.solver_pool.learn_vocabulary(solver, &observation);
        self.core_pinning.record(&observation);
        runs.seen.push(observation);
        runs.took += started.elapsed();
        Ok(())
    }

    /// Counts and judges the runs of a case, then checks its cores and tries configurations.
    fn conclude(
        &mut self,
        index: Option<SeedIndex>,
        seed: &Seed,
        dialogue: &[Learned],
        pending: &Pending,
        runs: Runs,
    ) -> Result<(), Abort> {
        let Pending { case, origin, .. } = pending;
        let Runs { solvers, mut seen, transcripts, .. } = runs;
        if solvers.is_empty() {
            self.counted.unsupported += 1;
            return Ok(());
        }
        self.transcripts = transcripts;
        self.count(case, origin, &solvers, &seen);
        let limit = self.seed_budget.long_limit(index, self.shared.settings.limits().wall);
        let started = Instant::now();
        let retried = self.retry_slow(case, &solvers, &mut seen)?;
        let want = self.shared.settings.want();
        let signature_files = &self.shared.settings.signature_files;
        let context = Context { case, seed, dialogue, origin, solvers: &solvers, want, signature_files };
        self.judge_runs(&context, &seen)?;
        if retried {
            self.seed_budget.record_retry(started.elapsed());
        }
        self.check_cores(&context, &seen, limit)?;
        self.try_configurations(&context, &seen, limit)
    }

    fn count(&mut self, case: &Case, origin: &Origin, solvers: &[SolverIndex], seen: &[Observation]) {
        self.counted.cases += 1;
        self.counted.digest = self.counted.digest.wrapping_add(fnv1a(&case.text));
        for (&solver, observation) in solvers.iter().zip(seen) {
            let id = &self.solver_pool.target(solver).id;
            self.counted.targets.entry(id.clone()).or_default().count(observation);
            self.counted.incremental += u64::from(observation.mode == RunMode::Incremental);
        }
        let tally = self.counted.strategies.entry(origin.strategy.clone()).or_default();
        tally.cases += 1;
        tally.runs += seen.len() as u64;
        tally.accepted += seen.iter().filter(|observation| accepted(observation)).count() as u64;
    }
}
