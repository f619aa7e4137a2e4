//! Validation: does a model make the assertions of a script true?

mod explain;
mod open_values;
mod question;

pub use explain::{Explanation, reasons_text};
pub use question::{Question, definitions_at_end, questions};

use smt::{Arena, Script, Term};

use crate::data::Value;
use crate::eval::{Evaluator, Limits, Memory};
use crate::model::Model;
use crate::reason::Reason;
use open_values::{Decision, Open};

/// The result of validating a model.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Every assertion is true, for some choice of the values that neither the standard nor the model defines.
    Valid,
    /// An assertion is false, whatever these values are.
    Invalid {
        /// Its index among the assertions and assumptions of the question.
        index: usize,
        /// The assertion.
        term: Term,
        /// Why it is false.
        explanation: Explanation,
    },
    /// No assertion is false, and some are undetermined.
    Undetermined {
        /// The undetermined assertions, and why.
        reasons: Vec<(Term, Reason)>,
    },
}

/// Validates a model for the last `check-sat` of a script.
///
/// ```
/// use elenchus_semantics::validate::reasons_text;
/// use elenchus_semantics::{Model, Verdict, validate};
/// use elenchus_semantics::smt::{self, Arena, Scope};
///
/// let mut arena = Arena::default();
/// let mut scope = Scope::default();
/// let text = "(declare-const p Bool) (declare-const q Bool) (assert (or p q)) (check-sat)";
/// let script = smt::parse_in_scope(&mut arena, &mut scope, text).expect("a well-typed script");
///
/// let model = Model::read(&mut arena, &scope, "((define-fun p () Bool true))", Default::default())?;
/// assert!(matches!(validate(&arena, &script, &model), Verdict::Valid));
///
/// // Without a value for `q`, nothing decides the disjunction.
/// let model = Model::read(&mut arena, &scope, "((define-fun p () Bool false))", Default::default())?;
/// let Verdict::Undetermined { reasons } = validate(&arena, &script, &model) else { panic!("`q` is missing") };
/// assert_eq!(reasons_text(&arena, &reasons), ["the model does not define `q`"]);
/// # Ok::<(), elenchus_semantics::model::ReadError>(())
/// ```
pub fn validate(arena: &Arena, script: &Script, model: &Model) -> Verdict {
    let last = questions(script).pop().unwrap_or_default();
    judge(arena, &last, model, Limits::default(), Memory::default()).0
}

/// Validates a model for one question. Pass the returned memory on to the next call over the same arena.
pub fn judge(
    arena: &Arena,
    question: &Question,
    model: &Model,
    limits: Limits,
    memory: Memory,
) -> (Verdict, Memory) {
    let mut evaluator =
        Evaluator::with_memory(arena, model, &question.definitions, memory).with_limits(limits);
    let mut reasons = Vec::new();
    for (index, &term) in question.assertions.iter().enumerate() {
        match evaluator.evaluate(term) {
            Ok(Value::Bool(true)) => {}
            Ok(_) => {
                let explanation = explain::explain(&mut evaluator, term);
                return (Verdict::Invalid { index, term, explanation }, evaluator.into_memory());
            }
            Err(reason) => reasons.push((term, reason)),
        }
    }
    let memory = evaluator.into_memory();
    if reasons.is_empty() {
        return (Verdict::Valid, memory);
    }
    let terms = reasons.iter().map(|(term, _)| *term).collect();
    let open = Open { arena, question, model, limits, terms };
    let (decision, memory) = open.decide(&reasons, memory);
    match decision {
        Some(Decision::Valid) => (Verdict::Valid, memory),
        Some(Decision::Invalid(terms)) => refuted(arena, question, model, limits, &terms, memory),
        None => (Verdict::Undetermined { reasons }, memory),
    }
}

/// The verdict on assertions that no choice of open values makes true together. The last one is reported.
fn refuted(
    arena: &Arena,
    question: &Question,
    model: &Model,
    limits: Limits,
    terms: &[Term],
    memory: Memory,
) -> (Verdict, Memory) {
    let mut evaluator =
        Evaluator::with_memory(arena, model, &question.definitions, memory).with_limits(limits);
    let last = terms.last().copied();
    let index = question.assertions.iter().rposition(|&term| Some(term) == last).unwrap_or(0);
    let term = question.assertions[index];
    let explanation = explain::explain_choice(&mut evaluator, term, terms);
    (Verdict::Invalid { index, term, explanation }, evaluator.into_memory())
}
