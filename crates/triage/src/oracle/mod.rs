//! The oracles: pure functions from what solvers did to what is wrong.
//!
//! What is *not* a bug: `unknown`, a limit of time, memory or output, a feature that a solver does not support, and an error
//! message. An error of one solver on a script that our own checker accepts is counted as rejected.

mod answers;
mod escapes;
mod evaluated;
mod models;
mod performance;
#[cfg(test)]
mod tests;

pub use escapes::largest_escape;
pub(crate) use escapes::old_escapes;
pub use evaluated::Evaluated;
pub use models::{ModelJudge, ModelOpinion, NoOpinion};

use crate::operators::operators;
use crate::verdict::{Bug, Verdict};
use case::text::collapsed;
use case::{Answer, Class, Crash, Evidence, Expectation, Outcome, RunResult, Signature, WitnessIndex};
use models::Opinions;
use solver::Observation;
use std::collections::BTreeSet;
use std::time::Duration;

/// What was asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The script.
    pub script: &'a str,
    /// What is known about its answer. It applies to scripts with one check only.
    pub expectation: &'a Expectation,
    /// The theories of the script.
    pub theories: &'a BTreeSet<String>,
}

/// One solver and what it did.
#[derive(Clone, Copy, Debug)]
pub struct Witness<'a> {
    /// The solver as reports name it, such as `z3@5.4.0`.
    pub id: &'a str,
    /// Its profile: two witnesses of one profile are not independent.
    pub name: &'a str,
    /// What it did.
    pub observation: &'a Observation,
}

/// What counts as far too slow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Whether slow answers count.
    pub performance: bool,
    /// How many times slower than the slowest other solver.
    pub slow_ratio: f64,
    /// How slow at least.
    pub slow_floor: Duration,
}

impl Default for Rules {
    fn default() -> Self {
        Rules { performance: true, slow_ratio: 50.0, slow_floor: Duration::from_secs(5) }
    }
}

/// Judges what solvers did with a case.
pub fn judge(
    question: &Question<'_>,
    witnesses: &[Witness<'_>],
    models: &mut dyn ModelJudge,
    rules: &Rules,
) -> Verdict {
    let mut verdict = Verdict::default();
    for (index, witness) in WitnessIndex::all(witnesses.len()).zip(witnesses) {
        match &witness.observation.outcome {
            Outcome::Crash(crash) => verdict.bugs.push(crashed(question, witness, index, crash)),
            Outcome::InvalidModel { message } => {
                verdict.bugs.push(own_check(question, witness, index, Class::InvalidModel, message));
            }
            Outcome::InvalidProof { message } => {
                verdict.bugs.push(own_check(question, witness, index, Class::InvalidProof, message));
            }
            Outcome::Error { .. } => verdict.rejected.push(index),
            _ => {}
        }
    }
    // Releases from before the standard read such a script differently, so answers to it cannot be compared.
    if !old_escapes(question.script) {
        let opinions = Opinions::new(question, witnesses, models);
        answers::contradictions(question, witnesses, &opinions, &mut verdict.bugs);
        answers::unexpected(question, witnesses, &opinions, &mut verdict.bugs);
        answers::refuted_models(question, witnesses, &opinions, &mut verdict.bugs);
    }
    if rules.performance && verdict.bugs.is_empty() {
        verdict.bugs.extend(performance::slow(question, witnesses, rules));
    }
    for bug in &mut verdict.bugs {
        bug.evidence.sort_by_key(Evidence::rank);
    }
    verdict
}

/// The signature of a wrong answer or an invalid model.
fn answers_signature(
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

fn crashed(question: &Question<'_>, witness: &Witness<'_>, index: WitnessIndex, crash: &Crash) -> Bug {
    Bug {
        class: Class::Crash,
        suspects: vec![index],
        evidence: vec![Evidence::Crashed { solver: witness.id.to_owned(), crash: crash.clone() }],
        signature: Signature::Crash {
            solver: witness.name.to_owned(),
            crash: crash.clone(),
            theories: question.theories.clone(),
        },
    }
}

fn own_check(
    question: &Question<'_>,
    witness: &Witness<'_>,
    index: WitnessIndex,
    class: Class,
    message: &str,
) -> Bug {
    let (solver, message) = (witness.id.to_owned(), message.to_owned());
    Bug {
        class,
        suspects: vec![index],
        evidence: vec![Evidence::OwnCheck { solver, message }],
        signature: solver_signature(class, witness.name, question),
    }
}

fn solver_signature(class: Class, solver: &str, question: &Question<'_>) -> Signature {
    Signature::Solver { class, solver: solver.to_owned(), theories: question.theories.clone() }
}

/// The bug of an unsat core that is satisfiable. `giver` is the solver that returned the core, by id and profile; `by` returned
/// the model that our evaluation confirms.
pub fn wrong_core(question: &Question<'_>, giver: (&str, &str), core: &str, by: &str) -> Bug {
    let (id, name) = giver;
    let core = collapsed(core);
    Bug {
        class: Class::InvalidCore,
        suspects: vec![WitnessIndex(0)],
        evidence: vec![Evidence::CoreSatisfied { solver: id.to_owned(), core, by: by.to_owned() }],
        signature: solver_signature(Class::InvalidCore, name, question),
    }
}

/// The bug of a warm process that a fresh one does not show, if only state left by earlier scripts explains the difference. A
/// limit that was hit, or `unknown`, explains nothing.
pub fn state_leak(
    question: &Question<'_>,
    warm: &Witness<'_>,
    cold: &Observation,
    index: WitnessIndex,
) -> Option<Bug> {
    let seen = warm.observation;
    if seen.mode == cold.mode || cold.outcome != Outcome::Answered {
        return None;
    }
    let crashed = matches!(seen.outcome, Outcome::Crash(_));
    if !crashed && seen.contradicts(cold).is_none() {
        return None;
    }
    let (mode, warm_result, cold_result) = (seen.mode, run_result(seen), run_result(cold));
    Some(Bug {
        class: Class::StateLeak,
        suspects: vec![index],
        signature: Signature::StateLeak {
            solver: warm.name.to_owned(),
            mode,
            warm: warm_result.clone(),
            cold: cold_result.clone(),
            theories: question.theories.clone(),
        },
        evidence: vec![Evidence::WarmOnly {
            solver: warm.id.to_owned(),
            mode,
            warm: warm_result,
            cold: cold_result,
        }],
    })
}

/// What a run amounts to: its outcome and its answers.
pub fn run_result(observation: &Observation) -> RunResult {
    RunResult { outcome: observation.outcome.clone(), answers: observation.answers.clone() }
}
