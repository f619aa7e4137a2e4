//! Interned names. A [`Symbol`] is a small integer; its text lives once in a [`SymbolTable`].

use crate::hash::{hash_bytes, mix};

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
    /// Where each text begins and ends.
    spans: Vec<(u32, u32)>,
    /// Found by hash, probed one after the other; a power of two in number, or none.
    slots: Vec<Slot>,
}

/// A name in the table. Short names stand here themselves, so that looking one up touches nothing else.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: [u64; 2],
    /// The symbol plus one; zero in an empty slot.
    symbol: u32,
}

/// Names up to this length are their own keys.
const SHORT: usize = 15;

/// The smallest number of slots.
const SMALLEST: usize = 16;

/// A number that tells short names apart: the bytes and the length. Longer names share the length that no short one has.
#[inline]
fn key_of(name: &[u8]) -> [u64; 2] {
    let len = name.len();
    let word = |at: usize| u64::from_le_bytes(name[at..at + 8].try_into().expect("a slice of eight"));
    let half =
        |at: usize| u64::from(u32::from_le_bytes(name[at..at + 4].try_into().expect("a slice of four")));
    let mark = (len as u64) << 56;
    match len {
        // Overlapping reads: which bytes they hold is settled by the length.
        8..=SHORT => [word(0), word(len - 8) >> 8 | mark],
        4..8 => [half(0) | half(len - 4) << 32, mark],
        1..4 => [u64::from(name[0]) | u64::from(name[len / 2]) << 8 | u64::from(name[len - 1]) << 16, mark],
        0 => [0, mark],
        _ => [hash_bytes(name), u64::MAX],
    }
}

#[inline]
fn hash_of(key: [u64; 2]) -> u64 {
    mix(mix(0x9E37_79B9_7F4A_7C15, key[0]), key[1])
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
    fn add(&mut self, key: [u64; 2], name: &str) -> Symbol {
        let start = self.text.len() as u32;
        self.text.push_str(name);
        self.spans.push((start, self.text.len() as u32));
        // At most half of the slots are taken: runs stay short.
        if 2 * self.spans.len() > self.slots.len() {
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

    /// The symbol for `name` if it was interned before.
    #[inline]
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.find(key_of(name.as_bytes()), name)
    }

    #[inline]
    fn find(&self, key: [u64; 2], name: &str) -> Option<Symbol> {
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
    pub fn name(&self, symbol: Symbol) -> &str {
        let (start, end) = self.spans[symbol.index()];
        &self.text[start as usize..end as usize]
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether nothing was interned yet.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
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
