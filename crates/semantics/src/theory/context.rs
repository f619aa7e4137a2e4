//! What a rule can see besides the values of its arguments.

use smt::{Arena, Index, Op, Sort, Term};

use super::domain::{Domain, Sorts, Universes};
use crate::reason::{Outcome, Reason};
use crate::value::limits::Limits;

/// Where a rule is applied: the operator's indices, the sort of the result, and the limits.
pub struct Context<'c> {
    /// The arena of the term.
    pub arena: &'c Arena,
    /// Bounds on values and operations.
    pub limits: &'c Limits,
    pub(crate) universes: &'c Universes,
    pub(crate) sorts: &'c Sorts,
    pub(crate) op: Op,
    /// `None` where an operator is called as a function value.
    pub(crate) term: Option<Term>,
}

impl<'c> Context<'c> {
    /// An index of the operator, such as `i` in `(_ extract i j)`.
    pub fn index(&self, position: usize) -> Outcome<u64> {
        match self.arena.op(self.op).indices.get(position) {
            Some(Index::Num(number)) => Ok(*number),
            Some(Index::Sym(_)) => Err(Reason::TooLarge("an index that does not fit 64 bits")),
            None => Err(Reason::BadArguments(None)),
        }
    }

    /// All indices of the operator.
    pub fn indices(&self) -> Outcome<Vec<u64>> {
        (0..self.arena.op(self.op).indices.len()).map(|position| self.index(position)).collect()
    }

    /// An index that is a width or a bit position.
    pub(crate) fn bit_index(&self, position: usize) -> Outcome<u32> {
        let index = self.index(position)?;
        self.limits.check_bits(index)?;
        Ok(index as u32)
    }

    /// The sort of the result. Unknown where an operator is called as a function value.
    pub fn sort(&self) -> Outcome<Sort> {
        self.term.map(|term| self.arena.sort(term)).ok_or(Reason::NoRule(self.op))
    }

    /// The values of sorts.
    pub fn domain(&self) -> Domain<'c> {
        Domain::new(self.arena, self.universes, self.limits, self.sorts)
    }
}
