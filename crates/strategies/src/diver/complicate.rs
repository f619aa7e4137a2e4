//! The paper's Complicate: variables and constants of a new term give way to fresh variables, and what the analysis says of
//! their places is asserted of them.

use super::convert::convert;
use super::domain::Abstract;
use super::mutator::DiverMutator;
use crate::draft::{Additions, Place};
use semantics::Value;
use smt::{Sort, Term, View};

/// The most leaves of a term that are looked at.
const MOST_LEAVES: usize = 24;

impl DiverMutator {
    /// The assertion `root`, which has `new` at a place, with fresh variables for up to `most` leaves of `new`. Nothing if none
    /// of them can be one.
    pub(super) fn complicate(
        &mut self,
        place: &Place,
        root: Term,
        new: Term,
        most: usize,
        numbers_only: bool,
    ) -> Option<(Term, Additions)> {
        let mut leaves = self.leaves(new, numbers_only);
        self.random.shuffle(&mut leaves);
        // A name for a truth value mostly hides what stood there.
        if self.random.chance(3, 4) {
            leaves.sort_by_key(|&(_, leaf)| self.draft.arena.sort(leaf) == Sort::BOOL);
        }
        let wanted = 1 + self.random.index(most.max(1));
        let mut additions = self.additions();
        let mut changed = root;
        for (path, leaf) in leaves.into_iter().take(wanted) {
            let mut whole = place.path.clone();
            whole.extend_from_slice(&path);
            let Some(constraint) = self.constraint_at(root, &whole) else { continue };
            let Some(constant) = self.fresh_variable(leaf, &constraint, &mut additions) else { continue };
            changed = self.draft.arena.replace_at(changed, &whole, constant);
        }
        // The last word has the evaluation of all that is new.
        let mut all = additions.assertions.clone();
        all.push(changed);
        let holds = all.into_iter().all(|term| self.is_true(term));
        (changed != root && holds).then_some((changed, additions))
    }

    /// What a mutation adds: nothing yet. Half of the time it will stand before all other assertions, and half of the time the one
    /// that is changed moves there.
    pub(super) fn additions(&mut self) -> Additions {
        let mut now = || self.settings.order && self.random.chance(1, 2);
        Additions { first: now(), ahead: now(), ..Additions::default() }
    }

    /// The variables and constants of a term that may give way, with their paths.
    fn leaves(&mut self, term: Term, numbers_only: bool) -> Vec<(Vec<u32>, Term)> {
        let mut found = Vec::new();
        let mut pending = vec![(Vec::new(), term)];
        while let Some((path, term)) = pending.pop() {
            if found.len() >= MOST_LEAVES {
                break;
            }
            let arena = &self.draft.arena;
            match arena.view(term) {
                View::Literal(..) | View::App(_, []) => {
                    let sort = arena.sort(term);
                    let number = sort == Sort::INT || sort == Sort::REAL;
                    if sort != Sort::REGLAN && (number || !numbers_only) {
                        found.push((path, term));
                    }
                }
                View::App(op, args) => {
                    if self.draft.facts.values_only(arena, op) != crate::draft::ValuesOnly::No {
                        continue;
                    }
                    for (at, &arg) in args.iter().enumerate() {
                        let mut path = path.clone();
                        path.push(at as u32);
                        pending.push((path, arg));
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// A fresh variable with the value of a leaf, and the assertion that it is within the constraint.
    fn fresh_variable(
        &mut self,
        leaf: Term,
        constraint: &Abstract,
        additions: &mut Additions,
    ) -> Option<Term> {
        let value = self.value(leaf)?;
        let sort = self.draft.arena.sort(leaf);
        let constant = self.variable_of(value, sort, additions)?;
        let assertion = convert(&mut self.draft, constant, constraint).ok()?;
        additions.assertions.extend(assertion);
        Some(constant)
    }

    /// A fresh variable that has a value in the model. Nothing if no script can state the value.
    pub(super) fn variable_of(
        &mut self,
        value: Value,
        sort: Sort,
        additions: &mut Additions,
    ) -> Option<Term> {
        self.term_of(&value, sort)?;
        let (op, constant) = self.draft.fresh_constant(self.fresh_count, sort);
        self.fresh_count += 1;
        let mut name = String::new();
        smt::print::name_into(self.draft.arena.op_name(op), &mut name);
        let (sort_text, text) = (self.draft.arena.sort_text(sort), value.text(&self.draft.arena, sort));
        self.fresh.insert(op, format!("(define-fun {name} () {sort_text} {text})"));
        self.witness.model.set_value(op, value);
        additions.declared.push(op);
        Some(constant)
    }
}
