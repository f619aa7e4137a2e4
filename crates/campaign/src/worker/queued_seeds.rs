//! Turns of cases that reached new code. Between the units of the schedule, one of them is the seed of a strategy. A finding
//! keeps the text of its seed, so it can be made again.

use super::batch::Pending;
use super::guard::guarded;
use super::lives::Life;
use super::{Abort, Worker};
use crate::budget::Source;
use crate::replay::random_for;
use crate::seed_preparation::SeedPreparation;
use crate::units::Unit;
use case::hash::fnv1a;
use case::{CaseIndex, StrategyIndex};
use std::sync::atomic::Ordering;
use strategies::{Seed, Strategy};

impl Worker<'_> {
    /// Gives the next queued case its turn, before a unit of the schedule.
    pub(super) fn run_queued_seed(&mut self, unit: &Unit) -> Result<(), Abort> {
        let strategies = StrategyIndex::all(self.shared.strategies.len()).zip(self.shared.strategies);
        let strategies: Vec<_> = strategies.filter(|(_, strategy)| strategy.own_seed().is_none()).collect();
        if strategies.is_empty() {
            self.coverage_queue.clear();
        }
        let Some((turn, text)) = self.coverage_queue.pop() else { return Ok(()) };
        let (number, strategy) = strategies[turn % strategies.len()];
        let done = self.run_seed(number, strategy.as_ref(), &Seed::new("found", text));
        if done.is_err() {
            self.flush(unit.number, unit.first_case)?;
        }
        done
    }

    /// Runs the cases that a strategy makes of a seed outside the pool.
    fn run_seed(&mut self, number: StrategyIndex, strategy: &dyn Strategy, seed: &Seed) -> Result<(), Abort> {
        let settings = self.shared.settings;
        let mut preparation = SeedPreparation::new(seed);
        let limit = self.preparation_limit(None);
        preparation.ask(strategy, None, true, limit, &mut self.solver_pool, settings.want())?;
        let seed = preparation.seed(1);
        let random = random_for(settings.seed, strategy, &seed, 0);
        let Ok(Ok(mutator)) = guarded(|| strategy.open(&seed, random)) else { return Ok(()) };
        let mut life =
            Life { mutator, seed, round: 0, made: 0, questions: self.question_log(None), buggy: Vec::new() };
        for index in CaseIndex::all(strategy.cases_per_turn(settings.budget) as usize) {
            let Ok(case) = guarded(|| self.next_case(strategy.name(), &mut life)) else { break };
            let Some(case) = case? else { break };
            if self.shared.stop.load(Ordering::Relaxed) {
                return Err(Abort::Stop);
            }
            if !self.shared.duplicates.insert(fnv1a(&case.text)) {
                self.counted.duplicates += 1;
                continue;
            }
            if self.is_supported(&case) && !self.may_start_case() {
                return Err(Abort::Stop);
            }
            let origin = self.origin(strategy.name(), &life.seed, 0, index.get() as u64);
            let scan = self.scanner.scan(&case.text).clone();
            let pending = Pending::new(strategy, index, case, origin, scan, &life.questions);
            let source = Source::Strategy(number);
            self.run_batch(source, &life.seed, &life.questions.answers, &[pending])?;
        }
        Ok(())
    }
}
