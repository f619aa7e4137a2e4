//! Which strategy works on which seed next.
//!
//! Units of work are numbered: round by round over the seeds in order, and every strategy on each seed. So with one worker the
//! order of all cases is fixed; with several workers each unit is fixed, and only their interleaving varies.
//!
//! A strategy that needs no seed takes turns like the others. Where they move to the next seed, it moves to its next round, so
//! its cases do not depend on the seeds of the others.

use crate::ledger::Ledger;
use case::{CaseIndex, SeedIndex, StrategyIndex};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;

/// After this many rounds without a new case nothing new will come. A duplicate case costs next to nothing.
const FRUITLESS: u32 = 50;

/// A unit of work: one strategy on one seed in one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its number.
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

/// Whether a strategy works from seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedUse {
    /// It mutates the seeds of the pool.
    Pool,
    /// It generates cases from a seed of its own.
    Own,
}

/// Hands out units.
#[derive(Debug)]
pub struct Schedule {
    seeds: u64,
    strategies: Vec<SeedUse>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    next: u64,
    resumed: VecDeque<(u64, CaseIndex)>,
    /// For each unfinished round: how many units are done, and how many new cases they had.
    rounds: BTreeMap<u64, (u64, u64)>,
    /// How many of the latest rounds in a row had no new case.
    fruitless: u32,
}

impl Schedule {
    /// A schedule over seeds and strategies that continues where a ledger ends.
    pub fn new(seeds: usize, strategies: Vec<SeedUse>, ledger: &Ledger) -> Schedule {
        let state = State {
            next: ledger.next,
            resumed: ledger.open.iter().map(|(number, first_case)| (*number, *first_case)).collect(),
            ..State::default()
        };
        // Strategies without seeds take turns even if there are no seeds.
        let seeds = if strategies.contains(&SeedUse::Pool) { seeds } else { seeds.max(1) };
        Schedule { seeds: seeds as u64, strategies, state: Mutex::new(state) }
    }

    /// The unit with a number.
    pub fn unit(&self, number: u64, first_case: CaseIndex) -> Unit {
        let strategies = self.strategies.len() as u64;
        let (turn, strategy) = (number / strategies, (number % strategies) as usize);
        let (round, seed) = match self.strategies[strategy] {
            SeedUse::Pool => (turn / self.seeds, Some(SeedIndex((turn % self.seeds) as usize))),
            SeedUse::Own => (turn, None),
        };
        Unit { number, round, seed, strategy: StrategyIndex(strategy), first_case }
    }

    /// The number of units in one round over the seeds.
    fn units_per_round(&self) -> u64 {
        self.seeds * self.strategies.len() as u64
    }

    /// The next unit; `None` after many rounds without a new case.
    pub fn next(&self) -> Option<Unit> {
        let mut state = self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if self.units_per_round() == 0 || state.fruitless >= FRUITLESS {
            return None;
        }
        if let Some((number, first_case)) = state.resumed.pop_front() {
            return Some(self.unit(number, first_case));
        }
        let number = state.next;
        state.next += 1;
        Some(self.unit(number, CaseIndex(0)))
    }

    /// Records that a unit is done, and how many new cases it had.
    pub fn finish(&self, unit: &Unit, new_cases: u64) {
        let mut state = self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let round = unit.number / self.units_per_round();
        let (finished, new) = state.rounds.entry(round).or_default();
        *finished += 1;
        *new += new_cases;
        if *finished == self.units_per_round() {
            let fruitless = *new == 0;
            state.fruitless = if fruitless { state.fruitless + 1 } else { 0 };
            state.rounds.remove(&round);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use SeedUse::{Own, Pool};

    #[test]
    fn rounds_cover_all_seeds_and_strategies() {
        let first_six = |seeds: usize, strategies: &[SeedUse]| -> Vec<(u64, Option<usize>, usize)> {
            let schedule = Schedule::new(seeds, strategies.to_vec(), &Ledger::default());
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
    }

    #[test]
    fn it_ends_after_many_rounds_without_new_cases() {
        let schedule = Schedule::new(2, vec![Pool], &Ledger::default());
        let round = |new_cases| {
            let units = [(); 2].map(|()| schedule.next());
            units.into_iter().flatten().map(|unit| schedule.finish(&unit, new_cases)).count() == 2
        };
        assert!((1..FRUITLESS).all(|_| round(0)));
        assert!(round(1), "a new case restarts the count");
        assert!((0..FRUITLESS).all(|_| round(0)));
        assert!(!round(0));
    }

    #[test]
    fn unfinished_units_of_a_ledger_come_first() {
        let ledger = Ledger { next: 4, open: BTreeMap::from([(2, CaseIndex(7))]) };
        let schedule = Schedule::new(1, vec![Pool], &ledger);
        let taken: Vec<(u64, usize)> = (0..2)
            .map(|_| schedule.next().unwrap())
            .map(|unit| (unit.number, unit.first_case.get()))
            .collect();
        assert_eq!(taken, [(2, 7), (4, 0)]);
    }
}
