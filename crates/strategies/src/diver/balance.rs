//! Mutations for which a place needs no room: a term gives way to a new one of the very same value. Whatever the new term is, a
//! fresh variable in it makes up for the difference, so that places that may take one value only are mutated as well.

use super::mutator::DiverMutator;
use crate::draft::{Additions, Place};
use case::Step;
use semantics::Value;
use smt::{Sort, Term};

/// The choices that the term in a bound of a fresh variable has.
const BOUND_CHOICES: u32 = 2;
/// The most bounds of a fresh variable.
const MOST_BOUNDS: u64 = 3;

/// How a fresh variable makes up for the difference between an old and a new term.
struct Balance {
    /// The operator over the new term and the variable.
    whole: &'static str,
    /// Whether the variable is its first argument.
    variable_first: bool,
    /// The operator that gives the value of the variable.
    difference: &'static str,
    /// Whether the old term is its first argument.
    old_first: bool,
}

const fn balance(
    whole: &'static str,
    variable_first: bool,
    difference: &'static str,
    old_first: bool,
) -> Balance {
    Balance { whole, variable_first, difference, old_first }
}

const NUMBERS: &[Balance] = &[
    balance("+", false, "-", true),
    balance("+", true, "-", true),
    balance("-", false, "-", false),
    balance("-", true, "+", true),
];
const REALS: &[Balance] = &[
    balance("+", false, "-", true),
    balance("+", true, "-", true),
    balance("-", false, "-", false),
    balance("-", true, "+", true),
    balance("*", false, "/", true),
    balance("/", true, "*", true),
];
const VECTORS: &[Balance] = &[
    balance("bvadd", false, "bvsub", true),
    balance("bvsub", false, "bvsub", false),
    balance("bvsub", true, "bvadd", true),
    balance("bvxor", false, "bvxor", true),
];
const TRUTHS: &[Balance] = &[balance("xor", false, "xor", true), balance("=", true, "=", true)];

/// The relations that a fresh variable may have to another term of its sort.
fn relations(sort: Sort, is_vector: bool) -> &'static [&'static str] {
    match sort {
        Sort::INT | Sort::REAL => &["<=", "<", ">=", ">", "distinct"],
        Sort::STRING => &["str.<=", "str.prefixof", "str.suffixof", "str.contains", "distinct"],
        _ if is_vector => &["bvule", "bvult", "bvsle", "bvslt", "bvuge", "bvsge", "distinct"],
        _ => &["distinct", "="],
    }
}

impl DiverMutator {
    /// Puts a term of the same value in the place of another. Half of the time any occurrence is as likely as any other, half of the
    /// time any assertion, so that small ones have their turn beside large ones.
    pub(super) fn balance(&mut self) -> bool {
        let mut place = Place::default();
        let chosen = if self.random.chance(1, 2) {
            self.draft.choose(&mut self.random, &mut place)
        } else {
            self.draft.stroll(&mut self.random, &mut place)
        };
        if !chosen || !self.draft.is_assertion(place.root) {
            return false;
        }
        let old = place.term();
        let mut additions = self.additions();
        let Some(new) = self.balanced(&place, old, &mut additions) else { return false };
        let root = self.draft.rebuilt(&place, new);
        // The last word has the evaluation of all that is new.
        let mut all = additions.assertions.clone();
        all.push(root);
        if !all.into_iter().all(|term| self.is_true(term)) {
            return false;
        }
        let step =
            Step { action: "balance".into(), before: self.draft.shown(old), after: self.draft.shown(new) };
        self.draft.commit_with(place.root, root, &additions, step)
    }

    /// A new term with the value of an old one.
    fn balanced(&mut self, place: &Place, old: Term, additions: &mut Additions) -> Option<Term> {
        let sort = self.draft.arena.sort(old);
        // Half of the new terms are leaves: a small change shows what a large one hides.
        let bound = if self.random.chance(1, 2) { 0 } else { self.bound() };
        let other = self.new_term(place, sort, bound)?;
        let balances = match sort {
            Sort::INT => NUMBERS,
            Sort::REAL => REALS,
            Sort::BOOL => TRUTHS,
            _ if self.draft.arena.bitvec_width(sort).is_some() => VECTORS,
            Sort::STRING if self.random.chance(1, 2) => return self.split(place, old, additions),
            _ => return self.branches(place, old, other, additions),
        };
        if self.random.chance(1, 8) {
            return self.branches(place, old, other, additions);
        }
        let mode = self.random.pick(balances)?;
        let arena = &mut self.draft.arena;
        let difference = if mode.old_first { [old, other] } else { [other, old] };
        let difference = arena.apply(mode.difference, &difference).ok()?;
        let variable = self.loose_variable(place, difference, additions)?;
        let whole = if mode.variable_first { [variable, other] } else { [other, variable] };
        self.draft.arena.apply(mode.whole, &whole).ok()
    }

    /// A term that has the value of the old one in the branch that is taken, and anything in the other.
    fn branches(&mut self, place: &Place, old: Term, other: Term, additions: &mut Additions) -> Option<Term> {
        let condition = self.new_term(place, Sort::BOOL, BOUND_CHOICES)?;
        let taken = self.value(condition)?;
        let variable = self.loose_variable(place, old, additions)?;
        let branches = if taken == Value::Bool(true) { [variable, other] } else { [other, variable] };
        self.draft.arena.apply("ite", &[condition, branches[0], branches[1]]).ok()
    }

    /// A string as two fresh ones, one after the other.
    fn split(&mut self, place: &Place, old: Term, additions: &mut Additions) -> Option<Term> {
        let Value::Str(text) = self.value(old)? else { return None };
        let cut = self.random.index(text.len() + 1);
        let [zero, cut, length] = [0, cut, text.len()]
            .map(|number| Value::Int(number.into()))
            .map(|number| self.term_of(&number, Sort::INT));
        let arena = &mut self.draft.arena;
        let before = arena.apply("str.substr", &[old, zero?, cut?]).ok()?;
        let after = arena.apply("str.substr", &[old, cut?, length?]).ok()?;
        let before = self.loose_variable(place, before, additions)?;
        let after = self.loose_variable(place, after, additions)?;
        self.draft.arena.apply("str.++", &[before, after]).ok()
    }

    /// A fresh variable with the value of a term, and up to a few bounds that are true of it: the value is one of many.
    fn loose_variable(&mut self, place: &Place, term: Term, additions: &mut Additions) -> Option<Term> {
        let value = self.value(term)?;
        let sort = self.draft.arena.sort(term);
        let variable = self.variable_of(value, sort, additions)?;
        let outside = Place { root: place.root, origin: place.origin, ..Place::default() };
        for _ in 0..self.random.below(MOST_BOUNDS) {
            let Some(mut other) = self.new_term(&outside, sort, BOUND_CHOICES) else { continue };
            if self.random.chance(1, 2) {
                let Some(value) = self.value(other) else { continue };
                other = self.variable_of(value, sort, additions)?;
            }
            let is_vector = self.draft.arena.bitvec_width(sort).is_some();
            let relation = self.random.pick(relations(sort, is_vector))?;
            let sides = if self.random.chance(1, 2) { [variable, other] } else { [other, variable] };
            let Ok(bound) = self.draft.arena.apply(relation, &sides) else { continue };
            match self.value(bound) {
                Some(Value::Bool(true)) => additions.assertions.push(bound),
                Some(_) => additions.assertions.extend(self.draft.arena.apply("not", &[bound])),
                None => {}
            }
        }
        Some(variable)
    }
}
