//! Pins a worker and its solvers to one processor core, as long as they get most of its time.

use solver::{Observation, RunMode, Target, affinity};
use std::time::Duration;

/// The load of the core is measured after this much waiting for solvers.
const INTERVAL: Duration = Duration::from_secs(2);
/// Below this many tenths of the time, other processes compete for the core.
const ENOUGH_TENTHS: u32 = 6;

/// The core of a worker.
#[derive(Default)]
pub(super) struct CorePinning {
    /// All cores, to return to; empty if the worker is not pinned.
    all: Vec<usize>,
    waited: Duration,
    ran: Duration,
}

impl CorePinning {
    /// Pins one of the workers to a core, if there is a core for each and pinning is on for all targets. An unpinned worker
    /// is only slower.
    pub fn acquire(number: usize, workers: usize, targets: &[Target]) -> CorePinning {
        if !targets.iter().all(|target| target.acceleration.core_pinning) {
            return CorePinning::default();
        }
        let Ok(all) = affinity::available_cores() else { return CorePinning::default() };
        match all.get(number) {
            Some(&own) if workers <= all.len() && affinity::pin_to(&[own]).is_ok() => {
                CorePinning { all, ..CorePinning::default() }
            }
            _ => CorePinning::default(),
        }
    }

    /// Lets the system choose the core from now on. Returns whether that worked.
    pub fn release(&mut self) -> bool {
        affinity::pin_to(&std::mem::take(&mut self.all)).is_ok()
    }

    /// Records a run of a solver.
    pub fn record(&mut self, seen: &Observation) {
        // A fresh process also waits for the disk.
        if seen.mode != RunMode::OneShot {
            self.waited += seen.wall;
            self.ran += seen.cpu;
        }
    }

    /// Whether the latest runs got too little time on the core.
    pub fn is_crowded(&mut self) -> bool {
        if self.all.is_empty() || self.waited < INTERVAL {
            return false;
        }
        let crowded = self.ran * 10 < self.waited * ENOUGH_TENTHS;
        (self.waited, self.ran) = (Duration::ZERO, Duration::ZERO);
        crowded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowded_core_is_detected() {
        // How long solvers were waited for and how long they ran, in milliseconds, and whether the core is crowded.
        let table = [(1000, 100, false), (3000, 2900, false), (3000, 1000, true), (3000, 1800, false)];
        for (waited, ran, crowded) in table {
            let (waited, ran) = (Duration::from_millis(waited), Duration::from_millis(ran));
            let mut pinned = CorePinning { all: vec![0, 1], waited, ran };
            assert_eq!(pinned.is_crowded(), crowded, "{waited:?} {ran:?}");
            assert!(!CorePinning { waited, ran, ..CorePinning::default() }.is_crowded());
        }
    }
}
