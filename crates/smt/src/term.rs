//! Terms: what a node of the arena can be.

use crate::op::Op;
use crate::reserved;
use crate::sort::Sort;
use crate::symbol::Symbol;

/// A term of an [`crate::Arena`]; equal terms have equal ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub(crate) u32);

impl Term {
    /// The position in the arena, dense from zero: fit for indexing side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a literal is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Literal {
    /// An integer, `42`.
    Numeral,
    /// A real, always with a point: `42.0`.
    Decimal,
    /// `#x2A`
    Hex,
    /// `#b101`
    Binary,
    /// `(_ bv42 8)`; the text is `bv42`.
    BvDecimal,
    /// A string; the text stands between the quotes with `""` as one quote and escapes as written.
    String,
    /// `(_ char #x41)`; the text is `#x41`.
    Char,
    /// An element of a finite field, `(as ff3 F)` or `#f3m5`; the text is as written before the sort.
    Field,
}

/// What binds variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Binder {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `lambda`
    Lambda,
    /// `choice`: some value that makes the body true.
    Choice,
    /// `witness`: the older name of `choice`.
    Witness,
    /// `set.comprehension`, with a condition and an element.
    Comprehension,
}

impl Binder {
    /// The keyword of the binder.
    pub fn symbol(self) -> Symbol {
        match self {
            Binder::Forall => reserved::FORALL,
            Binder::Exists => reserved::EXISTS,
            Binder::Lambda => reserved::LAMBDA,
            Binder::Choice => reserved::CHOICE,
            Binder::Witness => reserved::WITNESS,
            Binder::Comprehension => reserved::COMPREHENSION,
        }
    }
}

/// An attribute of `(! t :keyword value)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Attribute {
    /// The keyword with its colon.
    pub keyword: Symbol,
    /// Its value.
    pub value: AttributeValue,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AttributeValue {
    /// None.
    None,
    /// Text that is kept as written.
    Text(Symbol),
    /// One term: a child of the annotated term, as the next variant's.
    Term,
    /// So many terms, in parentheses: they are children of the annotated term, after its body, in order.
    Terms(u32),
}

/// The pattern of a case of `match`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// A constructor with its variables (locals; the name `_` binds nothing).
    Constructor(Op, Box<[Term]>),
    /// A variable that takes any value.
    Variable(Term),
}

impl Pattern {
    /// The variables that the pattern binds, as local terms.
    pub fn variables(&self) -> &[Term] {
        match self {
            Pattern::Constructor(_, variables) => variables,
            Pattern::Variable(variable) => std::slice::from_ref(variable),
        }
    }
}

/// A term, taken apart one level.
#[derive(Clone, Copy, Debug)]
pub enum View<'a> {
    /// A literal and its text.
    Literal(Literal, Symbol),
    /// A variable bound by a quantifier, `let`, `match` or the parameters of a definition.
    Local(Symbol),
    /// An operator with its arguments.
    App(Op, &'a [Term]),
    /// `let`: the variables (locals), their values, the body.
    Let {
        /// The variables.
        names: &'a [Term],
        /// The values, one for each variable.
        values: &'a [Term],
        /// The body.
        body: Term,
    },
    /// A quantifier or another binder: the variables (locals) and the bodies (one, but for comprehensions two).
    Binder {
        /// What binds.
        kind: Binder,
        /// The variables.
        variables: &'a [Term],
        /// The bodies.
        bodies: &'a [Term],
    },
    /// `match`
    Match {
        /// The value that is matched.
        scrutinee: Term,
        /// The patterns.
        patterns: &'a [Pattern],
        /// The bodies, one for each pattern.
        bodies: &'a [Term],
    },
    /// `(! body :attribute …)`
    Annotated {
        /// The body.
        body: Term,
        /// The attributes.
        attributes: &'a [Attribute],
        /// The terms of the attributes, all together.
        terms: &'a [Term],
    },
}

/// The kinds of nodes, as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Literal(Literal),
    Local,
    App,
    Let,
    Binder(Binder),
    Match,
    Annotated,
}

/// A node of the arena.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) flags: u8,
    /// Operator, symbol or payload, by kind.
    pub(crate) head: u32,
    pub(crate) sort: Sort,
    /// Where its children begin; they end where the next node's begin.
    pub(crate) start: u32,
}

/// A local variable occurs inside (free or bound).
pub(crate) const HAS_LOCAL: u8 = 1;
/// A `let` occurs inside.
pub(crate) const HAS_LET: u8 = 2;
/// A quantifier or another binder, or a `match`, occurs inside.
pub(crate) const HAS_BINDER: u8 = 4;
/// An annotation occurs inside.
pub(crate) const HAS_ANNOTATION: u8 = 8;
