//! Translates terms into formulas over polynomials.
//!
//! A Boolean term becomes a formula, any other term a list of cases: values with the conditions under which the term has them.

mod applications;
mod arithmetic;
mod comparisons;
mod connectives;
mod open_values;
mod quantifiers;

use std::collections::BTreeMap;

use smt::{Binder, Op, Sort, Term, View};

use super::cases::{Case, Combination, Leaf};
use super::formula::{FALSE, Formula, Kinds};
use crate::data::Value;
use crate::eval::Evaluator;
use crate::reason::Reason;
use open_values::OpenValues;

/// The deepest term to translate: the walk over it is recursive.
const MAX_DEPTH: u32 = 150;

/// What a term or a local variable means.
#[derive(Clone)]
enum Meant {
    Truth(Formula),
    Cases(Vec<Case>),
    /// It cannot be translated.
    Unknown,
}

/// A translation under way.
pub(super) struct Translation<'e, 'a> {
    evaluator: &'e mut Evaluator<'a>,
    kinds: Kinds,
    budget: u64,
    /// Local variables, the innermost last.
    bound: Vec<(Term, Meant)>,
    /// What is known under the current bindings. Each binding starts a new layer.
    known: Vec<BTreeMap<Term, Meant>>,
    /// Operations whose value is open, if they become variables.
    open: Option<OpenValues>,
    /// The numbers of values of large sorts.
    codes: BTreeMap<Value, usize>,
}

/// An application under translation.
#[derive(Clone, Copy)]
struct Call {
    term: Term,
    op: Op,
    depth: u32,
}

impl<'e, 'a> Translation<'e, 'a> {
    pub(super) fn new(evaluator: &'e mut Evaluator<'a>, budget: u64) -> Translation<'e, 'a> {
        let known = vec![BTreeMap::new()];
        Translation {
            evaluator,
            kinds: Kinds::default(),
            budget,
            bound: Vec::new(),
            known,
            open: None,
            codes: BTreeMap::new(),
        }
    }

    /// Makes a variable of every operation whose value neither the standard nor the model defines.
    pub(super) fn with_open_values(mut self) -> Self {
        self.open = Some(OpenValues::default());
        self
    }

    /// The formula, quantified over the open values; the kinds of the variables; and the budget that is left.
    pub(super) fn close(mut self, formula: Formula) -> (Formula, Kinds, u64) {
        let open = self.open.take().unwrap_or_default();
        let whole = Formula::join(true, open.ranges.into_iter().chain([formula]));
        let whole = open.variables.into_iter().fold(whole, |whole, variable| whole.exists(variable));
        (whole, self.kinds, self.budget)
    }

    /// The kinds of the variables, and the budget that is left.
    pub(super) fn finish(self) -> (Kinds, u64) {
        (self.kinds, self.budget)
    }

    fn spend(&mut self, steps: usize) -> Option<()> {
        self.budget = self.budget.checked_sub(steps as u64)?;
        Some(())
    }

    /// Pays for joining formulas.
    fn spend_on(&mut self, parts: &[Formula]) -> Option<()> {
        self.spend(parts.iter().map(|part| part.size() as usize).sum())
    }

    /// The formula of a Boolean term. `None` if it cannot be translated.
    pub(super) fn truth(&mut self, term: Term, depth: u32) -> Option<Formula> {
        match self.known.last().and_then(|layer| layer.get(&term)) {
            Some(Meant::Truth(formula)) => return Some(formula.clone()),
            Some(Meant::Unknown) => return None,
            _ => {}
        }
        let found = self.new_truth(term, depth);
        self.remember(term, found.clone().map_or(Meant::Unknown, Meant::Truth));
        found
    }

    /// The cases of a term of any sort.
    fn cases(&mut self, term: Term, depth: u32) -> Option<Vec<Case>> {
        if self.sort(term) == Sort::BOOL {
            let formula = self.truth(term, depth)?;
            return Some(self.truth_cases(formula));
        }
        match self.known.last().and_then(|layer| layer.get(&term)) {
            Some(Meant::Cases(cases)) => return Some(cases.clone()),
            Some(_) => return None,
            None => {}
        }
        let found = self.new_cases(term, depth);
        self.remember(term, found.clone().map_or(Meant::Unknown, Meant::Cases));
        found
    }

    fn remember(&mut self, term: Term, meant: Meant) {
        if let Some(layer) = self.known.last_mut() {
            layer.insert(term, meant);
        }
    }

    fn sort(&self, term: Term) -> Sort {
        self.evaluator.arena.sort(term)
    }

    /// A formula as a value.
    fn truth_cases(&self, formula: Formula) -> Vec<Case> {
        let case = |guard, value| Case::when(guard, Leaf::Ground(Value::Bool(value)));
        let otherwise = formula.not(&self.kinds);
        let all = [case(formula, true), case(otherwise, false)];
        all.into_iter().filter(|case| case.guard != FALSE).collect()
    }

    /// Evaluates in a scope with more local variables.
    fn with<T>(&mut self, new: Vec<(Term, Meant)>, inside: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.bound.len();
        self.bound.extend(new);
        self.known.push(BTreeMap::new());
        let found = inside(self);
        self.known.pop();
        self.bound.truncate(before);
        found
    }

    fn new_truth(&mut self, term: Term, depth: u32) -> Option<Formula> {
        let arena = self.evaluator.arena;
        if let Some(value) = self.ground_value(term, depth)? {
            return value.as_bool().map(Formula::Constant);
        }
        match arena.view(term) {
            View::Annotated { body, .. } => self.truth(body, depth + 1),
            View::Let { names, values, body } => {
                let new = self.let_values(names, values, depth)?;
                self.with(new, |this| this.truth(body, depth + 1))
            }
            View::Binder { kind: Binder::Forall | Binder::Exists, variables, bodies } => {
                let exists = matches!(arena.view(term), View::Binder { kind: Binder::Exists, .. });
                self.quantifier(exists, variables, bodies[0], depth)
            }
            View::App(op, args) => match self.connective(term, op, args, depth) {
                Some(found) => found,
                None => self.value_truth(term, depth),
            },
            _ => self.value_truth(term, depth),
        }
    }

    /// The value of a term that has one without a translation; `None` inside if it has to be translated, `None` if that is too much
    /// work or impossible.
    fn ground_value(&mut self, term: Term, depth: u32) -> Option<Option<Value>> {
        self.spend(1)?;
        if depth > MAX_DEPTH {
            return None;
        }
        let arena = self.evaluator.arena;
        if !arena.has_no_locals(term) || arena.has_binder(term) {
            return Some(None);
        }
        match self.evaluator.run(term) {
            Ok(value) => Some(Some(value)),
            Err(reason) if self.may_be_open(reason) => Some(None),
            Err(_) => None,
        }
    }

    /// Whether a term may have a value if open values become variables.
    fn may_be_open(&self, reason: Reason) -> bool {
        self.open.is_some() && matches!(reason, Reason::Open(..))
    }

    /// The values of a `let` as bindings.
    fn let_values(&mut self, names: &[Term], values: &[Term], depth: u32) -> Option<Vec<(Term, Meant)>> {
        let mut new = Vec::with_capacity(names.len());
        for (&name, &value) in names.iter().zip(values) {
            let meant = if self.sort(value) == Sort::BOOL {
                self.truth(value, depth + 1).map_or(Meant::Unknown, Meant::Truth)
            } else {
                self.cases(value, depth + 1).map_or(Meant::Unknown, Meant::Cases)
            };
            new.push((name, meant));
        }
        Some(new)
    }

    /// The formula of a Boolean term that is a value of its own, such as a call.
    fn value_truth(&mut self, term: Term, depth: u32) -> Option<Formula> {
        if let Some((_, meant)) = self.bound.iter().rev().find(|(local, _)| *local == term) {
            return match meant {
                Meant::Truth(formula) => Some(formula.clone()),
                Meant::Cases(cases) => is_true(&cases.clone()),
                Meant::Unknown => None,
            };
        }
        let cases = self.new_cases(term, depth)?;
        is_true(&cases)
    }

    fn new_cases(&mut self, term: Term, depth: u32) -> Option<Vec<Case>> {
        let arena = self.evaluator.arena;
        if let Some(value) = self.ground_value(term, depth)? {
            return Some(vec![Case::always(Leaf::Ground(value))]);
        }
        match arena.view(term) {
            View::Local(_) => self.local(term),
            View::Annotated { body, .. } => self.cases(body, depth + 1),
            View::Let { names, values, body } => {
                let new = self.let_values(names, values, depth)?;
                self.with(new, |this| this.cases(body, depth + 1))
            }
            View::App(op, args) => self.application(Call { term, op, depth }, args),
            _ => None,
        }
    }

    fn local(&mut self, term: Term) -> Option<Vec<Case>> {
        if let Some((_, meant)) = self.bound.iter().rev().find(|(local, _)| *local == term) {
            return match meant {
                Meant::Cases(cases) => Some(cases.clone()),
                Meant::Truth(formula) => Some(self.truth_cases(formula.clone())),
                Meant::Unknown => None,
            };
        }
        let (outcome, _) = self.evaluator.memory.local(term)?;
        outcome.clone().ok().map(|value| vec![Case::always(Leaf::Ground(value))])
    }
}

/// Where a Boolean value is true.
fn is_true(cases: &[Case]) -> Option<Formula> {
    let mut parts = Vec::new();
    for case in cases {
        let Leaf::Ground(Value::Bool(value)) = case.leaf else { return None };
        let whole =
            Combination { guard: case.guard.clone(), defined: case.defined.clone(), leaves: Vec::new() };
        parts.push(whole.formula(Formula::Constant(value)));
    }
    Some(Formula::join(false, parts))
}
