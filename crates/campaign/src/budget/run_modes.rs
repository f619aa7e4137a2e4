//! Which cases also run between push and pop. Every case runs in a process of its own first, as people use solvers. A second run
//! between push and pop of a running process exercises the incremental core of a solver. It is much cheaper, so it gets a small
//! part of the time and still covers most cases of easy seeds.

use super::source::Source;
use std::collections::BTreeSet;
use std::time::Duration;

/// Runs between push and pop get one part of the time in this many.
const PART: u32 = 10;

/// Which cases also run between push and pop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunModePolicy {
    /// None.
    Separate,
    /// As many as there is time for.
    ByTime,
    /// Every second batch, so that the choice does not depend on the speed of the machine.
    Alternate,
}

/// Chooses the run modes of one worker.
pub struct RunModes {
    policy: RunModePolicy,
    /// The time of all runs, and of those between push and pop.
    all: Duration,
    incremental: Duration,
    /// Whether the last batch that could also run between push and pop did so.
    last: bool,
    /// Seeds whose scripts cannot run between push and pop.
    unsupported: BTreeSet<Source>,
}

impl RunModes {
    /// The run modes of a worker.
    pub fn new(policy: RunModePolicy) -> RunModes {
        RunModes {
            policy,
            all: Duration::ZERO,
            incremental: Duration::ZERO,
            last: false,
            unsupported: BTreeSet::new(),
        }
    }

    /// Whether the next cases also run between push and pop. Cases without a seed never do: each has its own options and logic
    /// and would need a new process anyway.
    pub fn adds_incremental(&mut self, source: Source) -> bool {
        if matches!(source, Source::Strategy(_)) || self.unsupported.contains(&source) {
            return false;
        }
        self.last = match self.policy {
            RunModePolicy::Separate => false,
            RunModePolicy::ByTime => PART * self.incremental <= self.all,
            RunModePolicy::Alternate => !self.last,
        };
        self.last
    }

    /// Records the time of runs in processes of their own.
    pub fn record_separate(&mut self, took: Duration) {
        self.all += took;
    }

    /// Records the time of runs between push and pop.
    pub fn record_incremental(&mut self, took: Duration) {
        self.all += took;
        self.incremental += took;
    }

    /// Records that a script of a seed cannot run between push and pop.
    pub fn exclude(&mut self, source: Source) {
        self.unsupported.insert(source);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use case::{SeedIndex, StrategyIndex};

    const SEED: Source = Source::Seed(SeedIndex(0));
    const NO_SEED: Source = Source::Strategy(StrategyIndex(0));

    /// How many of `cases` also run between push and pop, if that takes `took` and a process of its own takes 10 ms.
    fn incremental(run_modes: &mut RunModes, source: Source, took: u64, cases: usize) -> usize {
        let mut incremental = 0;
        for _ in 0..cases {
            run_modes.record_separate(Duration::from_millis(10));
            if run_modes.adds_incremental(source) {
                incremental += 1;
                run_modes.record_incremental(Duration::from_millis(took));
            }
        }
        incremental
    }

    #[test]
    fn incremental_runs_get_their_part_of_the_time() {
        // The policy, the seed, the time of an incremental run, and how many of 100 cases have one.
        let table = [
            (RunModePolicy::ByTime, SEED, 1, 100),
            (RunModePolicy::ByTime, SEED, 30, 4),
            (RunModePolicy::Alternate, SEED, 2, 50),
            (RunModePolicy::ByTime, NO_SEED, 2, 0),
            (RunModePolicy::Separate, SEED, 2, 0),
        ];
        for (policy, source, took, expected) in table {
            let mut run_modes = RunModes::new(policy);
            assert_eq!(
                incremental(&mut run_modes, source, took, 100),
                expected,
                "{policy:?} {source:?} {took}"
            );
        }
    }

    #[test]
    fn seeds_that_cannot_be_incremental_are_excluded() {
        let mut run_modes = RunModes::new(RunModePolicy::ByTime);
        run_modes.exclude(SEED);
        assert_eq!(incremental(&mut run_modes, SEED, 2, 20), 0);
        assert!(incremental(&mut run_modes, Source::Seed(SeedIndex(1)), 2, 20) > 0);
    }
}
