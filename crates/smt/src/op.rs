//! Operators as terms use them: a name, its indices, and what it was resolved to.

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
    /// The position in the table, dense from zero.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an operator is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OpKind {
    /// An operator of a theory: the place of its rank in [`crate::Signatures::declarations`].
    Theory(u32),
    /// A function or constant that the script declares or defines.
    Function {
        /// The argument sorts.
        args: Box<[Sort]>,
        /// The result's sort.
        result: Sort,
    },
    /// A constructor of a datatype, by its number.
    Constructor(DatatypeId, u32),
    /// A selector: datatype, constructor, field.
    Selector(DatatypeId, u32, u32),
    /// A tester, `(_ is c)` or the older `is-c`.
    Tester(DatatypeId, u32),
    /// An updater of a field, `(_ update field)`.
    Updater(DatatypeId, u32, u32),
    /// A function value applied to arguments: `(f x)` with `f` a variable, or a partial application.
    Apply,
    /// A function symbol used as a value.
    FunctionValue(Op),
    /// Z3's `(_ map f)`: a function lifted to arrays.
    Map(Op),
    /// cvc5's tuples: construction.
    Tuple,
    /// cvc5's tuples: a component.
    TupleSelect,
    /// cvc5's tuples: an update of a component.
    TupleUpdate,
    /// cvc5's tuples: a choice of components.
    TupleProject,
    /// A name with a sort ascription whose meaning only the solver knows, such as an abstract value `(as @U_0 U)`.
    Opaque,
}

/// An operator with its name as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OpNode {
    /// The name.
    pub name: Symbol,
    /// The indices after the name.
    pub indices: Box<[Index]>,
    /// The sort of `(as name SORT)`.
    pub ascription: Option<Sort>,
    /// What it was resolved to.
    pub kind: OpKind,
}

/// All operators of an arena.
#[derive(Clone, Default)]
pub struct OpTable {
    nodes: Vec<OpNode>,
    lookup: HashTable<u32>,
}

impl OpTable {
    /// The id of an operator, new or known.
    pub fn intern(&mut self, node: OpNode) -> Op {
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

    /// What an operator is.
    pub fn node(&self, op: Op) -> &OpNode {
        &self.nodes[op.index()]
    }
}

fn hash_node(node: &OpNode) -> u64 {
    let mut hasher = FixedHasher::default();
    node.hash(&mut hasher);
    hasher.finish()
}
