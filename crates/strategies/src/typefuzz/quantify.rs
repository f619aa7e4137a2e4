//! Quantifiers put around a formula, taken away, and turned over. The paper has no mutation of quantifiers.

use super::TypeFuzzMutator;
use crate::work::mark;
use smt::rewrite::Substitution;
use smt::{Binder, Sort, Term, View};

impl TypeFuzzMutator {
    /// Changes the quantifier at the place, or puts one there.
    pub(super) fn requantify(&mut self) -> bool {
        let term = self.place.term();
        if self.work.arena.sort(term) != Sort::BOOL {
            return false;
        }
        match self.work.arena.view(term) {
            View::Binder { kind: kind @ (Binder::Forall | Binder::Exists), variables, bodies } => {
                let (variables, body) = (variables.to_vec(), bodies[0]);
                if self.random.chance(1, 2) {
                    let other = if kind == Binder::Forall { Binder::Exists } else { Binder::Forall };
                    let new = self.work.arena.quantifier(other, &variables, body);
                    self.work.replace(&self.place, new, "quantifier")
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
        while let View::Annotated { body: inner, .. } = self.work.arena.view(body) {
            body = inner;
        }
        let mut pairs = Vec::with_capacity(variables.len());
        for &variable in variables {
            let sort = self.work.arena.sort(variable);
            let random = &mut self.random;
            match self.generator.own_expression(&mut self.work, &self.place, sort, random) {
                Some(value) => pairs.push((variable, value)),
                None => return false,
            }
        }
        let new = Substitution::new(&mut self.work.arena, &pairs).apply(body);
        self.work.replace(&self.place, new, "instantiate")
    }

    /// A quantifier around the formula at the place binds a variable that stands for a part of it.
    fn wrap(&mut self, formula: Term) -> bool {
        let size = u64::from(self.work.facts.of(&self.work.arena, formula).size);
        if size < 2 || self.place.values_only {
            return false;
        }
        let at = 1 + self.random.below(size - 1);
        if !self.work.choose_inside(&self.place, at, &mut self.inner) || self.inner.values_only {
            return false;
        }
        let part = self.inner.term();
        let sort = self.work.arena.sort(part);
        let functional = self.work.facts.of_sort(&self.work.arena, sort).marks & mark::HIGHER_ORDER != 0;
        if sort == Sort::REGLAN || functional {
            return false;
        }
        // Each step of a chain has a name of its own, which the seed does not have.
        let name = self.work.fresh_name();
        let variable = self.work.arena.local(name, sort);
        let body = self.work.rebuilt(&self.inner, variable);
        let kind = if self.random.chance(1, 2) { Binder::Forall } else { Binder::Exists };
        let new = self.work.arena.quantifier(kind, &[variable], body);
        self.work.replace(&self.place, new, "quantify")
    }
}
