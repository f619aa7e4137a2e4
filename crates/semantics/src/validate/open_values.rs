//! Decides a model that leaves values open: it is valid if some choice of them makes all assertions true, and invalid if none does.
//!
//! First the conventions of solvers are tried, such as `(div x 0)` = 0 for all `x`. Then open numbers become variables, and the
//! assertions are decided symbolically. What is left is a bounded search over the values of single operations. A choice is a
//! function of the arguments throughout. If the search is not exhaustive and finds nothing, the model stays undetermined.

use std::collections::BTreeMap;

use smt::{Arena, Term};

use super::Question;
use crate::data::Value;
use crate::eval::open::{Choices, Freedom, OpenPoint};
use crate::eval::{Evaluator, Limits, Memory};
use crate::model::Model;
use crate::reason::Reason;

/// The numbers that solvers choose for all open operations at once.
const CONVENTIONS: [i64; 3] = [0, 1, -1];
/// The most choices that the search tries.
const MAX_TRIES: u32 = 200;
/// The most values to try for one operation.
const MAX_VALUES: u64 = 16;
/// The search shares this many evaluations of full length among its choices.
const SEARCH_SHARE: u64 = 16;

/// What the choice of open values decides.
pub(super) enum Decision {
    /// Some choice makes all assertions true.
    Valid,
    /// No choice makes these assertions true together.
    Invalid(Vec<Term>),
}

/// The undetermined assertions of a question, and what they are evaluated with.
pub(super) struct Open<'a> {
    pub(super) arena: &'a Arena,
    pub(super) question: &'a Question,
    pub(super) model: &'a Model,
    pub(super) limits: Limits,
    pub(super) terms: Vec<Term>,
}

/// Whether a choice of values may decide a term that is undetermined for this reason.
fn depends_on_choice(reason: &Reason) -> bool {
    matches!(reason, Reason::Open(..) | Reason::Quantifier(..))
}

impl Open<'_> {
    /// Decides the assertions, if their reasons allow it.
    pub(super) fn decide(&self, reasons: &[(Term, Reason)], memory: Memory) -> (Option<Decision>, Memory) {
        if !reasons.iter().all(|(_, reason)| depends_on_choice(reason)) {
            return (None, memory);
        }
        let mut memory = memory;
        let completed = self.model.with_universes(self.arena, &self.terms);
        let model = completed.as_ref().unwrap_or(self.model);
        for number in CONVENTIONS {
            let choices = Choices { convention: Some(number), ..Choices::default() };
            let (holds, _, after) = self.all_true(model, choices, self.limits, memory);
            memory = after;
            if holds == Some(true) {
                return (Some(Decision::Valid), memory);
            }
        }
        // Quantifiers alone have been tried already.
        if reasons.iter().all(|(_, reason)| matches!(reason, Reason::Quantifier(..)))
            && self.is_closed(&mut memory)
        {
            return (None, memory);
        }
        let mut evaluator =
            Evaluator::with_memory(self.arena, self.model, &self.question.definitions, memory)
                .with_limits(self.limits);
        let decided = evaluator.decide_with_open_values(&self.terms);
        let decision = match decided {
            Some(true) => Some(Decision::Valid),
            Some(false) => Some(Decision::Invalid(self.least_contradiction(&mut evaluator))),
            None => None,
        };
        memory = evaluator.into_memory();
        if decision.is_some() {
            return (decision, memory);
        }
        let mut search = Search { open: self, tries: 0, exhaustive: true };
        let (found, memory) = search.run(BTreeMap::new(), memory);
        let decision = match found {
            true => Some(Decision::Valid),
            false if search.exhaustive => Some(Decision::Invalid(self.terms.clone())),
            false => None,
        };
        (decision, memory)
    }

    /// Whether evaluation meets no open operation.
    fn is_closed(&self, memory: &mut Memory) -> bool {
        let (_, met, after) =
            self.all_true(self.model, Choices::default(), self.limits, std::mem::take(memory));
        *memory = after;
        met.is_empty()
    }

    /// Whether all assertions are true under some choices; `None` if that is undetermined. Also the open operations that the
    /// choices do not cover.
    fn all_true(
        &self,
        model: &Model,
        choices: Choices,
        limits: Limits,
        memory: Memory,
    ) -> (Option<bool>, Vec<(OpenPoint, Freedom)>, Memory) {
        let mut evaluator = Evaluator::with_memory(self.arena, model, &self.question.definitions, memory)
            .with_limits(limits)
            .with_choices(choices);
        let mut holds = Some(true);
        for &term in &self.terms {
            match evaluator.evaluate(term) {
                Ok(Value::Bool(true)) => {}
                Ok(_) => {
                    holds = Some(false);
                    break;
                }
                Err(_) => holds = None,
            }
        }
        let met = evaluator.choices().map(|choices| choices.met.clone()).unwrap_or_default();
        (holds, met.into_iter().collect(), evaluator.into_memory())
    }

    /// The first assertions that contradict each other.
    fn least_contradiction(&self, evaluator: &mut Evaluator) -> Vec<Term> {
        for &term in &self.terms {
            if evaluator.decide_with_open_values(&[term]) == Some(false) {
                return vec![term];
            }
        }
        self.terms.clone()
    }
}

/// A search over the values of open operations, one after the other.
struct Search<'a> {
    open: &'a Open<'a>,
    tries: u32,
    /// Whether all choices so far were tried.
    exhaustive: bool,
}

impl Search<'_> {
    /// Whether the assertions are true for some extension of these choices.
    fn run(&mut self, points: BTreeMap<OpenPoint, Value>, memory: Memory) -> (bool, Memory) {
        if self.tries >= MAX_TRIES {
            self.exhaustive = false;
            return (false, memory);
        }
        self.tries += 1;
        let open = self.open;
        let limits = Limits { steps: open.limits.steps * SEARCH_SHARE / u64::from(MAX_TRIES), ..open.limits };
        let choices = Choices { points: points.clone(), ..Choices::default() };
        let (holds, met, mut memory) = open.all_true(open.model, choices, limits, memory);
        match holds {
            Some(true) => return (true, memory),
            Some(false) => return (false, memory),
            None => {}
        }
        if !points.is_empty() {
            // With some values chosen, the others may be decided symbolically.
            let choices = Choices { points: points.clone(), ..Choices::default() };
            let mut evaluator =
                Evaluator::with_memory(open.arena, open.model, &open.question.definitions, memory)
                    .with_limits(limits)
                    .with_choices(choices);
            let decided = evaluator.decide_with_open_values(&open.terms);
            memory = evaluator.into_memory();
            if let Some(decided) = decided {
                return (decided, memory);
            }
        }
        let Some((point, freedom)) = met.into_iter().next() else {
            // Something else is undetermined.
            self.exhaustive = false;
            return (false, memory);
        };
        let mut evaluator =
            Evaluator::with_memory(open.arena, open.model, &open.question.definitions, memory);
        let (values, complete) = evaluator.possible_values(&point, &freedom, &open.terms, MAX_VALUES);
        memory = evaluator.into_memory();
        self.exhaustive &= complete;
        for value in values {
            let mut longer = points.clone();
            longer.insert(point.clone(), value);
            let (found, after) = self.run(longer, memory);
            memory = after;
            if found {
                return (true, memory);
            }
        }
        (false, memory)
    }
}
