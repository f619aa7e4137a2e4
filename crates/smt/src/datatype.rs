//! Datatypes. They are interned by structure, so a declaration that is printed and parsed again gets the same id.

use crate::hash::FixedState;
use crate::sort::Sort;
use crate::symbol::Symbol;
use std::collections::HashMap;

/// A datatype of an arena. [`Arena::datatype`](crate::Arena::datatype) returns its declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DatatypeId(pub(crate) u32);

/// The declaration of a datatype. Field sorts refer to the parameters as parameter sorts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Datatype {
    /// The name of the sort.
    pub name: Symbol,
    /// The sort parameters.
    pub params: Box<[Symbol]>,
    /// The declared sort: the name applied to the parameters.
    pub sort: Sort,
    /// The constructors.
    pub constructors: Box<[Constructor]>,
    /// Whether it is a codatatype, whose values may be infinite.
    pub codatatype: bool,
}

/// A constructor of a datatype.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constructor {
    /// The name.
    pub name: Symbol,
    /// The fields: selector and sort.
    pub fields: Box<[(Symbol, Sort)]>,
}

/// All datatypes of an arena.
#[derive(Clone, Default)]
pub(crate) struct DatatypeTable {
    nodes: Vec<Datatype>,
    lookup: HashMap<Datatype, DatatypeId, FixedState>,
    /// The latest declaration of each name.
    by_name: HashMap<Symbol, DatatypeId, FixedState>,
}

impl DatatypeTable {
    /// Declares a datatype; an identical declaration gets the same id.
    pub(crate) fn declare(&mut self, datatype: Datatype) -> DatatypeId {
        let name = datatype.name;
        let nodes = &mut self.nodes;
        let id = *self.lookup.entry(datatype).or_insert_with_key(|datatype| {
            nodes.push(datatype.clone());
            DatatypeId(nodes.len() as u32 - 1)
        });
        self.by_name.insert(name, id);
        id
    }

    /// The declaration of a datatype.
    pub(crate) fn get(&self, id: DatatypeId) -> &Datatype {
        &self.nodes[id.0 as usize]
    }

    /// The latest datatype declared as `name`.
    pub(crate) fn named(&self, name: Symbol) -> Option<DatatypeId> {
        self.by_name.get(&name).copied()
    }
}
