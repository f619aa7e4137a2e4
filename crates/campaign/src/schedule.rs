//! Which strategy works on which seed next.
//!
//! Each strategy takes its turns round by round over the seeds in order, so that each unit of work is fixed. In what order the
//! strategies take turns depends on what they bring, or is fixed, too, if all cases must be the same in every run.
//!
//! A strategy that needs no seed takes turns like the others. Where they move to the next seed, it moves to its next round, so
//! its cases do not depend on the seeds of the others.

use crate::budget::Source;
use crate::ledger::Ledger;
use crate::strategy_scores::{StrategyScores, TurnResult};
use case::{CaseIndex, SeedIndex, StrategyIndex};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// After this many rounds without a new case nothing new will come. A duplicate case costs next to nothing.
const FRUITLESS: u64 = 50;

/// A unit of work: one strategy on one seed in one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its number: the turn, times the number of strategies, plus the strategy.
    pub number: u64,
    /// The round over the seeds; for a strategy that needs none, the number of its earlier turns.
    pub round: u64,
    /// The seed; `None` for a strategy that needs none.
    pub seed: Option<SeedIndex>,
    /// The strategy.
    pub strategy: StrategyIndex,
    /// The first case to run; a resumed unit has run those before it.
    pub first_case: CaseIndex,
}

impl Unit {
    /// What the costs of its cases are recorded under.
    pub fn source(&self) -> Source {
        self.seed.map_or(Source::Strategy(self.strategy), Source::Seed)
    }
}

/// Whether a strategy works from seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedUse {
    /// It mutates the seeds of the pool, in as many rounds as there is time for.
    Pool,
    /// It uses each seed of the pool once.
    Once,
    /// It generates cases from a seed of its own.
    Own,
}

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
    seeds: u64,
    strategies: Vec<SeedUse>,
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
    pub fn new(seeds: usize, strategies: Vec<SeedUse>, order: TurnOrder, ledger: &Ledger) -> Schedule {
        let state = State {
            turns: ledger.turns.clone(),
            fruitless: vec![0; strategies.len()],
            scores: StrategyScores::new(strategies.len()),
            resumed: ledger.open.iter().map(|(number, first_case)| (*number, *first_case)).collect(),
        };
        // Strategies without seeds take turns even if there are no seeds.
        let needs_seeds = strategies.iter().any(|seed_use| *seed_use != SeedUse::Own);
        let seeds = if needs_seeds { seeds } else { seeds.max(1) };
        Schedule { seeds: seeds as u64, strategies, order, state: Mutex::new(state) }
    }

    /// The unit with a number.
    pub fn unit(&self, number: u64, first_case: CaseIndex) -> Unit {
        let strategies = self.strategies.len() as u64;
        let (turn, strategy) = (number / strategies, (number % strategies) as usize);
        let (round, seed) = match self.strategies[strategy] {
            SeedUse::Pool | SeedUse::Once => {
                (turn / self.seeds, Some(SeedIndex((turn % self.seeds) as usize)))
            }
            SeedUse::Own => (turn, None),
        };
        Unit { number, round, seed, strategy: StrategyIndex(strategy), first_case }
    }

    /// The next unit; `None` if no strategy has a new case.
    pub fn next(&self) -> Option<Unit> {
        if self.seeds == 0 {
            return None;
        }
        let mut state = self.lock();
        if let Some((number, first_case)) = state.resumed.pop_front() {
            return Some(self.unit(number, first_case));
        }
        let may_run = |strategy: usize| {
            let is_over = self.strategies[strategy] == SeedUse::Once && state.turns[strategy] >= self.seeds;
            !is_over && state.fruitless[strategy] < FRUITLESS * self.seeds
        };
        let strategy = match self.order {
            TurnOrder::Fixed => {
                let strategies = (0..self.strategies.len()).filter(|&strategy| may_run(strategy));
                strategies.min_by_key(|&strategy| state.turns[strategy])
            }
            TurnOrder::Earned => state.scores.next(may_run),
        }?;
        let number = state.turns[strategy] * self.strategies.len() as u64 + strategy as u64;
        state.turns[strategy] += 1;
        Some(self.unit(number, CaseIndex(0)))
    }

    /// Records that a unit is done.
    pub fn finish(&self, unit: &Unit, result: &TurnResult) {
        let mut state = self.lock();
        let strategy = unit.strategy.get();
        let fruitless = &mut state.fruitless[strategy];
        *fruitless = if result.new_cases == 0 { *fruitless + 1 } else { 0 };
        state.scores.record(strategy, result);
    }

    /// Records a new finding of a strategy.
    pub fn reward(&self, strategy: StrategyIndex, worth: f64) {
        self.lock().scores.reward(strategy.get(), worth);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use SeedUse::{Once, Own, Pool};
    use std::collections::BTreeMap;
    use std::time::Duration;

    #[test]
    fn rounds_cover_all_seeds_and_strategies() {
        let first_six = |seeds: usize, strategies: &[SeedUse]| -> Vec<(u64, Option<usize>, usize)> {
            let schedule =
                Schedule::new(seeds, strategies.to_vec(), TurnOrder::Fixed, &Ledger::new(strategies.len()));
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
        let schedule = Schedule::new(5, vec![Pool, Pool], TurnOrder::Earned, &Ledger::new(2));
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
        let schedule = Schedule::new(2, vec![Pool], TurnOrder::Fixed, &Ledger::new(1));
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
        let schedule = Schedule::new(1, vec![Pool], TurnOrder::Fixed, &ledger);
        let taken: Vec<(u64, usize)> = (0..2)
            .map(|_| schedule.next().unwrap())
            .map(|unit| (unit.number, unit.first_case.get()))
            .collect();
        assert_eq!(taken, [(2, 7), (4, 0)]);
    }
}
