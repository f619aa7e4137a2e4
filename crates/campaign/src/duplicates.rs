//! Which scripts have been asked already, in bounded memory.

use std::collections::HashSet;
use std::sync::Mutex;

/// Remembers hashes of scripts. When it holds too many, the older half is forgotten: a script that comes again after
/// millions of others is then asked again, which costs time and nothing else.
#[derive(Debug)]
pub struct Duplicates {
    limit: usize,
    generations: Mutex<Generations>,
}

#[derive(Debug, Default)]
struct Generations {
    young: HashSet<u64>,
    old: HashSet<u64>,
}

impl Duplicates {
    /// Remembers between `limit` and twice as many.
    pub fn new(limit: usize) -> Duplicates {
        Duplicates { limit, generations: Mutex::default() }
    }

    /// Whether the script is new; it is not the next time.
    pub fn is_new(&self, hash: u64) -> bool {
        let mut generations = self.generations.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if generations.old.contains(&hash) || !generations.young.insert(hash) {
            return false;
        }
        if generations.young.len() >= self.limit {
            generations.old = std::mem::take(&mut generations.young);
        }
        true
    }
}

/// FNV-1a of a script.
pub fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_and_recent_scripts_are_known() {
        let seen = Duplicates::new(100);
        for number in 0..10_000 {
            assert!(seen.is_new(number));
            assert!(!seen.is_new(number));
        }
        assert!(!seen.is_new(9_950));
        let generations = seen.generations.lock().unwrap();
        assert!(generations.young.len() + generations.old.len() <= 200);
    }
}
