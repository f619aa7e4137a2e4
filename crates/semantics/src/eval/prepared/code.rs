//! What terms are prepared into: nodes that know which kind of value they give, with everything about the operator resolved.
//!
//! Truths, integers of a machine word and bit-vectors of up to 64 bits are computed as such; all else as a [`Value`].

use std::collections::HashMap;

use smt::{FixedState, Op, Term};

use crate::data::Value;
use crate::eval::rule::Rule;

/// The place of a node among those of its kind.
pub(super) type At = u32;

/// A node of some kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// It gives a truth.
    Truth(At),
    /// It gives an integer that fits a word.
    Int(At),
    /// It gives a bit-vector of this width.
    Word(At, u8),
    /// It gives any value.
    Value(At),
}

/// A run of operands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Run {
    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// A node whose value is used several times: where the value is kept, and the binding level that it depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    pub(super) inner: At,
    pub(super) memo: u32,
    pub(super) level: u16,
}

/// How any node can come to its value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Any {
    /// A constant symbol.
    Symbol(Op),
    /// A variable, by its place in the frame.
    Param(u32),
    /// An operator or function without a node of its own: the place of the use.
    Used(u32),
    /// A value that is kept.
    Kept(Kept),
    /// What is not prepared: the machine evaluates it.
    Left(Term),
}

/// Nodes that give a truth.
#[derive(Clone, Copy, Debug)]
pub(super) enum Truth {
    Any(Any),
    Constant(bool),
    Not(At),
    And(Run),
    Or(Run),
    Implies(Run),
    Xor(At, At),
    Ite(At, At, At),
    TruthsAgree(At, At),
    IntsAgree(At, At),
    WordsAgree(At, At),
    ValuesAgree(At, At),
    IntAtMost(At, At),
    IntBelow(At, At),
    WordAtMost(At, At),
    WordBelow(At, At),
    /// With the width.
    SignedAtMost(At, At, u8),
    SignedBelow(At, At, u8),
    /// On numbers of sort Real.
    RealAtMost(At, At),
    RealBelow(At, At),
    /// Whether a datatype's value is made by this constructor.
    Tester(At, u32),
    /// Whether all or some of the instances hold: the place of the quantifier.
    Quantified(u32),
}

/// Nodes that give an integer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Int {
    Any(Any),
    Constant(i64),
    Add(Run),
    Sub(At, At),
    Neg(At),
    Mul(Run),
    Div(At, At),
    Mod(At, At),
    Abs(At),
    Ite(At, At, At),
    /// `ubv_to_int`
    Unsigned(At),
    /// `str.len`
    Length(At),
}

/// Nodes that give a bit-vector.
#[derive(Clone, Copy, Debug)]
pub(super) enum Word {
    Any(Any),
    Constant(u64),
    And(Run),
    Or(Run),
    Xor(Run),
    Add(Run),
    Mul(Run),
    Not(At),
    Neg(At),
    Sub(At, At),
    UnsignedDiv(At, At),
    UnsignedRem(At, At),
    ShiftLeft(At, At),
    ShiftRight(At, At),
    ShiftRightSigned(At, At),
    /// With the width of the second.
    Concat(At, At, u8),
    /// With the lowest bit.
    Extract(At, u8),
    ZeroExtend(At),
    /// With the width of the argument.
    SignExtend(At, u8),
    Same(At, At),
    Ite(At, At, At),
}

/// Nodes that give any value.
#[derive(Clone, Copy, Debug)]
pub(super) enum General {
    Any(Any),
    /// The place of the literal.
    Constant(u32),
    Ite(At, At, At),
    /// Numbers of sort Real.
    RealAdd(Run),
    RealMul(Run),
    RealSub(At, At),
    RealNeg(At),
    /// Of an integer.
    ToReal(At),
}

/// How an operator without a node of its own is applied.
#[derive(Clone, Copy)]
pub(super) enum How {
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
pub(super) struct Use {
    pub(super) how: How,
    pub(super) op: Op,
    pub(super) term: Term,
    pub(super) args: Run,
}

/// A quantifier over finite sorts.
#[derive(Clone, Debug)]
pub(super) struct Quantified {
    pub(super) term: Term,
    /// The truth of an instance that decides the whole.
    pub(super) deciding: bool,
    pub(super) body: At,
    /// Whether it mentions no variable from outside.
    pub(super) closed: bool,
    /// How many nodes the body has.
    pub(super) size: u32,
}

/// The definition of a symbol, prepared.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub(super) params: std::sync::Arc<[Term]>,
    pub(super) body: Term,
    pub(super) prepared: Option<Body>,
}

/// The body of a definition: what it is, whether it is the same for all arguments, how deep it nests and how many nodes it has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub(super) part: Part,
    pub(super) constant: bool,
    pub(super) depth: u32,
    pub(super) size: u32,
}

/// All nodes. They belong to an arena and to no model.
#[derive(Default)]
pub(super) struct Code {
    /// Whether integers are values, of any size.
    pub(super) wide: bool,
    pub(super) truths: Vec<Truth>,
    pub(super) ints: Vec<Int>,
    /// With their widths.
    pub(super) words: Vec<(Word, u8)>,
    pub(super) values: Vec<General>,
    /// Operands of nodes whose operands are of one kind.
    pub(super) lists: Vec<At>,
    /// Operands of uses.
    pub(super) parts: Vec<Part>,
    pub(super) uses: Vec<Use>,
    pub(super) quantified: Vec<Quantified>,
    pub(super) literals: Vec<Value>,
    /// By operator.
    pub(super) units: Vec<Option<Box<Unit>>>,
    /// Truths, integers and words that are kept, each with the serial number of the binding that it holds for.
    pub(super) kept_words: Vec<(u64, u64)>,
    /// Other values that are kept.
    pub(super) kept_values: Vec<(u64, Value)>,
    /// What terms without local variables were prepared into.
    pub(super) ground: HashMap<Term, Part, FixedState>,
    /// What is to be known of each node while others are prepared: whether it has a user, the binding level that it depends
    /// on, and its height.
    pub(super) notes: [Vec<Note>; 4],
}

/// What is known of a node while others are prepared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Note {
    pub(super) used: bool,
    pub(super) level: u16,
    /// How deep nodes nest in it.
    pub(super) height: u32,
}
