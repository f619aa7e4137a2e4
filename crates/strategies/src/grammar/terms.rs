//! Samples terms by the rules of a grammar.

use super::rules::Rules;
use crate::kit::constants::Constants;
use crate::kit::draft::Draft;
use crate::kit::operators::Instance;
use crate::kit::random::Random;
use smt::{Binder, Op, Sort, Term};

/// The maximum number of variables of a quantifier.
const MOST_VARIABLES: u64 = 2;

/// The state of sampling one term.
pub(super) struct Terms<'a> {
    pub draft: &'a mut Draft,
    pub rules: &'a Rules,
    pub constants: &'a Constants,
    pub random: &'a mut Random,
    /// The variables in scope.
    pub locals: Vec<Term>,
    /// The number of operators that may still be written.
    pub left: u32,
    /// Functions that must not occur, for example in the bodies of definitions.
    pub forbidden: &'a [Op],
}

impl Terms<'_> {
    /// A term of a sort with at most `depth` nested operators; `None` if the sort has no terms.
    pub fn term(&mut self, sort: Sort, depth: u32) -> Option<Term> {
        if depth == 0 || self.left == 0 || self.random.chance(1, 5) {
            return self.leaf(sort);
        }
        if sort == Sort::BOOL
            && let Some(exists) = self.rules.quantifier(self.random)
            && let Some(term) = self.quantified(exists, depth)
        {
            return Some(term);
        }
        for _ in 0..3 {
            let Some(instance) = self.rules.operator(sort, self.random) else { break };
            if let Some(term) = self.apply(&instance, depth) {
                return Some(term);
            }
        }
        self.leaf(sort)
    }

    /// Applies an operator to terms of smaller depth.
    pub fn apply(&mut self, instance: &Instance, depth: u32) -> Option<Term> {
        self.apply_to(instance, None, depth)
    }

    /// Applies an operator to a term and, where there are more arguments, to others of smaller depth.
    pub fn apply_to(&mut self, instance: &Instance, inner: Option<Term>, depth: u32) -> Option<Term> {
        if instance.function().is_some_and(|op| self.forbidden.contains(&op)) {
            return None;
        }
        self.left = self.left.saturating_sub(1);
        let count = instance.draw_count(self.random);
        let slots: Vec<(Sort, bool)> = instance.slots(count).collect();
        let place = inner.and_then(|inner| {
            let sort = self.draft.arena.sort(inner);
            let fits: Vec<usize> = (0..slots.len()).filter(|&at| slots[at] == (sort, false)).collect();
            self.random.pick(&fits).copied()
        });
        if inner.is_some() && place.is_none() {
            return None;
        }
        let mut args = Vec::with_capacity(slots.len());
        for (at, (sort, value)) in slots.into_iter().enumerate() {
            let arg = if place == Some(at) {
                inner
            } else if value {
                self.constants.pick(&mut self.draft.arena, sort, self.random)
            } else {
                self.term(sort, depth.saturating_sub(1))
            };
            args.push(arg?);
        }
        instance.apply(&mut self.draft.arena, &args, self.random)
    }

    fn quantified(&mut self, exists: bool, depth: u32) -> Option<Term> {
        let sorts: Vec<Sort> =
            self.rules.sorts.iter().copied().filter(|&sort| sort != Sort::REGLAN).collect();
        let before = self.locals.len();
        for _ in 0..1 + self.random.below(MOST_VARIABLES) {
            let sort = *self.random.pick(&sorts)?;
            let name = self.draft.arena.symbol(&format!("q{}", self.locals.len()));
            let variable = self.draft.arena.local(name, sort);
            self.locals.push(variable);
        }
        self.left = self.left.saturating_sub(1);
        let body = self.term(Sort::BOOL, depth - 1);
        let variables = self.locals.split_off(before);
        let kind = if exists { Binder::Exists } else { Binder::Forall };
        Some(self.draft.arena.quantifier(kind, &variables, body?))
    }

    /// A variable, a declared constant or a value.
    pub fn leaf(&mut self, sort: Sort) -> Option<Term> {
        let arena = &self.draft.arena;
        let locals: Vec<Term> =
            self.locals.iter().copied().filter(|&local| arena.sort(local) == sort).collect();
        if !locals.is_empty() && self.random.chance(2, 3) {
            return self.random.pick(&locals).copied();
        }
        let declared = self.draft.pool.of(sort);
        if !declared.is_empty() && self.random.chance(7, 10) {
            return self.random.pick(declared).copied();
        }
        let value = self.constants.pick(&mut self.draft.arena, sort, self.random);
        value.or_else(|| self.random.pick(self.draft.pool.of(sort)).copied())
    }
}
