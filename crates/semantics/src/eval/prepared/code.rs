//! What terms are prepared into: nodes that know which kind of value they give, with everything about the operator resolved.
//!
//! Truths, integers of a machine word and bit-vectors of up to 64 bits are computed as such; all else as a [`Value`].

use std::collections::HashMap;

use smt::{FixedState, Op, Term};

use crate::data::Value;
use crate::eval::rule::Rule;

/// The index of a node among those of its kind.
pub(super) type NodeId = u32;

/// A node of some kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeRef {
    /// It gives a truth.
    Bool(NodeId),
    /// It gives an integer that fits a word.
    Int(NodeId),
    /// It gives a bit-vector of this width.
    BitVec(NodeId, u8),
    /// It gives any value.
    Value(NodeId),
}

/// A list of operands.
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

/// A node whose value is used several times: where the value is memoized, and the binding level that it depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memoized {
    pub(super) inner: NodeId,
    pub(super) memo: u32,
    pub(super) level: u16,
}

/// Dispatch any node can come to its value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// A constant symbol.
    Symbol(Op),
    /// A variable, by its index in the frame.
    Param(u32),
    /// An operator or function without a node of its own: the index of the use.
    Application(u32),
    /// A value that is memoized.
    Memoized(Memoized),
    /// What is not prepared: the machine evaluates it.
    Machine(Term),
}

/// Nodes that give a truth.
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
    /// On numbers of sort Real.
    RealLe(NodeId, NodeId),
    RealLt(NodeId, NodeId),
    /// Whether a datatype's value is made by this constructor.
    Tester(NodeId, u32),
    /// Whether all or some of the instances hold: the index of the quantifier.
    Quantified(u32),
}

/// Nodes that give an integer.
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

/// Nodes that give a bit-vector.
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
    /// With the width of the second.
    Concat(NodeId, NodeId, u8),
    /// With the lowest bit.
    Extract(NodeId, u8),
    ZeroExtend(NodeId),
    /// With the width of the argument.
    SignExtend(NodeId, u8),
    Comp(NodeId, NodeId),
    Ite(NodeId, NodeId, NodeId),
}

/// Nodes that give any value.
#[derive(Clone, Copy, Debug)]
pub(super) enum ValueNode {
    From(Source),
    /// The index of the literal.
    Constant(u32),
    Ite(NodeId, NodeId, NodeId),
    /// Numbers of sort Real.
    RealAdd(Operands),
    RealMul(Operands),
    RealSub(NodeId, NodeId),
    RealNeg(NodeId),
    /// Of an integer.
    ToReal(NodeId),
}

/// Dispatch an operator without a node of its own is applied.
#[derive(Clone, Copy)]
pub(super) enum Dispatch {
    /// By its rule.
    Rule(Rule),
    /// An array is read.
    Select,
    /// A field of a constructor.
    Field(u32, u32),
    /// A function of the script or of the model is called.
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
    /// The truth of an instance that decides the whole.
    pub(super) deciding: bool,
    pub(super) body: NodeId,
    /// Whether it mentions no variable from outside.
    pub(super) closed: bool,
    /// Dispatch many nodes the body has.
    pub(super) size: u32,
}

/// The definition of a symbol, prepared.
#[derive(Clone, Debug)]
pub(super) struct PreparedDefinition {
    pub(super) params: std::sync::Arc<[Term]>,
    pub(super) body: Term,
    pub(super) prepared: Option<PreparedBody>,
}

/// The body of a definition: what it is, whether it is the same for all arguments, dispatch deep it nests and dispatch many nodes it has.
#[derive(Clone, Copy, Debug)]
pub(super) struct PreparedBody {
    pub(super) node: NodeRef,
    pub(super) constant: bool,
    pub(super) depth: u32,
    pub(super) size: u32,
}

/// All nodes. They belong to an arena and to no model.
#[derive(Default)]
pub(super) struct Code {
    /// Whether integers are values, of any size.
    pub(super) wide: bool,
    pub(super) bools: Vec<BoolNode>,
    pub(super) ints: Vec<IntNode>,
    /// With their widths.
    pub(super) bitvecs: Vec<(BitVecNode, u8)>,
    pub(super) values: Vec<ValueNode>,
    /// Operands of nodes whose operands are of one kind.
    pub(super) lists: Vec<NodeId>,
    /// Operands of applications.
    pub(super) nodes: Vec<NodeRef>,
    pub(super) applications: Vec<Application>,
    pub(super) quantified: Vec<Quantified>,
    pub(super) literals: Vec<Value>,
    /// By operator.
    pub(super) definitions: Vec<Option<Box<PreparedDefinition>>>,
    /// Truths, integers and words that are memoized, each with the serial number of the binding that it holds for.
    pub(super) memo_words: Vec<(u64, u64)>,
    /// Other values that are memoized.
    pub(super) memo_values: Vec<(u64, Value)>,
    /// What terms without local variables were prepared into.
    pub(super) ground: HashMap<Term, NodeRef, FixedState>,
    /// What is to be known of each node while others are prepared: whether it has a user, the binding level that it depends
    /// on, and its height.
    pub(super) infos: [Vec<NodeInfo>; 4],
}

/// What is known of a node while others are prepared.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeInfo {
    pub(super) used: bool,
    pub(super) level: u16,
    /// Dispatch deep nodes nest in it.
    pub(super) height: u32,
}
