//! Cases that reached new code, waiting to be seeds of the same campaign.

use case::SolverIndex;
use std::collections::{BTreeSet, VecDeque};

/// How many cases may wait.
const CAPACITY: usize = 64;

/// The cases of one worker that reached new code.
#[derive(Default)]
pub(super) struct CoverageQueue {
    /// The solvers in which the current case reached new code under default options.
    fresh: BTreeSet<SolverIndex>,
    waiting: VecDeque<String>,
    /// How many cases were taken so far.
    taken: usize,
}

impl CoverageQueue {
    /// Records that the current case reached new code in a solver.
    pub fn push(&mut self, solver: SolverIndex, text: &str) {
        let is_queued = !self.fresh.is_empty();
        self.fresh.insert(solver);
        if !is_queued && self.waiting.len() < CAPACITY {
            self.waiting.push_back(text.to_owned());
        }
    }

    /// Takes the solvers in which the current case reached new code. The next case starts with none.
    pub fn take_fresh(&mut self) -> BTreeSet<SolverIndex> {
        std::mem::take(&mut self.fresh)
    }

    /// Takes the next case, with the number of those before it.
    pub fn pop(&mut self) -> Option<(usize, String)> {
        let text = self.waiting.pop_front()?;
        self.taken += 1;
        Some((self.taken - 1, text))
    }

    /// Drops all cases.
    pub fn clear(&mut self) {
        self.waiting.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_case_is_queued_once_up_to_the_capacity() {
        let mut queue = CoverageQueue::default();
        for case in 0..2 * CAPACITY {
            queue.push(SolverIndex(0), &case.to_string());
            queue.push(SolverIndex(1), &case.to_string());
            assert_eq!(queue.take_fresh().len(), 2);
        }
        assert_eq!(queue.pop(), Some((0, "0".to_owned())));
        assert_eq!(queue.pop(), Some((1, "1".to_owned())));
        assert_eq!(std::iter::from_fn(|| queue.pop()).count(), CAPACITY - 2);
    }
}
