//! Why a term is undetermined.

use smt::{Arena, Op, OpKind, Term};

use crate::value::limits::Undetermined;

/// Why a term is undetermined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// Computing it would cost more than the limits allow.
    TooLarge(&'static str),
    /// The standard leaves the value open and the model does not define it; with the term where that happened.
    Open(&'static str, Option<Term>),
    /// The model does not define a symbol; with the term that needed it.
    Missing(Op, Option<Term>),
    /// The model's definition of a symbol is unreadable.
    Unreadable(Op),
    /// There is no rule for an operator.
    NoRule(Op),
    /// A quantifier over a domain that is too large to enumerate, and no instance decides it.
    Quantifier(Term),
    /// A term such as `choice` that may have several values.
    Choice(Term),
    /// A local variable without a value.
    Free(Term),
    /// An arbitrary value of a variable.
    Any,
    /// A literal without a value, such as a string with a character that the standard does not have.
    Literal(Term),
    /// Arguments that the rule does not expect. This indicates a bug in Elenchus or in a signature file.
    BadArguments(Option<Term>),
}

impl Reason {
    /// Adds the term where the reason arose, unless it already names one.
    pub(crate) fn at(self, term: Term) -> Reason {
        match self {
            Reason::Open(what, None) => Reason::Open(what, Some(term)),
            Reason::Missing(op, None) => Reason::Missing(op, Some(term)),
            Reason::BadArguments(None) => Reason::BadArguments(Some(term)),
            other => other,
        }
    }

    /// The term whose value is missing from the model, if a solver can be asked for it.
    pub fn missing_term(&self) -> Option<Term> {
        match self {
            Reason::Open(_, term) | Reason::Missing(_, term) => *term,
            _ => None,
        }
    }

    /// The reason as text.
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
                format!("the model's definition of `{}` is unreadable", arena.op_name(*op))
            }
            Reason::NoRule(op) => match unevaluated(arena, *op) {
                Some(why) => format!("`{}` is not evaluated: {why}", arena.op_name(*op)),
                None => format!("`{}` is not evaluated", arena.op_name(*op)),
            },
            Reason::Quantifier(term) => format!("no instance decides the quantifier {}", short(term)),
            Reason::Choice(term) => format!("not a unique value: {}", short(term)),
            Reason::Free(term) => format!("the variable `{}` has no value here", short(term)),
            Reason::Any => "an arbitrary value of a variable".to_owned(),
            Reason::Literal(term) => format!("not a valid literal: {}", short(term)),
            Reason::BadArguments(Some(term)) => format!("unexpected arguments in {}", short(term)),
            Reason::BadArguments(None) => "unexpected arguments".to_owned(),
        }
    }
}

/// Why the signature declares an operator as unevaluated.
fn unevaluated(arena: &Arena, op: Op) -> Option<&str> {
    match arena.op(op).kind {
        OpKind::Theory(id) => arena.signatures().declarations[id as usize].unevaluated.as_deref(),
        _ => None,
    }
}

/// At most the first 100 characters of a text.
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

/// The value of a term, or the reason why it is undetermined: the result of three-valued evaluation.
///
/// ```
/// use elenchus_semantics::{Evaluator, Model, NO_DEFINITIONS, Outcome, Value};
/// use elenchus_semantics::smt::{self, Arena, Scope};
///
/// let mut arena = Arena::default();
/// let mut scope = Scope::default();
/// smt::parse_in_scope(&mut arena, &mut scope, "(declare-const x Int)").expect("well-typed");
/// let term = smt::parse_term(&mut arena, &mut scope, "(< x 3)").expect("a well-typed term");
///
/// let model = Model::new();
/// let outcome: Outcome<Value> = Evaluator::new(&arena, &model, &NO_DEFINITIONS).evaluate(term);
/// let reason = outcome.expect_err("the model is empty");
/// assert_eq!(reason.text(&arena), "the model does not define `x`");
/// ```
pub type Outcome<T> = Result<T, Reason>;
