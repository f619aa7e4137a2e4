//! Cases of one seed that are asked together: each solver gets all of them one after the other, and then the next solver does. What
//! a processor keeps near of a solver and its data is gone after a run of another one, and getting it back takes longer than many an
//! answer does.

use super::{Leave, Worker};
use crate::adaptive_timeout::LimitKind;
use crate::confirm::Context;
use crate::duplicates::hash;
use crate::questions::Conversation;
use crate::schedule::Unit;
use crate::statistics::accepted;
use case::Origin;
use solver::run::history::Transcript;
use solver::{Observation, Outcome, RunMode};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use strategies::{Case, Learned, Seed};

/// The most cases that are asked together.
const MOST: usize = 8;

/// A case that is to be asked.
pub(super) struct Waiting {
    pub case: Case,
    pub origin: Origin,
    /// How much its strategy had been answered when it made the case.
    answers: usize,
}

impl Waiting {
    pub fn new(case: Case, origin: Origin, answers: usize) -> Waiting {
        Waiting { case, origin, answers }
    }
}

/// A case under way.
struct Asked {
    /// Who is asked.
    places: Vec<usize>,
    limit_kind: LimitKind,
    seen: Vec<Observation>,
    told: BTreeMap<usize, Transcript>,
    took: Duration,
}

impl Worker<'_> {
    /// How many cases of a seed are asked together.
    pub(super) fn at_once(&self, seed: Option<usize>) -> usize {
        let settings = self.shared.settings;
        // What is reached by one case decides about the next.
        if settings.watches() {
            1
        } else if settings.cases.is_some() {
            // This must not depend on the machine.
            MOST
        } else {
            self.seed_budget.at_once(seed, MOST)
        }
    }

    /// Asks about the cases of a unit that wait.
    pub(super) fn take_up(
        &mut self,
        unit: &Unit,
        seed: &Seed,
        conversation: &Conversation,
        waiting: &mut Vec<Waiting>,
    ) -> Result<(), Leave> {
        let cases = std::mem::take(waiting);
        let done = self.ask_all(unit.seed, seed, &conversation.answers, &cases);
        if let (Err(Leave::Stop), Some(first)) = (&done, cases.first()) {
            self.flush(unit, first.origin.index)?;
        }
        done
    }

    /// Asks about cases of a seed at `place` of the pool, in the way whose turn it is and for as long as the seed deserves, judges, and
    /// notes what that took.
    pub(super) fn ask_all(
        &mut self,
        place: Option<usize>,
        seed: &Seed,
        dialogue: &[Learned],
        cases: &[Waiting],
    ) -> Result<(), Leave> {
        if cases.is_empty() {
            return Ok(());
        }
        let mode = self.run_modes.next(place);
        let mut all: Vec<Asked> = cases.iter().map(|waiting| self.begin(place, &waiting.case)).collect();
        for solver in 0..self.shared.targets.len() {
            for (asked, waiting) in all.iter_mut().zip(cases) {
                if asked.places.contains(&solver) {
                    self.ask(solver, place, mode, waiting, asked)?;
                    // Before anything is counted: what was asked so far comes again with a resumption.
                    if self.is_to_leave() && cases.len() > 1 {
                        return Err(Leave::Stop);
                    }
                }
            }
        }
        for (asked, waiting) in all.into_iter().zip(cases) {
            let begun = Instant::now();
            let dialogue = &dialogue[..waiting.answers];
            let took = asked.took;
            self.conclude(place, seed, dialogue, waiting, asked)?;
            let took = took + begun.elapsed();
            self.run_modes.note(mode, took);
            self.seed_budget.note(place, took);
        }
        Ok(())
    }

    fn begin(&mut self, place: Option<usize>, case: &Case) -> Asked {
        let places = self.solver_pool.who_knows(case);
        let seen = Vec::with_capacity(places.len());
        let limit_kind = self.seed_budget.next_limit_kind(place);
        Asked { places, limit_kind, seen, told: BTreeMap::new(), took: Duration::ZERO }
    }

    /// Runs one solver on one case.
    fn ask(
        &mut self,
        solver: usize,
        place: Option<usize>,
        mode: RunMode,
        waiting: &Waiting,
        asked: &mut Asked,
    ) -> Result<(), Leave> {
        let begun = Instant::now();
        let case = &waiting.case;
        let limit =
            self.seed_budget.limit(place, solver, asked.limit_kind, self.shared.settings.limits().wall);
        let observation = match mode {
            RunMode::Incremental => {
                let mut seen =
                    self.solver_pool.run_inside(solver, &case.text, limit).map_err(Leave::Failed)?;
                if seen.fallback.take().is_some() {
                    self.run_modes.unfit(place);
                }
                asked.told.extend(self.solver_pool.told(solver).map(|told| (solver, told)));
                seen
            }
            _ => self.run_noted(solver, case, &waiting.origin.strategy, limit)?,
        };
        let ended = observation.outcome != Outcome::Timeout;
        self.seed_budget.note_run(place, solver, asked.limit_kind, observation.wall, ended);
        self.solver_pool.note_vocabulary(solver, &observation);
        self.core_pinning.note(&observation);
        asked.seen.push(observation);
        asked.took += begun.elapsed();
        Ok(())
    }

    /// Judges what all solvers did with a case, and looks further into it.
    fn conclude(
        &mut self,
        place: Option<usize>,
        seed: &Seed,
        dialogue: &[Learned],
        waiting: &Waiting,
        asked: Asked,
    ) -> Result<(), Leave> {
        let Waiting { case, origin, .. } = waiting;
        let Asked { places, mut seen, told, .. } = asked;
        if places.is_empty() {
            self.counted.unasked += 1;
            return Ok(());
        }
        self.told = told;
        self.counted.cases += 1;
        self.counted.digest = self.counted.digest.wrapping_add(hash(&case.text));
        for (&solver, observation) in places.iter().zip(&seen) {
            let id = &self.solver_pool.target(solver).id;
            self.counted.targets.entry(id.clone()).or_default().count(observation);
            self.counted.inside += u64::from(observation.mode == RunMode::Incremental);
        }
        let tally = self.counted.strategies.entry(origin.strategy.clone()).or_default();
        tally.cases += 1;
        tally.runs += seen.len() as u64;
        tally.accepted += seen.iter().filter(|observation| accepted(observation)).count() as u64;
        let limit = self.seed_budget.long_limit(place, self.shared.settings.limits().wall);
        let again = Instant::now();
        let looked_again = self.look_again(case, &places, &mut seen)?;
        let want = self.shared.settings.want();
        let context = Context {
            case,
            seed,
            dialogue,
            origin,
            places: &places,
            want,
            signature_files: &self.shared.settings.signature_files,
        };
        self.judged(&context, &seen)?;
        if looked_again {
            self.seed_budget.looked_again(again.elapsed());
        }
        self.check_cores(&context, &seen, limit)?;
        self.try_configurations(&context, &seen, limit)
    }
}
