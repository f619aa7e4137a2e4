//! Sets of small numbers as bits.

use std::sync::atomic::{AtomicU64, Ordering};

const WORD: usize = u64::BITS as usize;

/// A set of numbers below a bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// The empty set of numbers below `bound`.
    pub fn new(bound: usize) -> Bits {
        Bits(vec![0; bound.div_ceil(WORD)])
    }

    /// Adds a number.
    pub fn set(&mut self, at: usize) {
        self.0[at / WORD] |= 1 << (at % WORD);
    }

    /// Whether it contains a number.
    pub fn has(&self, at: usize) -> bool {
        self.0[at / WORD] >> (at % WORD) & 1 == 1
    }

    /// How many numbers it contains.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The numbers, in order.
    pub fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * WORD).filter(|&at| self.has(at))
    }

    /// The numbers of both sets.
    pub fn and(&self, other: &Bits) -> Bits {
        Bits(self.0.iter().zip(&other.0).map(|(own, other)| own & other).collect())
    }

    /// The numbers that the other set does not contain.
    pub fn minus(&self, other: &Bits) -> Bits {
        Bits(self.0.iter().zip(&other.0).map(|(own, other)| own & !other).collect())
    }
}

/// A set that several threads add to.
pub struct AtomicBits(Vec<AtomicU64>);

impl AtomicBits {
    /// The empty set of numbers below `bound`.
    pub fn new(bound: usize) -> AtomicBits {
        AtomicBits((0..bound.div_ceil(WORD)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Adds a number. Writes only if it is new, so that threads do not wait for each other.
    pub fn set(&self, at: usize) {
        let (word, bit) = (&self.0[at / WORD], 1 << (at % WORD));
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// A copy of the set.
    pub fn load(&self) -> Bits {
        Bits(self.0.iter().map(|word| word.load(Ordering::Relaxed)).collect())
    }
}
