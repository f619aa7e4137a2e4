//! Runs several cases of one seed as a batch: each solver runs all of them, then the next solver does. A run of another solver
//! evicts a solver's data from the processor's caches, and loading it again takes longer than many an answer.

use super::judge::known_of_another_run;
use super::lives::Life;
use super::{Abort, Worker};
use crate::budget::{LimitKind, Slack, Source};
use crate::confirm::Context;
use crate::operator_reach::Scan;
use crate::questions::QuestionLog;
use crate::remake::RunContext;
use crate::statistics::accepted;
use crate::time_account::{Purpose, has_result};
use crate::units::Unit;
use case::hash::fnv1a;
use case::{CaseIndex, Origin, SeedIndex, SolverIndex};
use solver::run::Want;
use solver::run::history::Transcript;
use solver::{Observation, Outcome};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use strategies::{Case, Learned, RejectedBy, Seed, Strategy};

/// The largest batch.
const MOST: usize = 8;

/// How long a run between push and pop may take, compared with that in a process of its own.
const INCREMENTAL_SLACK: Slack = Slack::new(3, 20);

/// A case that is waiting to run.
pub(super) struct Pending {
    pub case: Case,
    pub origin: Origin,
    /// Its index in the turn of its strategy.
    pub index: CaseIndex,
    /// How many answers its strategy had when it made the case.
    answers: usize,
    /// Whether it is a seed as it is.
    is_seed: bool,
    /// Its operators.
    scan: Scan,
}

impl Pending {
    /// A case that a strategy made after these questions.
    pub fn new(
        strategy: &dyn Strategy,
        index: CaseIndex,
        case: Case,
        origin: Origin,
        scan: Scan,
        questions: &QuestionLog,
    ) -> Pending {
        let (answers, is_seed) = (questions.answers.len(), strategy.uses_seeds_once());
        Pending { case, origin, index, answers, is_seed, scan }
    }
}

/// The runs of a case in processes of their own, so far.
struct Runs {
    /// The solvers that support the case.
    solvers: Vec<SolverIndex>,
    limit_kind: LimitKind,
    seen: Vec<Observation>,
    took: Duration,
}

/// The runs of a case between push and pop.
#[derive(Default)]
pub(super) struct IncrementalRuns {
    /// The solvers that answered it in a process of their own.
    pub solvers: Vec<SolverIndex>,
    pub seen: Vec<Observation>,
    pub transcripts: BTreeMap<SolverIndex, Transcript>,
}

impl Worker<'_> {
    /// How many cases form a batch.
    pub(super) fn batch_size(&self, source: Source) -> usize {
        let settings = self.shared.settings;
        // The coverage of one case decides about the next.
        if settings.measures_coverage() {
            1
        } else if settings.runs_every_case() {
            MOST
        } else {
            self.seed_budget.batch_size(source, MOST)
        }
    }

    /// Runs the pending cases of a unit.
    pub(super) fn run_pending(
        &mut self,
        unit: &Unit,
        life: &mut Life,
        pending: &mut Vec<Pending>,
    ) -> Result<(), Abort> {
        let cases = std::mem::take(pending);
        let done = self.run_batch(unit.source(), &life.seed, &life.questions.answers, &cases);
        if let (Err(Abort::Stop), Some(first)) = (&done, cases.first()) {
            self.flush(unit.number, first.index)?;
        }
        // A run that was put off may have been one of another life.
        let own = |origin: &Origin| cases.iter().any(|pending| pending.origin == *origin);
        let numbers = self.hits.drain(..).filter(own).map(|origin| origin.index);
        life.buggy.extend(numbers);
        life.buggy.dedup();
        done
    }

    /// Runs and judges cases of a seed.
    pub(super) fn run_batch(
        &mut self,
        source: Source,
        seed: &Seed,
        dialogue: &[Learned],
        cases: &[Pending],
    ) -> Result<(), Abort> {
        if cases.is_empty() {
            return Ok(());
        }
        let mut all: Vec<Runs> = cases.iter().map(|pending| self.no_runs(source, pending)).collect();
        for solver in SolverIndex::all(self.shared.targets.len()) {
            for (runs, pending) in all.iter_mut().zip(cases) {
                if runs.solvers.contains(&solver) {
                    self.run_solver(solver, source, pending, runs)?;
                    // Nothing has been counted yet: a resumption runs the whole batch again.
                    if self.should_stop() && cases.len() > 1 {
                        return Err(Abort::Stop);
                    }
                }
            }
        }
        self.run_modes.record_separate(all.iter().map(|runs| runs.took).sum());
        let incremental = match self.run_modes.adds_incremental(source) {
            true => self.charged(Purpose::PushPop, |worker| worker.run_incrementally(source, cases, &all))?,
            false => cases.iter().map(|_| IncrementalRuns::default()).collect(),
        };
        for ((runs, incremental), pending) in all.into_iter().zip(incremental).zip(cases) {
            let started = Instant::now();
            let dialogue = &dialogue[..pending.answers];
            let took = runs.took;
            self.conclude(source, seed, dialogue, pending, runs, incremental)?;
            self.seed_budget.record_case(source, took + started.elapsed());
        }
        Ok(())
    }

    fn no_runs(&mut self, source: Source, pending: &Pending) -> Runs {
        let solvers = self.solver_pool.supporting(&pending.case);
        let seen = Vec::with_capacity(solvers.len());
        let limit_kind = match pending.is_seed {
            _ if self.shared.settings.fixed_timeout => LimitKind::Full,
            true if self.shared.settings.is_deterministic() => LimitKind::Full,
            true => LimitKind::FirstLook,
            false => self.seed_budget.next_limit_kind(source),
        };
        Runs { solvers, limit_kind, seen, took: Duration::ZERO }
    }

    /// Runs cases between push and pop on the solvers that answered them in processes of their own.
    fn run_incrementally(
        &mut self,
        source: Source,
        cases: &[Pending],
        separate: &[Runs],
    ) -> Result<Vec<IncrementalRuns>, Abort> {
        let started = Instant::now();
        let mut all: Vec<IncrementalRuns> = cases.iter().map(|_| IncrementalRuns::default()).collect();
        for solver in SolverIndex::all(self.shared.targets.len()) {
            for ((incremental, runs), pending) in all.iter_mut().zip(separate).zip(cases) {
                let own = runs.solvers.iter().zip(&runs.seen).find(|(other, _)| **other == solver);
                let Some((_, own)) = own.filter(|(_, own)| is_answered(own)) else { continue };
                let limit = self.limit_after(INCREMENTAL_SLACK, own.wall);
                let seen = self.solver_pool.run_incremental(solver, &pending.case.text, limit)?;
                if seen.fallback.is_some() {
                    self.run_modes.exclude(source);
                    continue;
                }
                let transcript = self.solver_pool.transcript(solver);
                incremental.transcripts.extend(transcript.map(|transcript| (solver, transcript)));
                incremental.solvers.push(solver);
                incremental.seen.push(seen);
                if self.should_stop() {
                    return Ok(all);
                }
            }
        }
        self.run_modes.record_incremental(started.elapsed());
        Ok(all)
    }

    /// Runs one solver on one case in a process of its own.
    fn run_solver(
        &mut self,
        solver: SolverIndex,
        source: Source,
        pending: &Pending,
        runs: &mut Runs,
    ) -> Result<(), Abort> {
        let started = Instant::now();
        let case = &pending.case;
        let most = self.shared.settings.limits().wall;
        let limit = self.seed_budget.limit(source, solver, runs.limit_kind, most);
        let observation = self.run_default(solver, case, &pending.origin.strategy, limit)?;
        let ended = observation.outcome != Outcome::Timeout;
        self.seed_budget.record_run(source, solver, runs.limit_kind, observation.wall, ended);
        // What a solver is asked must not depend on which turns this process had before.
        if !self.shared.settings.repeatable
            && let Some(name) = self.solver_pool.learn_vocabulary(solver, &observation)
        {
            self.shared.operator_reach.reject(solver.get(), name);
            if !self.shared.settings.has_fixed_order() {
                let by = match self.shared.operator_reach.is_known(name) {
                    true => RejectedBy::Some,
                    false => RejectedBy::All,
                };
                self.shared.strategies.iter().for_each(|strategy| strategy.operator_rejected(name, by));
            }
        }
        self.core_pinning.record(&observation);
        runs.seen.push(observation);
        runs.took += started.elapsed();
        Ok(())
    }

    /// Counts and judges the runs of a case, then checks its cores and what solvers state, and tries tactics, other forms
    /// and configurations.
    fn conclude(
        &mut self,
        source: Source,
        seed: &Seed,
        dialogue: &[Learned],
        pending: &Pending,
        runs: Runs,
        incremental: IncrementalRuns,
    ) -> Result<(), Abort> {
        let Pending { case, origin, .. } = pending;
        let Runs { solvers, seen, limit_kind, .. } = runs;
        let want = self.shared.settings.want();
        let signature_files = &self.shared.settings.signature_files;
        let run = RunContext::Alone;
        let context = Context { case, run, seed, dialogue, origin, solvers: &solvers, want, signature_files };
        self.transcripts.clear();
        if pending.is_seed {
            self.run_own_readings(&context)?;
        }
        if solvers.is_empty() {
            self.counted.unsupported += 1;
            return Ok(());
        }
        self.count(source, pending, &solvers, &seen);
        self.count_incremental(&incremental);
        let wrong = self.judge_up_to_contradiction(&context, &seen)?;
        self.judge_incremental(&context, &seen, incremental)?;
        match source {
            Source::Seed(index) if pending.is_seed => {
                self.conclude_seed(index, &context, &seen, limit_kind, wrong)?;
            }
            _ => self.postpone_slow(&context, &seen),
        }
        if !wrong {
            self.charged(Purpose::PushPop, |worker| worker.ask_from_scratch(&context, &seen))?;
            self.charged(Purpose::Options, |worker| worker.try_forms(&context, &seen))?;
        }
        let limit = self.seed_budget.long_limit(source, self.shared.settings.limits().wall);
        self.charged(Purpose::Cores, |worker| worker.check_cores(&context, &seen, limit))?;
        self.charged(Purpose::Statements, |worker| worker.check_proofs(&context, &seen))?;
        self.charged(Purpose::Statements, |worker| worker.check_statements(&context, &seen))?;
        self.charged(Purpose::Options, |worker| worker.try_tactics(&context, &seen))?;
        self.charged(Purpose::Options, |worker| {
            worker.try_named_options(&context, &seen, pending.is_seed, limit)
        })?;
        self.charged(Purpose::Options, |worker| worker.try_configurations(&context, &seen, limit))
    }

    /// Remembers how a seed was answered. Runs it once more as it is, or later with the full time limit if it was not answered.
    fn conclude_seed(
        &mut self,
        index: SeedIndex,
        context: &Context<'_>,
        seen: &[Observation],
        limit_kind: LimitKind,
        wrong: bool,
    ) -> Result<(), Abort> {
        let is_late = |observation: &Observation| observation.outcome == Outcome::Timeout;
        if limit_kind == LimitKind::FirstLook {
            self.remember_seed_run(index, context.solvers, seen);
            if seen.iter().any(is_late) && !wrong {
                self.postpone_seed(index, context, seen);
                return Ok(());
            }
        }
        if wrong { Ok(()) } else { self.run_verbatim(context, seen) }
    }

    /// Runs a case once more, exactly as it is: a request for models or their check can hide a bug. So can a warm process if the
    /// script sets options, which the process has before it is forked.
    pub(super) fn run_verbatim(&mut self, context: &Context<'_>, seen: &[Observation]) -> Result<(), Abort> {
        let want = Want::default();
        if context.want == want {
            return Ok(());
        }
        let most = self.shared.settings.limits().wall;
        let script = &context.case.text;
        let sets_options = script.contains("(set-option");
        let mut verbatim = Vec::with_capacity(seen.len());
        for (&solver, observation) in context.solvers.iter().zip(seen) {
            // It would not end within the limit this time either.
            verbatim.push(match observation.outcome {
                Outcome::Timeout | Outcome::OutOfMemory => observation.clone(),
                _ if sets_options => self.solver_pool.run_cold_within(solver, script, want, most)?,
                _ => self.solver_pool.run_warm_within(solver, script, want, most)?,
            });
            if self.should_stop() {
                return Ok(());
            }
        }
        let case = Case { expectation: known_of_another_run(context.case), ..context.case.clone() };
        self.judge_runs(&Context { case: &case, want, ..*context }, &verbatim)?;
        Ok(())
    }

    fn count(&mut self, source: Source, pending: &Pending, solvers: &[SolverIndex], seen: &[Observation]) {
        let Pending { case, origin, scan, .. } = pending;
        self.counted.cases += 1;
        self.counted.digest = self.counted.digest.wrapping_add(fnv1a(&case.text));
        for (&solver, observation) in solvers.iter().zip(seen) {
            let id = &self.solver_pool.target(solver).id;
            self.counted.targets.entry(id.clone()).or_default().count(observation);
        }
        let answered = u64::from(seen.iter().all(has_result));
        self.counted.answered += answered;
        self.turn.cases += 1;
        self.turn.answered += answered;
        self.suspects.record_case(&scan.operators);
        self.shared.explanations.record_case(&scan.operators);
        for (solver, _) in solvers.iter().zip(seen).filter(|(_, observation)| accepted(observation)) {
            self.shared.operator_reach.record(solver.get(), scan);
        }
        if matches!(source, Source::Strategy(_)) {
            for observation in seen {
                self.operator_costs.record(&scan.operators, observation.wall, has_result(observation));
            }
        }
        let tally = self.counted.strategies.entry(origin.strategy.clone()).or_default();
        tally.cases += 1;
        tally.answered += answered;
        tally.runs += seen.len() as u64;
        tally.accepted += seen.iter().filter(|observation| accepted(observation)).count() as u64;
    }

    fn count_incremental(&mut self, runs: &IncrementalRuns) {
        for (&solver, observation) in runs.solvers.iter().zip(&runs.seen) {
            let id = &self.solver_pool.target(solver).id;
            self.counted.targets.entry(id.clone()).or_default().count(observation);
            self.counted.incremental += 1;
        }
    }
}

fn is_answered(seen: &Observation) -> bool {
    seen.outcome == Outcome::Answered && !seen.answers.is_empty()
}
