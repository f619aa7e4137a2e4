//! The form of prepared terms: nodes with a known kind of value and a resolved operator.
//!
//! Booleans, integers that fit an `i64` and bit-vectors of up to 64 bits are computed unboxed, everything else as a [`Value`].

use std::collections::HashMap;

use smt::{FixedState, Op, Term};

use crate::data::Value;
use crate::eval::rule::Rule;

/// The index of a node among the nodes of its kind.
pub(super) type NodeId = u32;

/// A node of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeRef {
    /// A Boolean.
    Bool(NodeId),
    /// An integer that fits an `i64`.
    Int(NodeId),
    /// A bit-vector of this width.
    BitVec(NodeId, u8),
    /// Any value.
    Value(NodeId),
}

/// A list of operands, as a range of [`Code::lists`] or [`Code::nodes`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Operands {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Operands {
    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// A node whose value is used several times: the memo slot, and the binding level that the value depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memoized {
    pub(super) inner: NodeId,
    pub(super) memo: u32,
    pub(super) level: u16,
}

/// Where a node of any kind can take its value from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// A constant symbol.
    Symbol(Op),
    /// A variable, by its index in the frame.
    Param(u32),
    /// An application without a specialized node, by its index.
    Application(u32),
    /// A memoized value.
    Memoized(Memoized),
    /// A term that is not prepared: the machine evaluates it.
    Machine(Term),
}

/// Boolean nodes.
#[derive(Clone, Copy, Debug)]
pub(super) enum BoolNode {
    From(Source),
    Constant(bool),
    Not(NodeId),
    And(Operands),
    Or(Operands),
    Implies(Operands),
    Xor(NodeId, NodeId),
    Ite(NodeId, NodeId, NodeId),
    BoolEq(NodeId, NodeId),
    IntEq(NodeId, NodeId),
    BvEq(NodeId, NodeId),
    ValueEq(NodeId, NodeId),
    IntLe(NodeId, NodeId),
    IntLt(NodeId, NodeId),
    BvUle(NodeId, NodeId),
    BvUlt(NodeId, NodeId),
    /// With the width.
    BvSle(NodeId, NodeId, u8),
    BvSlt(NodeId, NodeId, u8),
    /// On rationals of sort Real.
    RealLe(NodeId, NodeId),
    RealLt(NodeId, NodeId),
    /// Whether a datatype value has this constructor.
    Tester(NodeId, u32),
    /// A quantifier, by its index.
    Quantified(u32),
}

/// Integer nodes.
#[derive(Clone, Copy, Debug)]
pub(super) enum IntNode {
    From(Source),
    Constant(i64),
    Add(Operands),
    Sub(NodeId, NodeId),
    Neg(NodeId),
    Mul(Operands),
    Div(NodeId, NodeId),
    Mod(NodeId, NodeId),
    Abs(NodeId),
    Ite(NodeId, NodeId, NodeId),
    /// `ubv_to_int`
    Unsigned(NodeId),
    /// `str.len`
    Length(NodeId),
}

/// Bit-vector nodes.
#[derive(Clone, Copy, Debug)]
pub(super) enum BitVecNode {
    From(Source),
    Constant(u64),
    And(Operands),
    Or(Operands),
    Xor(Operands),
    Add(Operands),
    Mul(Operands),
    Not(NodeId),
    Neg(NodeId),
    Sub(NodeId, NodeId),
    Udiv(NodeId, NodeId),
    Urem(NodeId, NodeId),
    Shl(NodeId, NodeId),
    Lshr(NodeId, NodeId),
    Ashr(NodeId, NodeId),
    /// With the width of the second operand.
    Concat(NodeId, NodeId, u8),
    /// With the lowest bit.
    Extract(NodeId, u8),
    ZeroExtend(NodeId),
    /// With the width of the argument.
    SignExtend(NodeId, u8),
    Comp(NodeId, NodeId),
    Ite(NodeId, NodeId, NodeId),
}

/// Nodes with any other value.
#[derive(Clone, Copy, Debug)]
pub(super) enum ValueNode {
    From(Source),
    /// A literal, by its index.
    Constant(u32),
    Ite(NodeId, NodeId, NodeId),
    /// Rational arithmetic of sort Real.
    RealAdd(Operands),
    RealMul(Operands),
    RealSub(NodeId, NodeId),
    RealNeg(NodeId),
    /// From an integer.
    ToReal(NodeId),
}

/// How to evaluate an application without a specialized node.
#[derive(Clone, Copy)]
pub(super) enum Dispatch {
    /// By its rule.
    Rule(Rule),
    /// Read an array.
    Select,
    /// Select a field: constructor and field.
    Field(u32, u32),
    /// Call a function of the script or the model.
    Call,
}

/// An operator with its operands.
#[derive(Clone, Copy)]
pub(super) struct Application {
    pub(super) dispatch: Dispatch,
    pub(super) op: Op,
    pub(super) term: Term,
    pub(super) args: Operands,
}

/// A quantifier over finite sorts.
#[derive(Clone, Debug)]
pub(super) struct Quantified {
    pub(super) term: Term,
    /// The truth value of an instance that decides the quantifier.
    pub(super) deciding: bool,
    pub(super) body: NodeId,
    /// Whether it has no free variables.
    pub(super) closed: bool,
    /// The number of nodes of the body.
    pub(super) size: u32,
}

/// The definition of a symbol, prepared.
#[derive(Clone, Debug)]
pub(super) struct PreparedDefinition {
    pub(super) params: std::sync::Arc<[Term]>,
    pub(super) body: Term,
    pub(super) prepared: Option<PreparedBody>,
}

/// The prepared body of a definition. `constant` says whether it ignores the arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct PreparedBody {
    pub(super) node: NodeRef,
    pub(super) constant: bool,
    pub(super) depth: u32,
    pub(super) size: u32,
}

/// All nodes. They depend on the arena but not on a model.
#[derive(Default)]
pub(super) struct Code {
    /// Whether integers are unbounded, computed as values.
    pub(super) wide: bool,
    pub(super) bools: Vec<BoolNode>,
    pub(super) ints: Vec<IntNode>,
    /// With their widths.
    pub(super) bitvecs: Vec<(BitVecNode, u8)>,
    pub(super) values: Vec<ValueNode>,
    /// Operands of nodes whose operands have one kind.
    pub(super) lists: Vec<NodeId>,
    /// Operands of applications.
    pub(super) nodes: Vec<NodeRef>,
    pub(super) applications: Vec<Application>,
    pub(super) quantified: Vec<Quantified>,
    pub(super) literals: Vec<Value>,
    /// By operator.
    pub(super) definitions: Vec<Option<Box<PreparedDefinition>>>,
    /// Memoized Booleans, integers and bit-vectors, each with the serial number of the binding that it is valid for.
    pub(super) memo_words: Vec<(u64, u64)>,
    /// Other memoized values.
    pub(super) memo_values: Vec<(u64, Value)>,
    /// The nodes of ground terms.
    pub(super) ground: HashMap<Term, NodeRef, FixedState>,
    /// Facts about each node, by kind, that preparing other nodes needs.
    pub(super) infos: [Vec<NodeInfo>; 4],
}

/// Facts about a node that preparing other nodes needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeInfo {
    pub(super) used: bool,
    pub(super) level: u16,
    /// The nesting depth of the node.
    pub(super) height: u32,
}
