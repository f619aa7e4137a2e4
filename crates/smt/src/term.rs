//! Terms: the nodes of an arena.

use crate::op::Op;
use crate::reserved;
use crate::sort::Sort;
use crate::symbol::Symbol;

/// A term of an [`crate::Arena`]; equal terms have equal ids.
///
/// ```
/// use elenchus_smt::{Arena, View, parse_script};
///
/// let mut arena = Arena::default();
/// let script = parse_script(&mut arena, "(declare-const x Int) (assert (= (+ x 1) 3))").unwrap();
/// let equation = script.assertions().next().unwrap();
/// let View::App(op, &[sum, three]) = arena.view(equation) else { panic!("not an application") };
/// assert_eq!(arena.op_name(op), "=");
/// assert_eq!(arena.term_text(sum), "(+ x 1)");
/// assert_eq!(arena.sort_text(arena.sort(three)), "Int");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub(crate) u32);

impl Term {
    /// The index in the arena, dense from zero: suitable for side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The syntax of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Literal {
    /// An integer, `42`.
    Numeral,
    /// A real, always with a decimal point: `42.0`.
    Decimal,
    /// `#x2A`
    Hex,
    /// `#b101`
    Binary,
    /// `(_ bv42 8)`; the text is `bv42`.
    BvDecimal,
    /// A string; the text is unquoted, with `""` as one quote and other escapes verbatim.
    String,
    /// `(_ char #x41)`; the text is `#x41`.
    Char,
    /// A finite field element, `(as ff3 F)` or `#f3m5`; the text is `ff3` or `#f3m5`.
    Field,
}

/// A binder of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Binder {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `lambda`
    Lambda,
    /// `choice`: some value that satisfies the body.
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
    /// No value.
    None,
    /// Any s-expression, verbatim.
    Text(Symbol),
    /// One term, a child of the annotated term.
    Term,
    /// A parenthesised list of this many terms, children of the annotated term after its body.
    Terms(u32),
}

/// The pattern of a `match` case.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// A constructor and its variables, as local terms; the name `_` binds nothing.
    Constructor(Op, Box<[Term]>),
    /// A variable that matches any value.
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

/// A term, destructured by one level.
#[derive(Clone, Copy, Debug)]
pub enum View<'a> {
    /// A literal and its text.
    Literal(Literal, Symbol),
    /// A variable bound by a quantifier, a `let`, a `match` or a definition.
    Local(Symbol),
    /// An operator with its arguments.
    App(Op, &'a [Term]),
    /// A `let` with its variables (local terms), their values, and the body.
    Let {
        /// The variables.
        names: &'a [Term],
        /// The values, one per variable.
        values: &'a [Term],
        /// The body.
        body: Term,
    },
    /// A quantifier or another binder, with variables (local terms) and bodies (two for a comprehension, otherwise one).
    Binder {
        /// The binder.
        kind: Binder,
        /// The variables.
        variables: &'a [Term],
        /// The bodies.
        bodies: &'a [Term],
    },
    /// `match`
    Match {
        /// The matched term.
        scrutinee: Term,
        /// The patterns.
        patterns: &'a [Pattern],
        /// The bodies, one per pattern.
        bodies: &'a [Term],
    },
    /// `(! body :attribute …)`
    Annotated {
        /// The body.
        body: Term,
        /// The attributes.
        attributes: &'a [Attribute],
        /// The terms of all attributes.
        terms: &'a [Term],
    },
}

/// The kind of a node.
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
    /// An operator, symbol or payload id, depending on the kind.
    pub(crate) head: u32,
    pub(crate) sort: Sort,
    /// The start of its children, which end at the start of the next node's.
    pub(crate) start: u32,
}

/// The term contains a local variable, free or bound.
pub(crate) const HAS_LOCAL: u8 = 1;
/// The term contains a `let`.
pub(crate) const HAS_LET: u8 = 2;
/// The term contains a quantifier, another binder or a `match`.
pub(crate) const HAS_BINDER: u8 = 4;
/// The term contains an annotation.
pub(crate) const HAS_ANNOTATION: u8 = 8;
