//! Interned names. A [`Symbol`] is a small integer; its text lives once in a [`SymbolTable`].

use crate::hash::{hash_bytes, mix};
use hashbrown::HashTable;

/// The name of something (or the text of a literal), interned in a [`SymbolTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub(crate) u32);

impl Symbol {
    /// The position in the table, dense from zero: fit for indexing side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// All names of an arena, in one buffer of text.
#[derive(Clone, Default)]
pub struct SymbolTable {
    text: String,
    /// The names themselves where they are short, so that most comparisons are of two numbers. Apart from the spans, since
    /// looking up touches little else and a script's names shall fit the processor's cache.
    keys: Vec<u128>,
    /// Where each text begins and ends.
    spans: Vec<(u32, u32)>,
    lookup: HashTable<u32>,
}

/// Names up to this length are their own keys.
const SHORT: usize = 15;

/// A number that tells short names apart: the bytes and the length. Longer names share the length that no short one has.
#[inline]
fn key_of(name: &[u8]) -> u128 {
    let mut bytes = [0u8; 16];
    if name.len() <= SHORT {
        bytes[..name.len()].copy_from_slice(name);
        bytes[SHORT] = name.len() as u8;
    } else {
        bytes[..8].copy_from_slice(&hash_bytes(name).to_le_bytes());
        bytes[SHORT] = u8::MAX;
    }
    u128::from_le_bytes(bytes)
}

#[inline]
fn hash_of(key: u128) -> u64 {
    mix(mix(0x9E37_79B9_7F4A_7C15, key as u64), (key >> 64) as u64)
}

impl SymbolTable {
    /// The symbol for `name`, new or known.
    #[inline]
    pub fn intern(&mut self, name: &str) -> Symbol {
        let key = key_of(name.as_bytes());
        match self.find(key, name) {
            Some(found) => found,
            None => self.add(key, name),
        }
    }

    #[cold]
    fn add(&mut self, key: u128, name: &str) -> Symbol {
        let id = self.keys.len() as u32;
        let start = self.text.len() as u32;
        self.text.push_str(name);
        self.keys.push(key);
        self.spans.push((start, self.text.len() as u32));
        let keys = &self.keys;
        self.lookup.insert_unique(hash_of(key), id, |&id| hash_of(keys[id as usize]));
        Symbol(id)
    }

    /// The symbol for `name` if it was interned before.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.find(key_of(name.as_bytes()), name)
    }

    #[inline]
    fn find(&self, key: u128, name: &str) -> Option<Symbol> {
        let same = |&id: &u32| {
            self.keys[id as usize] == key && (name.len() <= SHORT || self.name(Symbol(id)) == name)
        };
        self.lookup.find(hash_of(key), same).map(|&id| Symbol(id))
    }

    /// The text of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        let (start, end) = self.spans[symbol.index()];
        &self.text[start as usize..end as usize]
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether nothing was interned yet.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_is_the_same_symbol() {
        let mut table = SymbolTable::default();
        let long = "a".repeat(40);
        let names =
            ["", "a", "ab", "x!1", "|", "a", "\0", "fifteen-bytes!!", "sixteen-bytes!!!", long.as_str()];
        let symbols: Vec<_> = names.iter().map(|name| table.intern(name)).collect();
        assert_eq!(symbols[1], symbols[5]);
        assert_eq!(table.len(), 9);
        for (name, symbol) in names.iter().zip(symbols) {
            assert_eq!(table.name(symbol), *name);
            assert_eq!(table.get(name), Some(symbol));
        }
        assert_eq!(table.get("b"), None);
    }
}
