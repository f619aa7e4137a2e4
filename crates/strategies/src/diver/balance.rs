//! Mutations that need no freedom: replaces a term by a new one with the same value.
//!
//! A fresh variable in the new term makes up for the difference, so even positions that allow only one value can be mutated.

use super::mutator::DiverMutator;
use crate::kit::draft::{Additions, Position};
use case::Step;
use semantics::Value;
use smt::{Sort, Term};

/// The number of choices for the other side of a bound.
const BOUND_CHOICES: u32 = 2;
/// The maximum number of bounds of a fresh variable.
const MOST_BOUNDS: u64 = 3;

/// How a fresh variable makes up for the difference between the old and the new term.
struct Balance {
    /// The operator over the new term and the variable.
    whole: &'static str,
    /// Whether the variable is its first argument.
    variable_first: bool,
    /// The operator that computes the variable's value.
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

/// The relations between a fresh variable and another term of its sort.
fn relations(sort: Sort, is_vector: bool) -> &'static [&'static str] {
    match sort {
        Sort::INT | Sort::REAL => &["<=", "<", ">=", ">", "distinct"],
        Sort::STRING => &["str.<=", "str.prefixof", "str.suffixof", "str.contains", "distinct"],
        _ if is_vector => &["bvule", "bvult", "bvsle", "bvslt", "bvuge", "bvsge", "distinct"],
        _ => &["distinct", "="],
    }
}

impl DiverMutator {
    /// Replaces a term by one with the same value. The position is drawn by occurrence half of the time, and by assertion
    /// otherwise, so that small assertions get a share, too.
    pub(super) fn balance(&mut self) -> bool {
        let mut position = Position::default();
        let chosen = if self.random.chance(1, 2) {
            self.draft.choose(&mut self.random, &mut position)
        } else {
            self.draft.choose_by_descent(&mut self.random, &mut position)
        };
        if !chosen || !self.draft.is_assertion(position.root) {
            return false;
        }
        let old = position.term();
        let mut additions = self.additions();
        let Some(new) = self.balanced(&position, old, &mut additions) else { return false };
        let root = self.draft.rebuilt(&position, new);
        // The evaluation of everything new decides.
        let mut all = additions.assertions.clone();
        all.push(root);
        if !all.into_iter().all(|term| self.is_true(term)) {
            return false;
        }
        let step = Step {
            action: "balance".into(),
            before: self.draft.abridged(old),
            after: self.draft.abridged(new),
        };
        self.draft.commit_with(position.root, root, &additions, step)
    }

    /// A new term with the value of the old one.
    fn balanced(&mut self, position: &Position, old: Term, additions: &mut Additions) -> Option<Term> {
        let sort = self.draft.arena.sort(old);
        // Half of the new terms are leaves: a small change can show what a large one hides.
        let bound = if self.random.chance(1, 2) { 0 } else { self.bound() };
        let other = self.new_term(position, sort, bound)?;
        let balances = match sort {
            Sort::INT => NUMBERS,
            Sort::REAL => REALS,
            Sort::BOOL => TRUTHS,
            _ if self.draft.arena.bitvec_width(sort).is_some() => VECTORS,
            Sort::STRING if self.random.chance(1, 2) => return self.split(position, old, additions),
            _ => return self.branches(position, old, other, additions),
        };
        if self.random.chance(1, 8) {
            return self.branches(position, old, other, additions);
        }
        let mode = self.random.pick(balances)?;
        let arena = &mut self.draft.arena;
        let difference = if mode.old_first { [old, other] } else { [other, old] };
        let difference = arena.apply(mode.difference, &difference).ok()?;
        let variable = self.loose_variable(position, difference, additions)?;
        let whole = if mode.variable_first { [variable, other] } else { [other, variable] };
        self.draft.arena.apply(mode.whole, &whole).ok()
    }

    /// A conditional with the old value in the branch that is taken, and anything in the other.
    fn branches(
        &mut self,
        position: &Position,
        old: Term,
        other: Term,
        additions: &mut Additions,
    ) -> Option<Term> {
        let condition = self.new_term(position, Sort::BOOL, BOUND_CHOICES)?;
        let taken = self.value(condition)?;
        let variable = self.loose_variable(position, old, additions)?;
        let branches = if taken == Value::Bool(true) { [variable, other] } else { [other, variable] };
        self.draft.arena.apply("ite", &[condition, branches[0], branches[1]]).ok()
    }

    /// A string as the concatenation of two fresh ones.
    fn split(&mut self, position: &Position, old: Term, additions: &mut Additions) -> Option<Term> {
        let Value::Str(text) = self.value(old)? else { return None };
        let cut = self.random.index(text.len() + 1);
        let [zero, cut, length] = [0, cut, text.len()]
            .map(|number| Value::Int(number.into()))
            .map(|number| self.term_of(&number, Sort::INT));
        let arena = &mut self.draft.arena;
        let before = arena.apply("str.substr", &[old, zero?, cut?]).ok()?;
        let after = arena.apply("str.substr", &[old, cut?, length?]).ok()?;
        let before = self.loose_variable(position, before, additions)?;
        let after = self.loose_variable(position, after, additions)?;
        self.draft.arena.apply("str.++", &[before, after]).ok()
    }

    /// A fresh variable with the value of a term, and a few bounds that hold but do not pin it down.
    fn loose_variable(&mut self, position: &Position, term: Term, additions: &mut Additions) -> Option<Term> {
        let value = self.value(term)?;
        let sort = self.draft.arena.sort(term);
        let variable = self.variable_of(value, sort, additions)?;
        let outside = Position { root: position.root, origin: position.origin, ..Position::default() };
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
