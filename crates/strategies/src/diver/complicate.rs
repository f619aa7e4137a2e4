//! The paper's Complicate: replaces variables and constants of a new term by fresh variables, and asserts the constraints of
//! their positions.

use super::convert::convert;
use super::domain::Abstract;
use super::mutator::DiverMutator;
use crate::kit::draft::{Additions, Position};
use semantics::Value;
use smt::{Sort, Term, View};

/// The maximum number of leaves to consider.
const MOST_LEAVES: usize = 24;

impl DiverMutator {
    /// The assertion `root` with fresh variables for up to `most` leaves of `new`, which is at a position in it; `None` if no
    /// leaf can become a variable.
    pub(super) fn complicate(
        &mut self,
        position: &Position,
        root: Term,
        new: Term,
        most: usize,
        numbers_only: bool,
    ) -> Option<(Term, Additions)> {
        let mut leaves = self.leaves(new, numbers_only);
        self.random.shuffle(&mut leaves);
        // A variable for a Boolean mostly hides what was there.
        if self.random.chance(3, 4) {
            leaves.sort_by_key(|&(_, leaf)| self.draft.arena.sort(leaf) == Sort::BOOL);
        }
        let wanted = 1 + self.random.index(most.max(1));
        let mut additions = self.additions();
        let mut changed = root;
        for (path, leaf) in leaves.into_iter().take(wanted) {
            let mut whole = position.path.clone();
            whole.extend_from_slice(&path);
            let Some(constraint) = self.constraint_at(root, &whole) else { continue };
            let Some(constant) = self.fresh_variable(leaf, &constraint, &mut additions) else { continue };
            changed = self.draft.arena.replace_at(changed, &whole, constant);
        }
        // The evaluation of everything new decides.
        let mut all = additions.assertions.clone();
        all.push(changed);
        let holds = all.into_iter().all(|term| self.is_true(term));
        (changed != root && holds).then_some((changed, additions))
    }

    /// Empty additions. Half of the time they will go before all other assertions, and half of the time the changed assertion
    /// moves there.
    pub(super) fn additions(&mut self) -> Additions {
        let mut now = || self.settings.order && self.random.chance(1, 2);
        Additions { first: now(), ahead: now(), ..Additions::default() }
    }

    /// The variables and constants of a term that can be replaced, with their paths.
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
                    if self.draft.facts.values_only(arena, op) != crate::kit::draft::ValuesOnly::No {
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

    /// A fresh variable with the value of a leaf, and the assertion that it satisfies the constraint.
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

    /// A fresh variable with this value in the model; `None` if no script can state the value.
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
