//! FNV-1a: short, and the same on every machine.

/// The 64-bit FNV-1a hash of a text.
pub fn fnv1a(text: &str) -> u64 {
    fnv1a_bytes(text.as_bytes())
}

/// The 64-bit FNV-1a hash of bytes.
pub fn fnv1a_bytes(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A number that follows from a text, for a choice. Unlike those of the hash, all its bits are equally good, and choices for
/// different purposes do not depend on each other.
pub fn choice(text: &str, purpose: &str) -> u64 {
    let hash = fnv1a(text).rotate_left(7) ^ fnv1a(purpose);
    // The finalizer of SplitMix64.
    let mixed = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::{choice, fnv1a};

    #[test]
    fn choices_are_independent_of_patterns_in_the_text() {
        // The parity of these hashes is that of the text around the number, since the number occurs twice.
        let is_chosen = |n: u32, purpose| choice(&format!("{n} {n}"), purpose).is_multiple_of(2);
        let one = (0..1000).filter(|n| is_chosen(*n, "a")).count();
        let both = (0..1000).filter(|n| is_chosen(*n, "a") && is_chosen(*n, "b")).count();
        assert!((400..600).contains(&one) && (170..330).contains(&both), "{one} {both}");
    }

    #[test]
    fn hashes_are_those_of_the_published_algorithm() {
        assert_eq!(fnv1a(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a("foobar"), 0x8594_4171_f739_67e8);
    }
}
