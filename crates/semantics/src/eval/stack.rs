//! The stacks of the machine: work that is left to do, and values with what they depend on.

use smt::Term;

use crate::reason::Reason;

/// Work that is left to do.
#[derive(Clone, Copy)]
pub(super) enum Frame {
    /// Evaluate a term.
    Visit(Term),
    /// Apply an operator to the values on top of the stack.
    Apply(Term),
    /// An argument of `and`, `or` or `=>` is evaluated; `next` is the position of the argument to evaluate next.
    Junction { term: Term, next: u32, reason: Option<Reason>, dependence: Dependence },
    /// The condition of an `ite` is evaluated.
    Branch(Term),
    /// The chosen branch of an `ite` is evaluated.
    Chosen { term: Term, condition: Dependence },
    /// Both branches of an `ite` are evaluated, since the condition is undetermined.
    Both { term: Term, reason: Reason, condition: Dependence },
    /// The values of a `let` are evaluated.
    Let(Term),
    /// The scrutinee of a `match` is evaluated.
    Match(Term),
    /// A body is evaluated: its bindings end here. Which body was chosen depends on `chosen`.
    Leave { term: Term, bindings: u32, first: u32, outer: Dependence, chosen: Dependence },
    /// A function's body is evaluated: its bindings end here, and the value depends only on the arguments.
    Return { term: Term, bindings: u32, arguments: Dependence, cached: bool },
}

/// The latest binding that a value depends on; serial 0 if it depends on none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Dependence {
    pub(super) serial: u32,
    /// The position on the stack of bindings.
    pub(super) position: u32,
}

impl Dependence {
    pub(super) const NONE: Dependence = Dependence { serial: 0, position: 0 };

    #[inline]
    pub(super) fn max(self, other: Dependence) -> Dependence {
        if other.serial > self.serial { other } else { self }
    }

    pub(super) fn is_before(self, serial: u32) -> bool {
        self.serial < serial
    }
}

/// What is known about an entry of the value stack: what it depends on, and why it is undetermined, if it is.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub(super) dependence: Dependence,
    pub(super) reason: Option<Reason>,
}
