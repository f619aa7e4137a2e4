//! Interned names. A [`Symbol`] is a small integer; its text lives once in a [`SymbolTable`].

use crate::hash::hash_bytes;
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
    /// Where each symbol's text ends; it begins where the one before ends.
    ends: Vec<u32>,
    lookup: HashTable<u32>,
}

impl SymbolTable {
    /// The symbol for `name`, new or known.
    pub fn intern(&mut self, name: &str) -> Symbol {
        let hash = hash_bytes(name.as_bytes());
        if let Some(&found) = self.lookup.find(hash, |&id| text_of(&self.text, &self.ends, id) == name) {
            return Symbol(found);
        }
        let id = self.ends.len() as u32;
        self.text.push_str(name);
        self.ends.push(self.text.len() as u32);
        let (text, ends) = (&self.text, &self.ends);
        self.lookup.insert_unique(hash, id, |&id| hash_bytes(text_of(text, ends, id).as_bytes()));
        Symbol(id)
    }

    /// The symbol for `name` if it was interned before.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        let hash = hash_bytes(name.as_bytes());
        self.lookup.find(hash, |&id| text_of(&self.text, &self.ends, id) == name).map(|&id| Symbol(id))
    }

    /// The text of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        text_of(&self.text, &self.ends, symbol.0)
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether nothing was interned yet.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

fn text_of<'a>(text: &'a str, ends: &[u32], id: u32) -> &'a str {
    let start = if id == 0 { 0 } else { ends[id as usize - 1] as usize };
    &text[start..ends[id as usize] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_is_the_same_symbol() {
        let mut table = SymbolTable::default();
        let names = ["", "a", "ab", "x!1", "|", "a"];
        let symbols: Vec<_> = names.iter().map(|name| table.intern(name)).collect();
        assert_eq!(symbols[1], symbols[5]);
        assert_eq!(table.len(), 5);
        for (name, symbol) in names.iter().zip(symbols) {
            assert_eq!(table.name(symbol), *name);
            assert_eq!(table.get(name), Some(symbol));
        }
        assert_eq!(table.get("b"), None);
    }
}
