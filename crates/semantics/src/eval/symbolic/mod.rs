//! Decides quantifiers over integers and reals symbolically, where no list of instances would do.
//!
//! `translate` turns a term into a formula over the signs of polynomials: functions and arrays of the model become case
//! distinctions, variables of small sorts are enumerated. `eliminate` then eliminates the quantifiers: linear integer variables by
//! Cooper's method (`integers`), linear real variables by virtual substitution (`reals`), and a variable that is alone by the roots
//! of its polynomials (`univariate`). All steps are exact. If a term or a formula does not fit, or the budget is used up, nothing
//! is decided.

mod cases;
mod eliminate;
mod formula;
mod integers;
mod polynomial;
mod reals;
mod translate;
mod univariate;

use smt::Term;

use super::Evaluator;
use eliminate::Elimination;
use formula::Formula;
use translate::Translation;

/// The cost of one step of an elimination, in steps of the evaluator.
const STEP_COST: u64 = 8;
/// The most steps for one term.
const MAX_STEPS: u64 = 40_000;
/// The most translations inside each other: a ground term may call a function whose definition has quantifiers.
const MAX_TRANSLATIONS: u32 = 2;

impl Evaluator<'_> {
    /// Whether some choice of the values that neither the standard nor the model defines makes all terms true. `None` if that
    /// is not decided.
    pub(crate) fn decide_with_open_values(&mut self, terms: &[Term]) -> Option<bool> {
        self.start();
        let budget = (self.steps / STEP_COST).min(MAX_STEPS);
        let mut translation = Translation::new(self, budget).with_open_values();
        let mut parts = Vec::new();
        for &term in terms {
            match translation.truth(term, 0) {
                Some(part) => parts.push(part),
                None => return None,
            }
        }
        let (formula, kinds, left) = translation.close(Formula::join(true, parts));
        let mut elimination = Elimination { kinds: &kinds, budget: left };
        match elimination.run(&formula)? {
            Formula::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The truth value of a term with quantifiers over numbers.
    pub(super) fn decide_symbolically(&mut self, term: Term) -> Option<bool> {
        if self.memory.undecidable.contains(&term) || self.translations >= MAX_TRANSLATIONS {
            return None;
        }
        self.translations += 1;
        let budget = (self.steps / STEP_COST).min(MAX_STEPS);
        let mut translation = Translation::new(self, budget);
        let formula = translation.truth(term, 0);
        let (kinds, left) = translation.finish();
        self.translations -= 1;
        let mut elimination = Elimination { kinds: &kinds, budget: left };
        let result = formula.and_then(|formula| elimination.run(&formula));
        let used = budget - elimination.budget.min(budget);
        self.steps = self.steps.saturating_sub(used * STEP_COST);
        match result {
            Some(Formula::Constant(value)) => Some(value),
            _ => {
                self.memory.undecidable.insert(term);
                None
            }
        }
    }
}
