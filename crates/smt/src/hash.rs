//! Hashing with fixed constants, so that nothing ever depends on a random seed. Not meant to resist attackers:
//! a table of hostile names is slow, never wrong.

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// Folds one word into a running hash.
#[inline]
pub(crate) fn mix(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word) * u128::from(MULTIPLIER | 1);
    (product as u64) ^ ((product >> 64) as u64)
}

/// Hashes a byte string eight bytes at a time.
#[inline]
pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut hash = mix(MULTIPLIER, bytes.len() as u64);
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        hash = mix(hash, u64::from_le_bytes(chunk.try_into().expect("a chunk of eight")));
    }
    let mut last = 0u64;
    for &byte in chunks.remainder() {
        last = (last << 8) | u64::from(byte);
    }
    mix(hash, last)
}

/// Hashes a sequence of words.
#[inline]
pub(crate) fn hash_words(seed: u64, words: impl Iterator<Item = u32>) -> u64 {
    let mut hash = mix(MULTIPLIER, seed);
    for word in words {
        hash = mix(hash, u64::from(word));
    }
    hash
}
