//! Which run mode each case gets: a process of its own, as people use solvers, or a scope between push and pop of a running
//! process. The second mode exercises the incremental core of a solver and is cheaper. It gets two thirds of the time and
//! thereby most cases.

use case::SeedIndex;
use solver::RunMode;
use std::collections::BTreeSet;
use std::time::Duration;

/// The parts of the time for cases in processes of their own, and for incremental cases.
const SEPARATE: u32 = 1;
const INCREMENTAL: u32 = 2;

/// How cases are divided between the run modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunModePolicy {
    /// Every case gets a process of its own.
    Separate,
    /// The modes share the time.
    ByTime,
    /// The modes alternate, so that the mode of a case does not depend on the speed of the machine.
    Alternate,
}

/// Chooses the run modes of one worker.
pub struct RunModes {
    /// How a case gets a process of its own.
    separate: RunMode,
    policy: RunModePolicy,
    /// The time that each mode has taken.
    separate_time: Duration,
    incremental_time: Duration,
    last: RunMode,
    /// Seeds whose scripts cannot run between push and pop.
    unsupported: BTreeSet<SeedIndex>,
}

impl RunModes {
    /// The run modes of a worker. `separate` is the mode of cases with a process of their own.
    pub fn new(separate: RunMode, policy: RunModePolicy) -> RunModes {
        RunModes {
            separate,
            policy,
            separate_time: Duration::ZERO,
            incremental_time: Duration::ZERO,
            last: separate,
            unsupported: BTreeSet::new(),
        }
    }

    /// The mode of the next case of a seed. Cases without a seed are never incremental: each has its own options and logic and
    /// would need a new process anyway.
    pub fn next(&self, seed: Option<SeedIndex>) -> RunMode {
        let supported = seed.is_some_and(|seed| !self.unsupported.contains(&seed));
        let is_turn = match self.policy {
            RunModePolicy::Separate => false,
            RunModePolicy::ByTime => self.incremental_time * SEPARATE <= self.separate_time * INCREMENTAL,
            RunModePolicy::Alternate => self.last == self.separate,
        };
        if supported && is_turn { RunMode::Incremental } else { self.separate }
    }

    /// Records the time of a case.
    pub fn record(&mut self, mode: RunMode, took: Duration) {
        self.last = mode;
        match mode {
            RunMode::Incremental => self.incremental_time += took,
            _ => self.separate_time += took,
        }
    }

    /// Records that a script of a seed cannot run between push and pop.
    pub fn exclude(&mut self, seed: Option<SeedIndex>) {
        self.unsupported.extend(seed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: Option<SeedIndex> = Some(SeedIndex(0));

    /// How many of `cases` are incremental, if an incremental case takes 2 ms and a process 10 ms.
    fn incremental(run_modes: &mut RunModes, seed: Option<SeedIndex>, cases: usize) -> usize {
        let mut incremental = 0;
        for _ in 0..cases {
            let mode = run_modes.next(seed);
            incremental += usize::from(mode == RunMode::Incremental);
            run_modes.record(mode, Duration::from_millis(if mode == RunMode::Incremental { 2 } else { 10 }));
        }
        incremental
    }

    #[test]
    fn both_modes_get_their_part() {
        // The policy, the seed, and how many of 170 cases are incremental.
        let table = [
            (RunModePolicy::ByTime, SEED, 154),
            (RunModePolicy::Alternate, SEED, 85),
            (RunModePolicy::ByTime, None, 0),
            (RunModePolicy::Separate, SEED, 0),
        ];
        for (policy, seed, expected) in table {
            let mut run_modes = RunModes::new(RunMode::Fork, policy);
            assert_eq!(incremental(&mut run_modes, seed, 170), expected, "{policy:?} {seed:?}");
        }
    }

    #[test]
    fn seeds_that_cannot_be_incremental_are_excluded() {
        let mut run_modes = RunModes::new(RunMode::Fork, RunModePolicy::ByTime);
        run_modes.exclude(SEED);
        assert_eq!(incremental(&mut run_modes, SEED, 20), 0);
        assert!(incremental(&mut run_modes, Some(SeedIndex(1)), 20) > 0);
    }
}
