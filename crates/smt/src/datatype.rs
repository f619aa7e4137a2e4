//! Datatypes: constructors and their fields. Interned by structure, so that a printed and re-read declaration is the same.

use crate::hash::FixedState;
use crate::sort::Sort;
use crate::symbol::Symbol;
use std::collections::HashMap;

/// A datatype of a [`DatatypeTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DatatypeId(pub(crate) u32);

/// A datatype's declaration. Sorts of fields mention the parameters as parameter sorts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Datatype {
    /// The sort's name.
    pub name: Symbol,
    /// The sort parameters.
    pub params: Box<[Symbol]>,
    /// The sort that is declared: the name applied to the parameters.
    pub sort: Sort,
    /// The constructors.
    pub constructors: Box<[Constructor]>,
    /// Whether it was declared with `declare-codatatype(s)`, so that its values may be infinite.
    pub codatatype: bool,
}

/// A constructor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constructor {
    /// Its name.
    pub name: Symbol,
    /// Its fields: selector and sort.
    pub fields: Box<[(Symbol, Sort)]>,
}

/// All datatypes of an arena.
#[derive(Clone, Default)]
pub struct DatatypeTable {
    nodes: Vec<Datatype>,
    lookup: HashMap<Datatype, DatatypeId, FixedState>,
    /// The latest declaration of each name.
    by_name: HashMap<Symbol, DatatypeId, FixedState>,
}

impl DatatypeTable {
    /// Declares a datatype; the same declaration gives the same id.
    pub fn declare(&mut self, datatype: Datatype) -> DatatypeId {
        let name = datatype.name;
        let nodes = &mut self.nodes;
        let id = *self.lookup.entry(datatype).or_insert_with_key(|datatype| {
            nodes.push(datatype.clone());
            DatatypeId(nodes.len() as u32 - 1)
        });
        self.by_name.insert(name, id);
        id
    }

    /// A datatype's declaration.
    pub fn get(&self, id: DatatypeId) -> &Datatype {
        &self.nodes[id.0 as usize]
    }

    /// The datatype that was last declared under `name`.
    pub fn named(&self, name: Symbol) -> Option<DatatypeId> {
        self.by_name.get(&name).copied()
    }
}
