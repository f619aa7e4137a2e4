//! Incomplete terms on the parser's stack.

use crate::sort::{Index, Sort};
use crate::symbol::Symbol;
use crate::term::{Attribute, Binder, Pattern};

/// An identifier with indices or a sort.
pub(super) struct ComplexHead {
    pub(super) name: Symbol,
    pub(super) indices: Vec<Index>,
    pub(super) ascription: Option<Sort>,
}

/// An incomplete term.
pub(super) enum Frame {
    /// `(f …`: the arguments so far are the operands from `base` on.
    Apply { name: Symbol, base: u32, start: u32 },
    /// `((_ f 1) …` or `((as f S) …`.
    ApplyComplex { head: Box<ComplexHead>, base: u32, start: u32 },
    /// `((f x) …`: the first operand is the function.
    ApplyValue { base: u32, start: u32 },
    /// `(let ((x …`: the names and values so far.
    LetValues { base: u32, names: u32 },
    /// `(let (…) …`
    LetBody { base: u32, names: u32, locals: u32 },
    /// `(forall ((x S)) …`: the variables are the operands from `base` on.
    Binder { kind: Binder, base: u32, variables: u32, locals: u32, start: u32 },
    /// `(! t …`
    Annotated { base: u32, attributes: Vec<Attribute> },
    /// `(match t …`
    Match { base: u32, patterns: Vec<Pattern>, locals: u32, start: u32 },
}
