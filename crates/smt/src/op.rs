//! Operators: a name, its indices, and what they resolve to.

use crate::datatype::DatatypeId;
use crate::hash::FixedHasher;
use crate::sort::{Index, Sort};
use crate::symbol::Symbol;
use hashbrown::HashTable;
use std::hash::{Hash, Hasher};

/// A resolved operator of an [`crate::Arena`]; equal operators have equal ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Op(pub(crate) u32);

impl Op {
    /// The index in the arena, dense from zero: suitable for side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an operator resolves to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OpKind {
    /// A theory operator: the index of its rank in [`crate::Signatures::declarations`].
    Theory(u32),
    /// A function or constant that the script declares or defines.
    Function {
        /// The argument sorts.
        args: Box<[Sort]>,
        /// The result sort.
        result: Sort,
    },
    /// A constructor: datatype and constructor index.
    Constructor(DatatypeId, u32),
    /// A selector: datatype, constructor index, field index.
    Selector(DatatypeId, u32, u32),
    /// A tester, `(_ is c)` or the older `is-c`: datatype and constructor index.
    Tester(DatatypeId, u32),
    /// A field update, `(_ update field)`: datatype, constructor index, field index.
    Updater(DatatypeId, u32, u32),
    /// A function value applied to arguments: `(f x)` where `f` is a variable, or a partial application.
    Apply,
    /// A function symbol used as a value.
    FunctionValue(Op),
    /// A function applied elementwise to arrays, `(_ map f)`.
    Map(Op),
    /// A tuple.
    Tuple,
    /// A component of a tuple.
    TupleSelect,
    /// A tuple with one component replaced.
    TupleUpdate,
    /// A projection of a tuple to some components.
    TupleProject,
    /// A constant with a sort whose value only the solver knows, such as the abstract value `(as @U_0 U)`.
    Opaque,
}

/// An operator with its identifier, as [`Arena::op`](crate::Arena::op) returns it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct OpNode {
    /// The name.
    pub name: Symbol,
    /// The indices of `(_ name index …)`.
    pub indices: Box<[Index]>,
    /// The sort of `(as name SORT)`.
    pub ascription: Option<Sort>,
    /// What it resolves to.
    pub kind: OpKind,
}

/// All operators of an arena.
#[derive(Clone, Default)]
pub(crate) struct OpTable {
    nodes: Vec<OpNode>,
    lookup: HashTable<u32>,
}

impl OpTable {
    /// Interns an operator.
    pub(crate) fn intern(&mut self, node: OpNode) -> Op {
        let hash = hash_node(&node);
        if let Some(&found) = self.lookup.find(hash, |&id| self.nodes[id as usize] == node) {
            return Op(found);
        }
        let id = self.nodes.len() as u32;
        self.nodes.push(node);
        let nodes = &self.nodes;
        self.lookup.insert_unique(hash, id, |&id| hash_node(&nodes[id as usize]));
        Op(id)
    }

    /// The contents of an operator.
    pub(crate) fn node(&self, op: Op) -> &OpNode {
        &self.nodes[op.index()]
    }
}

fn hash_node(node: &OpNode) -> u64 {
    let mut hasher = FixedHasher::default();
    node.hash(&mut hasher);
    hasher.finish()
}
