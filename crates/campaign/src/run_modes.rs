//! How cases are asked: by a process each, as people use solvers, or between push and pop of a process that stays. The second
//! way runs other code of a solver, its incremental core, and is cheaper, so that most cases go there, in two
//! thirds of the time.

use solver::RunMode;
use std::collections::BTreeSet;
use std::time::Duration;

/// The parts of the time that go to processes of their own, and to what is asked between push and pop.
const APART: u32 = 1;
const INSIDE: u32 = 2;

/// What one worker knows about the two ways.
pub struct Ways {
    /// How a case gets a process of its own.
    apart: RunMode,
    /// Whether cases are asked between push and pop at all.
    incremental: bool,
    /// Whether the ways take turns instead, so that it does not depend on the machine which case is asked how.
    in_turns: bool,
    /// The time that each way has taken.
    spent_apart: Duration,
    spent_inside: Duration,
    last: RunMode,
    /// Seeds whose scripts cannot stand between push and pop.
    unfit: BTreeSet<usize>,
}

impl Ways {
    /// The ways of a worker whose cases run `apart` by default.
    pub fn new(apart: RunMode, incremental: bool, in_turns: bool) -> Ways {
        let unfit = BTreeSet::new();
        let (spent_apart, spent_inside) = (Duration::ZERO, Duration::ZERO);
        Ways { apart, incremental, in_turns, spent_apart, spent_inside, last: apart, unfit }
    }

    /// How the next case of a seed is asked. Cases that are made from nothing have options and logics of their own, each of which
    /// would need a process for itself.
    pub fn next(&self, seed: Option<usize>) -> RunMode {
        let fit = seed.is_some_and(|seed| !self.unfit.contains(&seed));
        let its_turn = match self.in_turns {
            true => self.last == self.apart,
            false => self.spent_inside * APART <= self.spent_apart * INSIDE,
        };
        if self.incremental && fit && its_turn { RunMode::Incremental } else { self.apart }
    }

    /// Notes what a case took.
    pub fn note(&mut self, mode: RunMode, took: Duration) {
        self.last = mode;
        let spent = if mode == RunMode::Incremental { &mut self.spent_inside } else { &mut self.spent_apart };
        *spent += took;
    }

    /// Notes that a script of a seed could not stand between push and pop.
    pub fn unfit(&mut self, seed: Option<usize>) {
        self.unfit.extend(seed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: Option<usize> = Some(0);

    /// How many of `cases` are asked between push and pop, if that takes 2 ms and a process 10 ms.
    fn inside(run_modes: &mut Ways, seed: Option<usize>, cases: usize) -> usize {
        let mut inside = 0;
        for _ in 0..cases {
            let mode = run_modes.next(seed);
            inside += usize::from(mode == RunMode::Incremental);
            run_modes.note(mode, Duration::from_millis(if mode == RunMode::Incremental { 2 } else { 10 }));
        }
        inside
    }

    #[test]
    fn both_ways_get_their_part() {
        // Whether there is the incremental way, whether in turns, the seed, and how many of 170 cases go there.
        let table = [
            (true, false, SEED, 154),
            (true, true, SEED, 85),
            (true, false, None, 0),
            (false, false, SEED, 0),
            (false, true, SEED, 0),
        ];
        for (incremental, in_turns, seed, expected) in table {
            let mut run_modes = Ways::new(RunMode::Fork, incremental, in_turns);
            assert_eq!(inside(&mut run_modes, seed, 170), expected, "{incremental} {in_turns} {seed:?}");
        }
    }

    #[test]
    fn what_cannot_stand_there_is_not_asked_there_again() {
        let mut run_modes = Ways::new(RunMode::Fork, true, false);
        run_modes.unfit(SEED);
        assert_eq!(inside(&mut run_modes, SEED, 20), 0);
        assert!(inside(&mut run_modes, Some(1), 20) > 0);
    }
}
