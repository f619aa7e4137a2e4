//! Boolean sub-expression saturation coverage: which truth values of which monitors have been seen.

use crate::random::Random;
use smt::FixedState;
use std::collections::HashSet;

/// A monitor, by number, with a truth value.
pub(super) type Pair = (usize, bool);

/// What has been covered of a seed.
#[derive(Clone, Debug, Default)]
pub(super) struct Coverage {
    covered: Vec<[bool; 2]>,
    /// What is still to be enforced, the next last.
    pending: Vec<Pair>,
    /// The truth values of whole mutants.
    mutants: HashSet<Vec<Option<bool>>, FixedState>,
}

impl Coverage {
    /// Nothing covered of so many monitors; they have their turns in random order.
    pub fn new(monitors: usize, random: &mut Random) -> Coverage {
        let mut pending: Vec<Pair> = (0..monitors).flat_map(|at| [(at, true), (at, false)]).collect();
        random.shuffle(&mut pending);
        Coverage { covered: vec![[false; 2]; monitors], pending, mutants: HashSet::default() }
    }

    /// The next pair that is not covered; nothing when all are, or have had their turn.
    pub fn next(&mut self) -> Option<Pair> {
        while let Some(pair) = self.pending.pop() {
            if !self.has(pair) {
                return Some(pair);
            }
        }
        None
    }

    /// Other monitors to be enforced together with one, each with a truth value at random.
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

    /// Notes that a pair is covered.
    pub fn cover(&mut self, (monitor, truth): Pair) {
        self.covered[monitor][usize::from(truth)] = true;
    }

    /// Notes the truth values of a mutant. Answers whether they are new: one of them, or all of them together.
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

    /// How many pairs are covered, of how many.
    pub fn share(&self) -> (usize, usize) {
        (self.covered.iter().flatten().filter(|covered| **covered).count(), 2 * self.covered.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_has_one_turn_unless_it_was_covered_before() {
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
