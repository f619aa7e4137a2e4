//! Which seed is worked on next, by which strategy, and how far each such unit of work is.
//!
//! Units are numbered: round by round over the seeds in their order, and every strategy on each seed. With one worker the
//! order of all cases is thereby fixed; with several, each unit is, and only their interleaving is not.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;

/// A unit of work: one strategy on one seed in one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its number.
    pub number: u64,
    /// The round over the seeds.
    pub round: u64,
    /// The seed's place in the pool.
    pub seed: usize,
    /// The strategy's place in the list.
    pub strategy: usize,
    /// The first case to run; those before it have been run.
    pub from: u64,
}

/// Hands out units.
#[derive(Debug)]
pub struct Schedule {
    seeds: u64,
    strategies: u64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    next: u64,
    resumed: VecDeque<(u64, u64)>,
    /// For each round: how many of its units are finished, and how many new cases they had.
    rounds: BTreeMap<u64, (u64, u64)>,
    exhausted: bool,
}

impl Schedule {
    /// A schedule over so many seeds and strategies that goes on where a ledger says.
    pub fn new(seeds: usize, strategies: usize, ledger: &Ledger) -> Schedule {
        let state = State {
            next: ledger.next,
            resumed: ledger.open.iter().map(|(number, from)| (*number, *from)).collect(),
            ..State::default()
        };
        Schedule { seeds: seeds as u64, strategies: strategies as u64, state: Mutex::new(state) }
    }

    /// The unit with a number.
    pub fn unit(&self, number: u64, from: u64) -> Unit {
        let within = number % (self.seeds * self.strategies);
        Unit {
            number,
            round: number / (self.seeds * self.strategies),
            seed: (within / self.strategies) as usize,
            strategy: (within % self.strategies) as usize,
            from,
        }
    }

    /// The next unit; nothing when a whole round has brought no new case.
    pub fn next(&self) -> Option<Unit> {
        let mut state = self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if self.seeds * self.strategies == 0 || state.exhausted {
            return None;
        }
        if let Some((number, from)) = state.resumed.pop_front() {
            return Some(self.unit(number, from));
        }
        let number = state.next;
        state.next += 1;
        Some(self.unit(number, 0))
    }

    /// Notes that a unit is finished and had so many new cases.
    pub fn finish(&self, unit: &Unit, new_cases: u64) {
        let mut state = self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let (finished, new) = state.rounds.entry(unit.round).or_default();
        *finished += 1;
        *new += new_cases;
        if *finished == self.seeds * self.strategies {
            let fruitless = *new == 0;
            state.exhausted |= fruitless;
            state.rounds.remove(&unit.round);
        }
    }
}

/// Which units are done, as far as has been reported: what is saved, so that no case is lost when the process is killed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// The first unit that nobody has begun.
    pub next: u64,
    /// The units that are begun and not done, each with its first case that is not done.
    pub open: BTreeMap<u64, u64>,
}

impl Ledger {
    /// Notes that the unit is done up to, and without, the case at `index`.
    pub fn reached(&mut self, unit: u64, index: u64) {
        // Reports of several workers come in any order: units in between are begun, only not reported yet.
        for between in self.next..=unit {
            self.open.insert(between, 0);
        }
        self.next = self.next.max(unit + 1);
        if let Some(place) = self.open.get_mut(&unit) {
            *place = index;
        }
    }

    /// Notes that the unit is done.
    pub fn done(&mut self, unit: u64) {
        self.reached(unit, 0);
        self.open.remove(&unit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_go_over_all_seeds_and_strategies() {
        let schedule = Schedule::new(2, 2, &Ledger::default());
        let order: Vec<(u64, usize, usize)> = (0..6)
            .map(|_| schedule.next().unwrap())
            .map(|unit| (unit.round, unit.seed, unit.strategy))
            .collect();
        assert_eq!(order, [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1)]);
        assert_eq!(Schedule::new(0, 2, &Ledger::default()).next(), None);
    }

    #[test]
    fn a_round_without_new_cases_is_the_last() {
        let schedule = Schedule::new(2, 1, &Ledger::default());
        let take = || schedule.next().unwrap();
        let (a, b, c) = (take(), take(), take());
        schedule.finish(&a, 0);
        schedule.finish(&b, 1);
        schedule.finish(&c, 0);
        let d = take();
        schedule.finish(&d, 0);
        assert_eq!(schedule.next(), None);
    }

    #[test]
    fn the_ledger_loses_no_unit() {
        let mut ledger = Ledger::default();
        ledger.reached(2, 5);
        assert_eq!((ledger.next, &ledger.open), (3, &BTreeMap::from([(0, 0), (1, 0), (2, 5)])));
        ledger.done(1);
        ledger.done(0);
        ledger.reached(2, 7);
        ledger.done(3);
        assert_eq!((ledger.next, &ledger.open), (4, &BTreeMap::from([(2, 7)])));
        let schedule = Schedule::new(1, 1, &ledger);
        let taken: Vec<(u64, u64)> =
            (0..2).map(|_| schedule.next().unwrap()).map(|unit| (unit.number, unit.from)).collect();
        assert_eq!(taken, [(2, 7), (4, 0)]);
    }
}
