//! Hashing with fixed constants, so that results never depend on a random seed. The hashes do not resist attackers: crafted
//! names make the tables slow, never wrong.

use std::hash::Hasher;

/// The seed of hashes: 2^64 divided by the golden ratio.
pub(crate) const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// Folds one word into a running hash.
#[inline]
pub(crate) fn mix(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word) * u128::from(SEED | 1);
    (product as u64) ^ ((product >> 64) as u64)
}

/// Hashes a byte string eight bytes at a time.
#[inline]
pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("a slice of four"));
    let len = bytes.len();
    let mut hash = SEED ^ len as u64;
    if len >= 8 {
        for chunk in bytes.chunks_exact(8) {
            hash = mix(hash, u64::from_le_bytes(chunk.try_into().expect("a chunk of eight")));
        }
    }
    // The rest, as two words that may overlap.
    let last = match len {
        0 => 0,
        1..4 => u64::from(bytes[0]) << 16 | u64::from(bytes[len / 2]) << 8 | u64::from(bytes[len - 1]),
        _ => u64::from(word((len & !7).min(len - 4))) << 32 | u64::from(word(len - 4)),
    };
    mix(hash, last)
}

/// Hashes a sequence of words.
#[inline]
pub(crate) fn hash_words(seed: u64, words: impl Iterator<Item = u32>) -> u64 {
    let mut hash = mix(SEED, seed);
    for word in words {
        hash = mix(hash, u64::from(word));
    }
    hash
}

/// A hasher with fixed constants, for derived `Hash` implementations.
#[derive(Clone, Copy, Default)]
pub struct FixedHasher(u64);

impl Hasher for FixedHasher {
    fn finish(&self) -> u64 {
        mix(self.0, 0)
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = mix(self.0, hash_bytes(bytes));
    }

    fn write_u8(&mut self, value: u8) {
        self.0 = mix(self.0, u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = mix(self.0, u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = mix(self.0, value);
    }

    fn write_usize(&mut self, value: usize) {
        self.0 = mix(self.0, value as u64);
    }
}

/// Builds [`FixedHasher`]s, for maps whose behaviour must not depend on a random seed.
pub type FixedState = std::hash::BuildHasherDefault<FixedHasher>;
