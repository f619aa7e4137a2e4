//! Boolean sub-expression saturation coverage: which Booleans each monitor has had.

use crate::kit::random::Random;
use smt::FixedState;
use std::collections::HashSet;

/// The index of a monitor, with a Boolean.
pub(super) type Pair = (usize, bool);

/// The coverage of a seed.
#[derive(Clone, Debug, Default)]
pub(super) struct Coverage {
    covered: Vec<[bool; 2]>,
    /// The pairs still to enforce, the next one last.
    pending: Vec<Pair>,
    /// The Booleans of whole mutants.
    mutants: HashSet<Vec<Option<bool>>, FixedState>,
}

impl Coverage {
    /// No coverage of this many monitors, to be enforced in random order.
    pub fn new(monitors: usize, random: &mut Random) -> Coverage {
        let mut pending: Vec<Pair> = (0..monitors).flat_map(|at| [(at, true), (at, false)]).collect();
        random.shuffle(&mut pending);
        Coverage { covered: vec![[false; 2]; monitors], pending, mutants: HashSet::default() }
    }

    /// The next uncovered pair; `None` if there is none left.
    pub fn next(&mut self) -> Option<Pair> {
        while let Some(pair) = self.pending.pop() {
            if !self.has(pair) {
                return Some(pair);
            }
        }
        None
    }

    /// Other monitors to enforce together with one, each with a random Boolean.
    pub fn companions(&self, pair: Pair, count: usize, random: &mut Random) -> Vec<Pair> {
        let mut chosen: Vec<Pair> = Vec::new();
        for _ in 0..4 * count {
            if chosen.len() >= count || chosen.len() + 1 >= self.covered.len() {
                break;
            }
            let at = random.index(self.covered.len());
            if at != pair.0 && chosen.iter().all(|other| other.0 != at) {
                chosen.push((at, random.chance(1, 2)));
            }
        }
        chosen
    }

    fn has(&self, (monitor, truth): Pair) -> bool {
        self.covered[monitor][usize::from(truth)]
    }

    /// Marks a pair as covered.
    pub fn cover(&mut self, (monitor, truth): Pair) {
        self.covered[monitor][usize::from(truth)] = true;
    }

    /// Marks the Booleans of a mutant as covered. Returns whether one of them, or their combination, is new.
    pub fn cover_all(&mut self, truths: &[Option<bool>]) -> bool {
        let mut new = self.mutants.insert(truths.to_vec());
        for (monitor, truth) in truths.iter().enumerate() {
            if let Some(truth) = *truth {
                new |= !self.has((monitor, truth));
                self.cover((monitor, truth));
            }
        }
        new
    }

    /// The number of covered pairs, and of all pairs.
    pub fn share(&self) -> (usize, usize) {
        (self.covered.iter().flatten().filter(|covered| **covered).count(), 2 * self.covered.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uncovered_pairs_come_up_once() {
        let mut random = Random::new(1);
        let mut coverage = Coverage::new(3, &mut random);
        assert!(coverage.cover_all(&[Some(true), None, Some(false)]));
        assert!(!coverage.cover_all(&[Some(true), None, Some(false)]));
        let mut left: Vec<Pair> = std::iter::from_fn(|| coverage.next()).collect();
        left.sort_unstable();
        assert_eq!(left, [(0, false), (1, false), (1, true), (2, true)]);
        assert_eq!(coverage.share(), (2, 6));
        assert!(coverage.cover_all(&[Some(true), None, Some(true)]));
        assert_eq!(coverage.companions((0, true), 7, &mut random).len(), 2);
    }
}
