//! Interned names. A [`Symbol`] is a small integer; a [`SymbolTable`] stores each text once.

use crate::hash::{SEED, hash_bytes, mix};

/// An interned name or literal text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub(crate) u32);

impl Symbol {
    /// The index in the table, dense from zero: suitable for side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// All symbols of an arena, in one text buffer.
#[derive(Clone, Default)]
pub(crate) struct SymbolTable {
    text: String,
    /// The range of each text.
    spans: Vec<(u32, u32)>,
    /// A hash table with linear probing. Its size is a power of two, or zero.
    slots: Vec<Slot>,
}

/// A slot of sixteen bytes. It contains short names themselves, so looking one up touches nothing else.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: Key,
    /// The symbol plus one; zero in an empty slot.
    symbol: u32,
}

/// Identifies a name: the bytes and length of a short name, or the hash and most of the length of a longer one, with a
/// marker that no short name has.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Key {
    /// The first bytes, or the hash; in two halves, so that a slot has no padding.
    first: [u32; 2],
    /// The last three bytes and the length, or the length and the marker.
    last: u32,
}

/// The maximum length of a short name.
const SHORT: usize = 11;

/// Marks a long name, in place of the length of a short one.
const LONG: u32 = 0xFF << 24;

/// The initial number of slots.
const SMALLEST: usize = 16;

#[inline]
fn key_of(name: &[u8]) -> Key {
    let len = name.len();
    let half = |at: usize| u32::from_le_bytes(name[at..at + 4].try_into().expect("a slice of four"));
    let mark = (len as u32) << 24;
    match len {
        // The reads overlap; the length determines which bytes they contain.
        8..=SHORT => Key { first: [half(0), half(4)], last: half(len - 4) >> 8 | mark },
        4..8 => Key { first: [half(0), half(len - 4)], last: mark },
        1..4 => {
            let bytes = [name[0], name[len / 2], name[len - 1], 0];
            Key { first: [u32::from_le_bytes(bytes), 0], last: mark }
        }
        0 => Key { first: [0, 0], last: 0 },
        _ => {
            let hash = hash_bytes(name);
            Key { first: [hash as u32, (hash >> 32) as u32], last: len as u32 & !LONG | LONG }
        }
    }
}

#[inline]
fn hash_of(key: Key) -> u64 {
    let first = u64::from(key.first[0]) | u64::from(key.first[1]) << 32;
    mix(mix(SEED, first), u64::from(key.last))
}

impl SymbolTable {
    /// Interns `name`.
    #[inline]
    pub(crate) fn intern(&mut self, name: &str) -> Symbol {
        let key = key_of(name.as_bytes());
        match self.find(key, name) {
            Some(found) => found,
            None => self.add(key, name),
        }
    }

    #[cold]
    fn add(&mut self, key: Key, name: &str) -> Symbol {
        let start = self.text.len() as u32;
        self.text.push_str(name);
        self.spans.push((start, self.text.len() as u32));
        // Keep at least a third of the slots empty, so that probe sequences stay short.
        if 3 * self.spans.len() > 2 * self.slots.len() {
            let more = vec![Slot::default(); (2 * self.slots.len()).max(SMALLEST)];
            let before = std::mem::replace(&mut self.slots, more);
            before.into_iter().filter(|slot| slot.symbol != 0).for_each(|slot| self.put(slot));
        }
        self.put(Slot { key, symbol: self.spans.len() as u32 });
        Symbol(self.spans.len() as u32 - 1)
    }

    fn put(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let mut at = hash_of(slot.key) as usize;
        while self.slots[at & mask].symbol != 0 {
            at = at.wrapping_add(1);
        }
        self.slots[at & mask] = slot;
    }

    /// The symbol for `name`, if it was interned before.
    #[inline]
    pub(crate) fn get(&self, name: &str) -> Option<Symbol> {
        self.find(key_of(name.as_bytes()), name)
    }

    #[inline]
    fn find(&self, key: Key, name: &str) -> Option<Symbol> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = hash_of(key) as usize;
        loop {
            let slot = &self.slots[at & mask];
            if slot.symbol == 0 {
                return None;
            }
            let symbol = Symbol(slot.symbol - 1);
            if slot.key == key && (name.len() <= SHORT || self.name(symbol) == name) {
                return Some(symbol);
            }
            at = at.wrapping_add(1);
        }
    }

    /// The text of a symbol.
    pub(crate) fn name(&self, symbol: Symbol) -> &str {
        let (start, end) = self.spans[symbol.index()];
        &self.text[start as usize..end as usize]
    }

    /// The number of symbols.
    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_equal_symbols() {
        let mut table = SymbolTable::default();
        let long = "a".repeat(40);
        let names = [
            "",
            "a",
            "ab",
            "x!1",
            "|",
            "a",
            "\0",
            "eleven-byte",
            "twelve-bytes",
            "elevem-byte",
            long.as_str(),
        ];
        let symbols: Vec<_> = names.iter().map(|name| table.intern(name)).collect();
        assert_eq!(symbols[1], symbols[5]);
        assert_eq!(table.len(), 10);
        for (name, symbol) in names.iter().zip(symbols) {
            assert_eq!(table.name(symbol), *name);
            assert_eq!(table.get(name), Some(symbol));
        }
        assert_eq!(table.get("b"), None);
    }
}
