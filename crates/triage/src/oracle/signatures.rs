//! The signatures of bugs.

use super::question::Question;
use crate::operators::operators;
use case::{Answer, Class, Signature};
use std::collections::BTreeSet;

/// The signature of a wrong answer or an invalid model.
pub(super) fn answers_signature(
    class: Class,
    said: BTreeSet<(String, Option<Answer>)>,
    question: &Question<'_>,
) -> Signature {
    Signature::Answers {
        class,
        said,
        theories: question.theories.clone(),
        operators: operators(question.script),
    }
}

/// The signature of a bug that concerns one solver.
pub(super) fn solver_signature(class: Class, solver: &str, question: &Question<'_>) -> Signature {
    Signature::Solver { class, solver: solver.to_owned(), theories: question.theories.clone() }
}
