//! The processor core that a worker and its solvers keep to, as long as they get enough of it.

use super::{Leave, Worker};
use solver::{Observation, RunMode, processor};
use std::time::Duration;

/// After so much waiting for solvers it is looked at how much of the time they ran.
const LOOK: Duration = Duration::from_secs(2);
/// If they ran for less than so many parts in ten, others want the core too.
const ENOUGH: u32 = 6;

/// The core of a worker.
#[derive(Default)]
pub(super) struct CorePinning {
    /// All cores, to go back to; none if the worker keeps to none.
    all: Vec<usize>,
    waited: Duration,
    ran: Duration,
}

impl CorePinning {
    /// Takes the core for one of so many workers, where there is one for each. Where that cannot be had, workers run
    /// wherever the system wants them, which is only slower.
    pub fn take(number: usize, workers: usize) -> CorePinning {
        let Ok(all) = processor::usable() else { return CorePinning::default() };
        match all.get(number) {
            Some(&own) if workers <= all.len() && processor::keep_to(&[own]).is_ok() => {
                CorePinning { all, ..CorePinning::default() }
            }
            _ => CorePinning::default(),
        }
    }

    /// Notes a run of a solver.
    pub fn note(&mut self, seen: &Observation) {
        // What is started anew waits for the disk, too.
        if seen.mode != RunMode::OneShot {
            self.waited += seen.wall;
            self.ran += seen.cpu;
        }
    }

    /// Whether the last runs had too little of the core.
    fn is_crowded(&mut self) -> bool {
        if self.all.is_empty() || self.waited < LOOK {
            return false;
        }
        let crowded = self.ran * 10 < self.waited * ENOUGH;
        (self.waited, self.ran) = (Duration::ZERO, Duration::ZERO);
        crowded
    }
}

impl Worker<'_> {
    /// Lets the system choose the core from now on, if others want the same one.
    pub(super) fn leave_crowded_seat(&mut self) -> Result<(), Leave> {
        if self.core_pinning.is_crowded()
            && processor::keep_to(&std::mem::take(&mut self.core_pinning.all)).is_ok()
        {
            // Processes that run already would stay where they are.
            self.solver_pool.start_anew().map_err(Leave::Failed)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowded_core_is_told() {
        // How long solvers were waited for and ran, in milliseconds, and whether that is too little.
        let table = [(1000, 100, false), (3000, 2900, false), (3000, 1000, true), (3000, 1800, false)];
        for (waited, ran, crowded) in table {
            let (waited, ran) = (Duration::from_millis(waited), Duration::from_millis(ran));
            assert_eq!(
                CorePinning { all: vec![0, 1], waited, ran }.is_crowded(),
                crowded,
                "{waited:?} {ran:?}"
            );
            assert!(!CorePinning { waited, ran, ..CorePinning::default() }.is_crowded());
        }
    }
}
