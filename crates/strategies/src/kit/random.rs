//! Random choices that never change.
//!
//! Replaying a case must not depend on the version of a library, so ranges, shuffles and weighted choices are implemented here,
//! over a fixed generator.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

/// A random generator.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Self {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A generator seeded with a list of numbers. Different lists give different generators.
    pub fn from_parts(parts: &[u64]) -> Self {
        let mut state = 0x9E37_79B9_7F4A_7C15u64;
        for &part in parts {
            state = (state ^ part).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            state ^= state >> 29;
        }
        Random::new(state)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`, uniformly (by rejection); zero if `bound` is zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 {
            return 0;
        }
        let zone = u64::MAX - (u64::MAX % bound + 1) % bound;
        loop {
            let bits = self.bits();
            if bits <= zone {
                return bits % bound;
            }
        }
    }

    /// An index below `len`.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// A number from `low` to `high`, both inclusive.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low.wrapping_add(self.below((high.wrapping_sub(low) as u64).wrapping_add(1)) as i64)
    }

    /// True with probability `numerator / denominator`.
    pub fn chance(&mut self, numerator: u64, denominator: u64) -> bool {
        self.below(denominator) < numerator
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// One of the items, uniformly; `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { Some(&items[self.index(items.len())]) }
    }

    /// An index, with probability proportional to its weight; `None` if no weight is positive.
    pub fn weighted(&mut self, weights: &[f64]) -> Option<usize> {
        let total: f64 = weights.iter().filter(|weight| **weight > 0.0).sum();
        if total <= 0.0 {
            return None;
        }
        let mut left = self.unit() * total;
        let mut last = None;
        for (at, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            last = Some(at);
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
        last
    }

    /// Shuffles the items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.index(at + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Replay depends on these numbers, so they must never change.
    #[test]
    fn the_stream_is_fixed() {
        let mut random = Random::new(42);
        let drawn: Vec<u64> = (0..6).map(|_| random.below(1000)).collect();
        let mut again = Random::from_parts(&[42, 7]);
        let mut order: Vec<u64> = (0..8).collect();
        again.shuffle(&mut order);
        assert_eq!(drawn, [951, 753, 100, 464, 331, 965]);
        assert_eq!(order, [0, 1, 7, 4, 5, 3, 6, 2]);
    }

    #[test]
    fn choices_stay_in_range() {
        let mut random = Random::new(1);
        for bound in 1..200u64 {
            assert!(random.below(bound) < bound);
            let between = random.between(-(bound as i64), bound as i64);
            assert!(between.unsigned_abs() <= bound);
        }
        assert_eq!(random.below(0), 0);
        assert_eq!(random.weighted(&[0.0, -1.0]), None);
        assert_eq!(random.weighted(&[0.0, 2.0, 0.0]), Some(1));
        assert_eq!(random.pick::<u8>(&[]), None);
    }
}
