//! A cache of resolved ranks: most applications repeat an operator with the same argument sorts.

use crate::hash::hash_words;
use crate::op::Op;
use crate::sort::Sort;
use crate::symbol::Symbol;
use hashbrown::HashTable;

/// A rank that matches an application.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RankMatch {
    pub(crate) op: Op,
    pub(crate) sort: Sort,
    /// The integer arguments that must be converted to reals first, as a bit set.
    pub(crate) to_real: u32,
}

/// Applications with more arguments are not cached.
pub(crate) const MAX_ARGS: usize = 4;

/// An operator name with its argument sorts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key {
    name: Symbol,
    len: u32,
    sorts: [u32; MAX_ARGS],
}

impl Key {
    pub(crate) fn new(name: Symbol, args: impl Iterator<Item = Sort>) -> Self {
        let mut key = Key { name, len: 0, sorts: [0; MAX_ARGS] };
        for arg in args {
            key.sorts[key.len as usize] = arg.0;
            key.len += 1;
        }
        key
    }

    fn hash(&self) -> u64 {
        hash_words(
            u64::from(self.name.0) << 8 | u64::from(self.len),
            self.sorts[..self.len as usize].iter().copied(),
        )
    }
}

/// Results of earlier lookups, including failures.
#[derive(Clone, Default)]
pub(crate) struct RankCache {
    entries: HashTable<(Key, Option<RankMatch>)>,
}

impl RankCache {
    pub(crate) fn get(&self, key: &Key) -> Option<Option<RankMatch>> {
        self.entries.find(key.hash(), |(known, _)| known == key).map(|(_, rank)| *rank)
    }

    pub(crate) fn insert(&mut self, key: Key, rank: Option<RankMatch>) {
        self.entries.insert_unique(key.hash(), (key, rank), |(key, _)| key.hash());
    }
}
