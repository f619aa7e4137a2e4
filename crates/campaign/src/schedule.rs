//! Which seed is worked on next, by which strategy, and how far each such unit of work is.
//!
//! Units are numbered: round by round over the seeds in their order, and every strategy on each seed. With one worker the
//! order of all cases is thereby fixed; with several, each unit is, and only their interleaving is not.
//!
//! A strategy that needs no seed has its turn as often as the others. Where they go on to the next seed it goes on to its next
//! round, so that its cases do not depend on the seeds of the others.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;

/// So many rounds without a new case are no chance any more: nothing new will come. A case that is not new costs next to nothing.
const FRUITLESS: u32 = 50;

/// A unit of work: one strategy on one seed in one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its number.
    pub number: u64,
    /// The round over the seeds; for a strategy that needs none, how many turns it had before.
    pub round: u64,
    /// The seed's place in the pool; nothing for a strategy that needs none.
    pub seed: Option<usize>,
    /// The strategy's place in the list.
    pub strategy: usize,
    /// The first case to run; those before it have been run.
    pub from: u64,
}

/// Hands out units.
#[derive(Debug)]
pub struct Schedule {
    seeds: u64,
    /// For each strategy whether it needs seeds.
    needs_seeds: Vec<bool>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    next: u64,
    resumed: VecDeque<(u64, u64)>,
    /// For each round: how many of its units are finished, and how many new cases they had.
    rounds: BTreeMap<u64, (u64, u64)>,
    /// How many rounds, of those that ended last, brought nothing new.
    fruitless: u32,
}

impl Schedule {
    /// A schedule over so many seeds and strategies, of which some need seeds, that goes on where a ledger says.
    pub fn new(seeds: usize, needs_seeds: &[bool], ledger: &Ledger) -> Schedule {
        let state = State {
            next: ledger.next,
            resumed: ledger.open.iter().map(|(number, from)| (*number, *from)).collect(),
            ..State::default()
        };
        // Without seeds, strategies that need none still take turns.
        let seeds = if needs_seeds.contains(&true) { seeds } else { seeds.max(1) };
        Schedule { seeds: seeds as u64, needs_seeds: needs_seeds.to_vec(), state: Mutex::new(state) }
    }

    /// The unit with a number.
    pub fn unit(&self, number: u64, from: u64) -> Unit {
        let strategies = self.needs_seeds.len() as u64;
        let (turn, strategy) = (number / strategies, (number % strategies) as usize);
        let (round, seed) = match self.needs_seeds[strategy] {
            true => (turn / self.seeds, Some((turn % self.seeds) as usize)),
            false => (turn, None),
        };
        Unit { number, round, seed, strategy, from }
    }

    /// How many units one round over the seeds has.
    fn units_of_round(&self) -> u64 {
        self.seeds * self.needs_seeds.len() as u64
    }

    /// The next unit; nothing when many rounds one after the other have brought no new case.
    pub fn next(&self) -> Option<Unit> {
        let mut state = self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if self.units_of_round() == 0 || state.fruitless >= FRUITLESS {
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
        let round = unit.number / self.units_of_round();
        let (finished, new) = state.rounds.entry(round).or_default();
        *finished += 1;
        *new += new_cases;
        if *finished == self.units_of_round() {
            let fruitless = *new == 0;
            state.fruitless = if fruitless { state.fruitless + 1 } else { 0 };
            state.rounds.remove(&round);
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
        let first_six = |seeds: usize, needs_seeds: &[bool]| -> Vec<(u64, Option<usize>, usize)> {
            let schedule = Schedule::new(seeds, needs_seeds, &Ledger::default());
            let units = (0..6).filter_map(|_| schedule.next());
            units.map(|unit| (unit.round, unit.seed, unit.strategy)).collect()
        };
        let (a, b) = (Some(0), Some(1));
        assert_eq!(
            first_six(2, &[true, true]),
            [(0, a, 0), (0, a, 1), (0, b, 0), (0, b, 1), (1, a, 0), (1, a, 1)]
        );
        assert_eq!(
            first_six(2, &[false, true]),
            [(0, None, 0), (0, a, 1), (1, None, 0), (0, b, 1), (2, None, 0), (1, a, 1)]
        );
        assert_eq!(first_six(0, &[false])[5], (5, None, 0));
        assert_eq!(first_six(0, &[true, false]), []);
    }

    #[test]
    fn it_ends_after_many_rounds_without_new_cases() {
        let schedule = Schedule::new(2, &[true], &Ledger::default());
        let round = |new_cases| {
            let units = [(); 2].map(|()| schedule.next());
            units.into_iter().flatten().map(|unit| schedule.finish(&unit, new_cases)).count() == 2
        };
        assert!((1..FRUITLESS).all(|_| round(0)));
        assert!(round(1), "what is new in between begins the count anew");
        assert!((0..FRUITLESS).all(|_| round(0)));
        assert!(!round(0));
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
        let schedule = Schedule::new(1, &[true], &ledger);
        let taken: Vec<(u64, u64)> =
            (0..2).map(|_| schedule.next().unwrap()).map(|unit| (unit.number, unit.from)).collect();
        assert_eq!(taken, [(2, 7), (4, 0)]);
    }
}
