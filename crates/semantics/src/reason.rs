//! Why a term has no value that can be relied on.

use smt::{Arena, Op, OpKind, Term};

use crate::value::limits::Undetermined;

/// Why a term has no value that can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// Computing it would cost more than the limits allow.
    TooLarge(&'static str),
    /// The standard leaves the value open and the model does not say it; the term where that happened.
    Open(&'static str, Option<Term>),
    /// The model does not say what a symbol stands for; the term where that was needed.
    Missing(Op, Option<Term>),
    /// The model's definition of a symbol could not be read.
    Unreadable(Op),
    /// No rule evaluates an operator.
    NoRule(Op),
    /// A quantifier over a domain that is too large to go through, and no instance decides it.
    Quantifier(Term),
    /// A term such as `choice` that may have several values.
    Choice(Term),
    /// A local variable without a value.
    Free(Term),
    /// A variable that may have any value.
    Any,
    /// A literal that stands for no value, such as a string with a character beyond the standard's.
    Literal(Term),
    /// Arguments of a kind that the rule does not know. This points at a mistake in Elenchus or in a signature file.
    BadArguments(Option<Term>),
}

impl Reason {
    /// The same reason with the term where it arose, if it does not name one yet.
    pub(crate) fn at(self, term: Term) -> Reason {
        match self {
            Reason::Open(what, None) => Reason::Open(what, Some(term)),
            Reason::Missing(op, None) => Reason::Missing(op, Some(term)),
            Reason::BadArguments(None) => Reason::BadArguments(Some(term)),
            other => other,
        }
    }

    /// The term whose value the model does not say, where a solver can be asked for it.
    pub fn missing_term(&self) -> Option<Term> {
        match self {
            Reason::Open(_, term) | Reason::Missing(_, term) => *term,
            _ => None,
        }
    }

    /// The reason in words.
    pub fn text(&self, arena: &Arena) -> String {
        let short = |term: &Term| shorten(&arena.term_text(*term));
        match self {
            Reason::TooLarge(what) => format!("too large: {what}"),
            Reason::Open(what, None) => format!("left open by the standard: {what}"),
            Reason::Open(what, Some(term)) => {
                format!("left open by the standard: {what}, in {}", short(term))
            }
            Reason::Missing(op, _) => format!("the model does not define `{}`", arena.op_name(*op)),
            Reason::Unreadable(op) => {
                format!("the model's definition of `{}` could not be read", arena.op_name(*op))
            }
            Reason::NoRule(op) => match unevaluated(arena, *op) {
                Some(why) => format!("`{}` is not evaluated: {why}", arena.op_name(*op)),
                None => format!("`{}` is not evaluated", arena.op_name(*op)),
            },
            Reason::Quantifier(term) => format!("a quantifier that no instance decides: {}", short(term)),
            Reason::Choice(term) => format!("a term that may have several values: {}", short(term)),
            Reason::Free(term) => format!("the variable `{}` has no value here", short(term)),
            Reason::Any => "a variable that may have any value".to_owned(),
            Reason::Literal(term) => format!("a literal that stands for no value: {}", short(term)),
            Reason::BadArguments(Some(term)) => format!("arguments of an unexpected kind in {}", short(term)),
            Reason::BadArguments(None) => "arguments of an unexpected kind".to_owned(),
        }
    }
}

/// What the signature table says about an operator without a rule.
fn unevaluated(arena: &Arena, op: Op) -> Option<&str> {
    match arena.op(op).kind {
        OpKind::Theory(id) => arena.signatures().declarations[id as usize].unevaluated.as_deref(),
        _ => None,
    }
}

/// The beginning of a text that may be long.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(100) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

impl From<Undetermined> for Reason {
    fn from(reason: Undetermined) -> Reason {
        match reason {
            Undetermined::TooLarge(what) => Reason::TooLarge(what),
            Undetermined::Open(what) => Reason::Open(what, None),
        }
    }
}

/// The value of a term, or the reason for having none.
pub type Outcome<T> = Result<T, Reason>;
