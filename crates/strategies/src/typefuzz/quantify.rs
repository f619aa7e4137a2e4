//! Adds, removes and flips quantifiers. The paper does not mutate quantifiers.

use super::TypeFuzzMutator;
use crate::kit::draft::mark;
use smt::rewrite::Substitution;
use smt::{Binder, Sort, Term, View};

impl TypeFuzzMutator {
    /// Changes the quantifier at the position, or adds one.
    pub(super) fn requantify(&mut self) -> bool {
        let term = self.position.term();
        if self.draft.arena.sort(term) != Sort::BOOL {
            return false;
        }
        match self.draft.arena.view(term) {
            View::Binder { kind: kind @ (Binder::Forall | Binder::Exists), variables, bodies } => {
                let (variables, body) = (variables.to_vec(), bodies[0]);
                if self.random.chance(1, 2) {
                    let other = if kind == Binder::Forall { Binder::Exists } else { Binder::Forall };
                    let new = self.draft.arena.quantifier(other, &variables, body);
                    self.draft.replace(&self.position, new, "quantifier")
                } else {
                    self.drop_quantifier(&variables, body)
                }
            }
            _ => self.wrap(term),
        }
    }

    /// Replaces a quantifier by its body, with an expression of the formula for each variable.
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
            match self.generator.pool_expression(&mut self.draft, &self.position, sort, random) {
                Some(value) => pairs.push((variable, value)),
                None => return false,
            }
        }
        let new = Substitution::new(&mut self.draft.arena, &pairs).apply(body);
        self.draft.replace(&self.position, new, "instantiate")
    }

    /// Puts a quantifier around the formula. Its variable replaces a part of the formula.
    fn wrap(&mut self, formula: Term) -> bool {
        let size = u64::from(self.draft.facts.of(&self.draft.arena, formula).size);
        if size < 2 || self.position.values_only {
            return false;
        }
        let at = 1 + self.random.below(size - 1);
        if !self.draft.choose_inside(&self.position, at, &mut self.inner) || self.inner.values_only {
            return false;
        }
        let part = self.inner.term();
        let sort = self.draft.arena.sort(part);
        let functional = self.draft.facts.of_sort(&self.draft.arena, sort).marks & mark::HIGHER_ORDER != 0;
        if sort == Sort::REGLAN || functional {
            return false;
        }
        // The name is new in the seed and in the chain.
        let name = self.draft.fresh_name();
        let variable = self.draft.arena.local(name, sort);
        let body = self.draft.rebuilt(&self.inner, variable);
        let kind = if self.random.chance(1, 2) { Binder::Forall } else { Binder::Exists };
        let new = self.draft.arena.quantifier(kind, &[variable], body);
        self.draft.replace(&self.position, new, "quantify")
    }
}
