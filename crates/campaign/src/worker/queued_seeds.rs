//! Turns of cases that reached new code. Between the units of the schedule, one of them is the seed of a strategy. A finding
//! keeps the text of its seed, so it can be made again.

use super::batch::Pending;
use super::guard::guarded;
use super::{Abort, Worker};
use crate::questions::QuestionLog;
use crate::replay::random_for;
use crate::schedule::Unit;
use crate::seed_preparation::SeedPreparation;
use case::CaseIndex;
use case::hash::fnv1a;
use std::sync::atomic::Ordering;
use strategies::{Seed, Strategy};

impl Worker<'_> {
    /// Gives the next queued case its turn, before a unit of the schedule.
    pub(super) fn run_queued_seed(&mut self, unit: &Unit) -> Result<(), Abort> {
        let strategies = self.shared.strategies.iter().filter(|strategy| strategy.own_seed().is_none());
        let strategies: Vec<_> = strategies.cloned().collect();
        if strategies.is_empty() {
            self.coverage_queue.clear();
        }
        let Some((turn, text)) = self.coverage_queue.pop() else { return Ok(()) };
        let strategy = &strategies[turn % strategies.len()];
        let done = self.run_seed(strategy.as_ref(), &Seed::new("found", text));
        if done.is_err() {
            self.flush(unit.number, unit.first_case)?;
        }
        done
    }

    /// Runs the cases that a strategy makes of a seed outside the pool.
    fn run_seed(&mut self, strategy: &dyn Strategy, seed: &Seed) -> Result<(), Abort> {
        let settings = self.shared.settings;
        let mut preparation = SeedPreparation::new(seed);
        while preparation.ask(strategy, 0, &mut self.solver_pool, settings.want())?.is_some() {}
        let seed = &*preparation.seed(0);
        let random = random_for(settings.seed, strategy, seed, 0);
        let Ok(Ok(mut mutator)) = guarded(|| strategy.open(seed, random)) else { return Ok(()) };
        let mut questions = QuestionLog::default();
        for index in CaseIndex::all(strategy.cases_per_turn(settings.budget) as usize) {
            let Ok(case) = guarded(|| self.next_case(mutator.as_mut(), &mut questions)) else { break };
            let Some(case) = case? else { break };
            if self.shared.stop.load(Ordering::Relaxed) {
                return Err(Abort::Stop);
            }
            if !self.shared.duplicates.insert(fnv1a(&case.text)) {
                self.counted.duplicates += 1;
                continue;
            }
            if !self.may_start_case() {
                return Err(Abort::Stop);
            }
            let origin = self.origin(strategy.name(), seed, 0, index);
            let pending = Pending::new(strategy, case, origin, &questions);
            self.run_batch(None, seed, &questions.answers, &[pending])?;
        }
        Ok(())
    }
}
