//! Small, dense formulas around the pairs of operators in the focus of a universe.
//!
//! An assertion starts with a pair and is extended outwards, one operator around the other, until it is a formula. Every operator
//! that fits is equally likely. So a formula has few operators, nearly all of them next to each other and over the same constants.

use super::focus::Pair;
use super::hidden_model::HiddenModel;
use super::script::Writer;
use crate::kit::operators::Instance;
use smt::{Sort, Term};

/// The number of operators that the arguments of one operator may have in total.
const LEFT: u32 = 4;
/// The number of operators around a pair until it must be a formula.
const STEPS: u32 = 2;

impl Writer<'_> {
    /// Writes an assertion for each pair of the focus, and a few others.
    pub fn focused(&mut self) {
        // Most formulas are true under some model, because a solver that finds one shows it.
        if self.random.chance(3, 4) {
            self.hidden_model = Some(HiddenModel::draw(self.language, self.random));
        }
        for pair in self.language.universe.focus.clone() {
            let term = self.pair(&pair).and_then(|term| self.formula_around(term));
            if let Some(term) = term {
                self.assert(term);
            }
        }
        if self.random.chance(1, 2) {
            self.dense_assertions(2);
        }
    }

    /// Writes up to `most` assertions around random operators.
    pub fn dense_assertions(&mut self, most: u64) {
        for _ in 0..1 + self.random.below(most) {
            let declared = self.language.draft.pool.sorts();
            let sorts = if self.random.chance(3, 4) { declared } else { &self.language.rules.sorts };
            let Some(&sort) = self.random.pick(sorts) else { return };
            let depth = 1 + self.random.below(2) as u32;
            let Some(instance) = self.language.rules.operator(sort, self.random) else { continue };
            let term = self.terms(LEFT).apply(&instance, depth);
            if let Some(term) = term.and_then(|term| self.formula_around(term)) {
                self.assert(term);
            }
        }
    }

    /// A term with the outer operator of a pair, and mostly with the inner one as its argument.
    fn pair(&mut self, pair: &Pair) -> Option<Term> {
        let depth = 1 + self.random.below(2) as u32;
        if self.random.chance(3, 4)
            && let Some(term) = self.nested(pair, depth)
        {
            return Some(term);
        }
        let instance = self.instance(&pair.outer)?;
        self.terms(LEFT).apply(&instance, depth)
    }

    /// An instance of an operator, mostly one that can be applied to declared constants.
    fn instance(&mut self, name: &str) -> Option<Instance> {
        let mut instances = self.language.rules.instances_of(name);
        let pool = &self.language.draft.pool;
        let is_open = |instance: &Instance| instance.args.iter().all(|&sort| !pool.of(sort).is_empty());
        if self.random.chance(3, 4) && instances.iter().any(is_open) {
            instances.retain(is_open);
        }
        self.random.pick(&instances).cloned()
    }

    /// The inner operator of a pair applied to terms of small depth, with the outer one around it.
    fn nested(&mut self, pair: &Pair, depth: u32) -> Option<Term> {
        let inner = &self.instance(pair.inner.as_ref()?)?;
        let is_outer = |name: &str, _: &Instance| name == pair.outer;
        let outer = self.language.rules.taker(inner.result, is_outer, self.random)?;
        let mut terms = self.terms(LEFT);
        let term = terms.apply(inner, depth)?;
        terms.apply_to(&outer, Some(term), 1)
    }

    /// A formula that contains a term: operators around it until it is Boolean, and now and then one more.
    fn formula_around(&mut self, mut term: Term) -> Option<Term> {
        for step in 0.. {
            let sort = self.language.draft.arena.sort(term);
            if sort == Sort::BOOL {
                break;
            }
            if step > STEPS {
                return None;
            }
            // Not all solvers compare languages.
            if sort != Sort::REGLAN
                && self.random.chance(1, 3)
                && let Some(equal) = self.equal_to_its_value(term)
            {
                return Some(equal);
            }
            let last = step == STEPS || self.random.chance(1, 2);
            let wanted = |_: &str, instance: &Instance| !last || instance.result == Sort::BOOL;
            let around = self.language.rules.taker(sort, wanted, self.random)?;
            term = self.terms(LEFT / 2).apply_to(&around, Some(term), 1)?;
        }
        if self.random.chance(1, 4) {
            let wanted = |_: &str, instance: &Instance| instance.result == Sort::BOOL;
            if let Some(around) = self.language.rules.taker(Sort::BOOL, wanted, self.random)
                && let Some(more) = self.terms(LEFT / 2).apply_to(&around, Some(term), 1)
            {
                return Some(more);
            }
        }
        Some(term)
    }

    /// An equation between a term and its value in the hidden model.
    fn equal_to_its_value(&mut self, term: Term) -> Option<Term> {
        let value = self.hidden_model.as_mut()?.value(&self.language.draft.arena, &self.definitions, term)?;
        let draft = &mut self.language.draft;
        let text = value.text(&draft.arena, draft.arena.sort(term));
        let value = smt::parse_term(&mut draft.arena, &mut draft.scope, &text).ok()?;
        draft.arena.apply("=", &[term, value]).ok()
    }

    /// The assertion or its negation: whichever the hidden model satisfies, or else one at random.
    pub fn polarised(&mut self, term: Term) -> Term {
        let Some(hidden_model) = &mut self.hidden_model else { return term };
        let arena = &mut self.language.draft.arena;
        let negated = match hidden_model.truth(arena, &self.definitions, term) {
            Some(truth) => !truth,
            None => self.random.chance(1, 2),
        };
        if !negated {
            return term;
        }
        arena.apply("not", &[term]).unwrap_or(term)
    }
}
