//! Quantifiers: over numbers, over small sorts by instances, and over large sorts where only equality or length matters.

use std::collections::BTreeSet;

use smt::{Sort, Term, View};

use super::{Meant, Translation};
use crate::data::Cardinality;
use crate::eval::symbolic::cases::{Case, Leaf, Quotient};
use crate::eval::symbolic::formula::{Formula, Relation, TRUE};
use crate::eval::symbolic::polynomial::Polynomial;

/// The most instances of a quantifier over small sorts.
const MAX_INSTANCES: u64 = 256;
/// The fewest values of a sort whose values are numbered by a variable.
const LARGE_SORT: u64 = 1 << 14;

impl Translation<'_, '_> {
    pub(super) fn quantifier(
        &mut self,
        exists: bool,
        variables: &[Term],
        body: Term,
        depth: u32,
    ) -> Option<Formula> {
        let Some((&first, rest)) = variables.split_first() else { return self.truth(body, depth + 1) };
        if !self.evaluator.locals_of(body).contains(&first) {
            return self.quantifier(exists, rest, body, depth + 1);
        }
        let sort = self.sort(first);
        if matches!(sort, Sort::INT | Sort::REAL) {
            let variable = self.kinds.fresh(sort == Sort::INT);
            let number = Quotient::whole(Polynomial::variable(variable), sort == Sort::INT);
            let meant = Meant::Cases(vec![Case::always(Leaf::Number(number))]);
            let inner =
                self.with(vec![(first, meant)], |this| this.quantifier(exists, rest, body, depth + 1))?;
            return Some(match exists {
                true => inner.exists(variable),
                false => inner.not(&self.kinds).exists(variable).not(&self.kinds),
            });
        }
        let Some(values) = self.evaluator.domain().values_up_to(sort, MAX_INSTANCES) else {
            return self.large_sort(exists, first, rest, body, depth);
        };
        let (mut parts, mut failed) = (Vec::new(), false);
        for value in values {
            self.spend(1)?;
            let meant = Meant::Cases(vec![Case::always(Leaf::Ground(value))]);
            let part = self.with(vec![(first, meant)], |this| this.quantifier(exists, rest, body, depth + 1));
            match part {
                Some(Formula::Constant(value)) if value == exists => return Some(Formula::Constant(value)),
                Some(part) => parts.push(part),
                None => failed = true,
            }
        }
        self.spend_on(&parts)?;
        let joined = Formula::join(!exists, parts);
        (!failed || joined == Formula::Constant(exists)).then_some(joined)
    }

    /// A quantifier over a large sort. Only the equality of its values may matter, or only the length of strings.
    fn large_sort(
        &mut self,
        exists: bool,
        first: Term,
        rest: &[Term],
        body: Term,
        depth: u32,
    ) -> Option<Formula> {
        let sort = self.sort(first);
        // There must be more values than terms and variables can name.
        if matches!(self.evaluator.domain().size(sort), Cardinality::Finite(size) if size < LARGE_SORT)
            || matches!(self.evaluator.domain().size(sort), Cardinality::Unknown)
        {
            return None;
        }
        let variable = self.kinds.fresh(true);
        let (leaf, range) = if self.has_length(first, body) {
            let negative = Formula::sign(&self.kinds, Relation::Less, Polynomial::variable(variable))?;
            (Leaf::Text(variable), negative.not(&self.kinds))
        } else {
            (Leaf::Coded(variable), TRUE)
        };
        let meant = Meant::Cases(vec![Case::always(leaf)]);
        let inner = self.with(vec![(first, meant)], |this| this.quantifier(exists, rest, body, depth + 1))?;
        Some(match exists {
            true => range.and(inner).exists(variable),
            false => range.and(inner.not(&self.kinds)).exists(variable).not(&self.kinds),
        })
    }

    /// Whether a body takes the length of a variable.
    fn has_length(&self, variable: Term, body: Term) -> bool {
        let arena = self.evaluator.arena;
        let (mut seen, mut work) = (BTreeSet::new(), vec![body]);
        while let Some(term) = work.pop() {
            if arena.has_no_locals(term) || !seen.insert(term) {
                continue;
            }
            if let View::App(op, &[arg]) = arena.view(term)
                && arg == variable
                && matches!(arena.op_name(op), "str.len" | "seq.len")
            {
                return true;
            }
            work.extend(arena.children(term));
        }
        false
    }
}
