//! The distinct expressions of a formula, by sort.

use smt::{Sort, Term};

/// Expressions by sort, in order of their first occurrence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    by_sort: Vec<Vec<Term>>,
    /// The sorts that have expressions, in order of the first one.
    sorts: Vec<Sort>,
    /// The sorts of the expressions that mutations added. They are removed when the draft returns to the seed.
    new: Vec<Sort>,
}

impl Pool {
    /// Adds an expression of the seed.
    pub fn add(&mut self, sort: Sort, term: Term) {
        if self.by_sort.len() <= sort.index() {
            self.by_sort.resize(sort.index() + 1, Vec::new());
        }
        if self.by_sort[sort.index()].is_empty() && !self.sorts.contains(&sort) {
            self.sorts.push(sort);
        }
        self.by_sort[sort.index()].push(term);
    }

    /// Adds an expression that a mutation made.
    pub fn add_new(&mut self, sort: Sort, term: Term) {
        self.add(sort, term);
        self.new.push(sort);
    }

    /// Removes the expressions that mutations added.
    pub fn forget_new(&mut self) {
        while let Some(sort) = self.new.pop() {
            self.by_sort[sort.index()].pop();
        }
    }

    /// The expressions of a sort.
    pub fn of(&self, sort: Sort) -> &[Term] {
        self.by_sort.get(sort.index()).map_or(&[], Vec::as_slice)
    }

    /// The sorts that have expressions.
    pub fn sorts(&self) -> &[Sort] {
        &self.sorts
    }
}
