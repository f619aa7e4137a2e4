//! Which rank fitted before: most applications repeat an operator with the same argument sorts.

use crate::hash::hash_words;
use crate::op::Op;
use crate::sort::Sort;
use crate::symbol::Symbol;
use hashbrown::HashTable;

/// A rank that fits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fit {
    pub(crate) op: Op,
    pub(crate) sort: Sort,
    /// The integer arguments that have to be made reals first, as a set of bits.
    pub(crate) lift: u32,
}

/// Applications with more arguments are resolved anew each time.
pub(crate) const MAX_ARGS: usize = 4;

/// A name with the sorts of its arguments.
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

/// Results of earlier look-ups, failures included.
#[derive(Clone, Default)]
pub(crate) struct RankCache {
    entries: HashTable<(Key, Option<Fit>)>,
}

impl RankCache {
    pub(crate) fn get(&self, key: &Key) -> Option<Option<Fit>> {
        self.entries.find(key.hash(), |(known, _)| known == key).map(|(_, fit)| *fit)
    }

    pub(crate) fn insert(&mut self, key: Key, fit: Option<Fit>) {
        self.entries.insert_unique(key.hash(), (key, fit), |(key, _)| key.hash());
    }
}
