//! Quantifiers put around a formula, taken away, and turned over. The paper has no mutation of quantifiers.

use super::TypeFuzzMutator;
use crate::draft::mark;
use smt::rewrite::Substitution;
use smt::{Binder, Sort, Term, View};

impl TypeFuzzMutator {
    /// Changes the quantifier at the place, or puts one there.
    pub(super) fn requantify(&mut self) -> bool {
        let term = self.place.term();
        if self.draft.arena.sort(term) != Sort::BOOL {
            return false;
        }
        match self.draft.arena.view(term) {
            View::Binder { kind: kind @ (Binder::Forall | Binder::Exists), variables, bodies } => {
                let (variables, body) = (variables.to_vec(), bodies[0]);
                if self.random.chance(1, 2) {
                    let other = if kind == Binder::Forall { Binder::Exists } else { Binder::Forall };
                    let new = self.draft.arena.quantifier(other, &variables, body);
                    self.draft.replace(&self.place, new, "quantifier")
                } else {
                    self.drop_quantifier(&variables, body)
                }
            }
            _ => self.wrap(term),
        }
    }

    /// The body takes the place of the quantifier, with an expression of the formula for each variable.
    fn drop_quantifier(&mut self, variables: &[Term], body: Term) -> bool {
        // A pattern makes no sense without its quantifier.
        let mut body = body;
        while let View::Annotated { body: inner, .. } = self.draft.arena.view(body) {
            body = inner;
        }
        let mut pairs = Vec::with_capacity(variables.len());
        for &variable in variables {
            let sort = self.draft.arena.sort(variable);
            let random = &mut self.random;
            match self.generator.own_expression(&mut self.draft, &self.place, sort, random) {
                Some(value) => pairs.push((variable, value)),
                None => return false,
            }
        }
        let new = Substitution::new(&mut self.draft.arena, &pairs).apply(body);
        self.draft.replace(&self.place, new, "instantiate")
    }

    /// A quantifier around the formula at the place binds a variable that stands for a part of it.
    fn wrap(&mut self, formula: Term) -> bool {
        let size = u64::from(self.draft.facts.of(&self.draft.arena, formula).size);
        if size < 2 || self.place.values_only {
            return false;
        }
        let at = 1 + self.random.below(size - 1);
        if !self.draft.choose_inside(&self.place, at, &mut self.inner) || self.inner.values_only {
            return false;
        }
        let part = self.inner.term();
        let sort = self.draft.arena.sort(part);
        let functional = self.draft.facts.of_sort(&self.draft.arena, sort).marks & mark::HIGHER_ORDER != 0;
        if sort == Sort::REGLAN || functional {
            return false;
        }
        // Each step of a chain has a name of its own, which the seed does not have.
        let name = self.draft.fresh_name();
        let variable = self.draft.arena.local(name, sort);
        let body = self.draft.rebuilt(&self.inner, variable);
        let kind = if self.random.chance(1, 2) { Binder::Forall } else { Binder::Exists };
        let new = self.draft.arena.quantifier(kind, &[variable], body);
        self.draft.replace(&self.place, new, "quantify")
    }
}
