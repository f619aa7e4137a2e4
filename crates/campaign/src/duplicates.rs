//! Scripts that were run before, in bounded memory.

use std::collections::HashSet;
use std::sync::Mutex;

/// Remembers hashes of scripts. When it holds too many, it forgets the older half: a script that comes again after millions of
/// others is run again, which only costs time.
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
    /// Remembers between `limit` and twice as many hashes.
    pub fn new(limit: usize) -> Duplicates {
        Duplicates { limit, generations: Mutex::default() }
    }

    /// Adds the hash of a script. Returns whether it is new.
    pub fn insert(&self, hash: u64) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_and_recent_scripts_are_remembered() {
        let seen = Duplicates::new(100);
        for number in 0..10_000 {
            assert!(seen.insert(number));
            assert!(!seen.insert(number));
        }
        assert!(!seen.insert(9_950));
        let generations = seen.generations.lock().unwrap();
        assert!(generations.young.len() + generations.old.len() <= 200);
    }
}
