//! Which strategy works on which seed next.
//!
//! Each strategy takes its turns round by round over the seeds in order, so that each unit of work is fixed. In what order the
//! strategies take turns depends on what they bring, or is fixed, too, if all cases must be the same in every run.
//!
//! A strategy that needs no seed takes turns like the others. Where they move to the next seed, it moves to its next round, so
//! its cases do not depend on the seeds of the others.

use crate::ledger::Ledger;
use crate::strategy_scores::{StrategyScores, TurnResult};
use crate::units::{SeedUse, Unit, UnitNumbers, UnitSource};
use case::{CaseIndex, StrategyIndex};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// After this many rounds without a new case nothing new will come. A duplicate case costs next to nothing.
pub const FRUITLESS: u64 = 50;

/// The order in which strategies take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnOrder {
    /// One after the other.
    Fixed,
    /// By the time that they have got and what they brought in it.
    Earned,
}

/// Hands out units.
#[derive(Debug)]
pub struct Schedule {
    numbers: UnitNumbers,
    order: TurnOrder,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The next turn of each strategy.
    turns: Vec<u64>,
    /// How many turns of each strategy in a row had no new case.
    fruitless: Vec<u64>,
    scores: StrategyScores,
    resumed: VecDeque<(u64, CaseIndex)>,
}

impl Schedule {
    /// A schedule over seeds and strategies that continues where a ledger ends.
    pub fn new(numbers: UnitNumbers, order: TurnOrder, ledger: &Ledger) -> Schedule {
        let strategies = numbers.strategies.len();
        let state = State {
            turns: ledger.turns.clone(),
            fruitless: vec![0; strategies],
            scores: StrategyScores::new(strategies),
            resumed: ledger.open.iter().map(|(number, first_case)| (*number, *first_case)).collect(),
        };
        Schedule { numbers, order, state: Mutex::new(state) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl UnitSource for Schedule {
    fn unit(&self, number: u64, first_case: CaseIndex) -> Unit {
        self.numbers.unit(number, first_case)
    }

    fn next(&self) -> Option<Unit> {
        let UnitNumbers { seeds, strategies } = &self.numbers;
        if *seeds == 0 {
            return None;
        }
        let mut state = self.lock();
        if let Some((number, first_case)) = state.resumed.pop_front() {
            return Some(self.unit(number, first_case));
        }
        let may_run = |strategy: usize| {
            let is_over = strategies[strategy] == SeedUse::Once && state.turns[strategy] >= *seeds;
            !is_over && state.fruitless[strategy] < FRUITLESS * seeds
        };
        let strategy = match self.order {
            TurnOrder::Fixed => {
                let strategies = (0..strategies.len()).filter(|&strategy| may_run(strategy));
                strategies.min_by_key(|&strategy| state.turns[strategy])
            }
            TurnOrder::Earned => state.scores.next(may_run),
        }?;
        let number = self.numbers.number(strategy, state.turns[strategy]);
        state.turns[strategy] += 1;
        Some(self.unit(number, CaseIndex(0)))
    }

    fn finish(&self, unit: &Unit, result: &TurnResult) {
        let mut state = self.lock();
        let strategy = unit.strategy.get();
        let fruitless = &mut state.fruitless[strategy];
        *fruitless = result.fruitless_after(*fruitless);
        state.scores.record(strategy, result);
    }

    fn reward(&self, strategy: StrategyIndex, worth: f64) {
        self.lock().scores.reward(strategy.get(), worth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use SeedUse::{Once, Own, Pool};
    use case::SeedIndex;
    use std::collections::BTreeMap;
    use std::time::Duration;

    fn schedule(seeds: usize, strategies: &[SeedUse], order: TurnOrder, ledger: &Ledger) -> Schedule {
        Schedule::new(UnitNumbers::new(seeds, strategies.to_vec()), order, ledger)
    }

    #[test]
    fn rounds_cover_all_seeds_and_strategies() {
        let first_six = |seeds: usize, strategies: &[SeedUse]| -> Vec<(u64, Option<usize>, usize)> {
            let schedule = schedule(seeds, strategies, TurnOrder::Fixed, &Ledger::new(strategies.len()));
            let units = (0..6).filter_map(|_| schedule.next());
            units.map(|unit| (unit.round, unit.seed.map(SeedIndex::get), unit.strategy.get())).collect()
        };
        let (a, b) = (Some(0), Some(1));
        assert_eq!(
            first_six(2, &[Pool, Pool]),
            [(0, a, 0), (0, a, 1), (0, b, 0), (0, b, 1), (1, a, 0), (1, a, 1)]
        );
        assert_eq!(
            first_six(2, &[Own, Pool]),
            [(0, None, 0), (0, a, 1), (1, None, 0), (0, b, 1), (2, None, 0), (1, a, 1)]
        );
        assert_eq!(first_six(0, &[Own])[5], (5, None, 0));
        assert_eq!(first_six(0, &[Pool, Own]), []);
        assert_eq!(
            first_six(2, &[Once, Pool]),
            [(0, a, 0), (0, a, 1), (0, b, 0), (0, b, 1), (1, a, 1), (1, b, 1)]
        );
        assert_eq!(first_six(1, &[Once]), [(0, a, 0)]);
    }

    #[test]
    fn slow_strategies_get_fewer_turns() {
        let schedule = schedule(5, &[Pool, Pool], TurnOrder::Earned, &Ledger::new(2));
        let mut turns = [0; 2];
        for _ in 0..110 {
            let unit = schedule.next().unwrap();
            let strategy = unit.strategy.get();
            turns[strategy] += 1;
            let took = Duration::from_millis([10, 100][strategy]);
            schedule.finish(&unit, &TurnResult { took, new_cases: 1, ..TurnResult::default() });
        }
        assert_eq!(turns, [100, 10]);
    }

    #[test]
    fn it_ends_after_many_rounds_without_new_cases() {
        let schedule = schedule(2, &[Pool], TurnOrder::Fixed, &Ledger::new(1));
        let round = |new_cases| {
            let units = [(); 2].map(|()| schedule.next());
            let result = TurnResult { new_cases, ..TurnResult::default() };
            units.into_iter().flatten().map(|unit| schedule.finish(&unit, &result)).count() == 2
        };
        assert!((1..FRUITLESS).all(|_| round(0)));
        assert!(round(1), "a new case restarts the count");
        assert!((0..FRUITLESS).all(|_| round(0)));
        assert!(!round(0));
    }

    #[test]
    fn unfinished_units_of_a_ledger_come_first() {
        let ledger = Ledger { turns: vec![4], open: BTreeMap::from([(2, CaseIndex(7))]) };
        let schedule = schedule(1, &[Pool], TurnOrder::Fixed, &ledger);
        let taken: Vec<(u64, usize)> = (0..2)
            .map(|_| schedule.next().unwrap())
            .map(|unit| (unit.number, unit.first_case.get()))
            .collect();
        assert_eq!(taken, [(2, 7), (4, 0)]);
    }
}
