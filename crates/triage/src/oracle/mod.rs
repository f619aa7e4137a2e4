//! The oracles: pure functions from runs of solvers to bugs.
//!
//! These are *not* bugs: `unknown`, a limit of time, memory or output, a feature that a solver does not support, and an error
//! message. An error of one solver on a script that our own checker accepts is counted as rejected.

mod answers;
mod escapes;
mod evaluated;
mod incompleteness;
mod labels;
mod models;
mod performance;
mod question;
mod signatures;
mod solver_defined;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use answers::{rejects_own_result, usable};
pub use escapes::largest_escape;
pub(crate) use escapes::old_escapes;
pub use evaluated::Evaluated;
pub use incompleteness::is_limit;
pub use models::{ModelJudge, ModelOpinion, NoOpinion};
pub use question::{Question, Rules, Witness, run_result};

use crate::proofs::Rejection;
use crate::statements::wrong_statement;
use crate::verdict::{Bug, Verdict};
use case::text::collapsed;
use case::{Class, Crash, Evidence, Misstatement, Outcome, Signature, WitnessIndex};
use models::Opinions;
use signatures::{answers_signature, solver_signature};
use solver::Observation;
use solver::run::Script;

/// Judges the runs of a case.
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
            Outcome::InvalidModel { message } if rejects_own_result(witness.observation) => {
                verdict.bugs.push(own_check(question, witness, index, Class::InvalidModel, message));
            }
            Outcome::InvalidProof { message } if rejects_own_result(witness.observation) => {
                verdict.bugs.push(own_check(question, witness, index, Class::InvalidProof, message));
            }
            Outcome::Error { .. } => verdict.rejected.push(index),
            _ => {}
        }
    }
    for (index, witness) in WitnessIndex::all(witnesses.len()).zip(witnesses) {
        verdict.bugs.extend(misstated(question, witness, index, models));
    }
    // Releases from before the standard read such strings differently. So answers cannot be compared.
    if !old_escapes(question.script) && !blocks_models(question.script) {
        let opinions = Opinions::new(question, witnesses, models);
        answers::contradictions(question, witnesses, &opinions, &mut verdict.bugs);
        answers::unexpected(question, witnesses, &opinions, &mut verdict.bugs);
        answers::refuted_models(question, witnesses, &opinions, &mut verdict.bugs);
        let wrong_sat: Vec<WitnessIndex> = suspects(&verdict.bugs, Class::WrongSat).collect();
        // The model of a wrong `sat` cannot be valid.
        verdict.bugs.retain(|bug| {
            bug.class != Class::InvalidModel || bug.suspects.iter().any(|one| !wrong_sat.contains(one))
        });
        labels::contradicted(question, witnesses, &opinions, &mut verdict.bugs);
    }
    if rules.performance && verdict.bugs.is_empty() {
        verdict.bugs.extend(performance::slow(question, witnesses, rules));
    }
    if rules.incompleteness && verdict.bugs.is_empty() {
        verdict.bugs.extend(incompleteness::gave_up(question, witnesses));
    }
    for bug in &mut verdict.bugs {
        bug.evidence.sort_by_key(Evidence::rank);
    }
    verdict
}

fn suspects(bugs: &[Bug], class: Class) -> impl Iterator<Item = WitnessIndex> + '_ {
    bugs.iter().filter(move |bug| bug.class == class).flat_map(|bug| bug.suspects.iter().copied())
}

/// Why answers to a script cannot be compared unless a model decides, if so.
pub fn incomparable(script: &str) -> Option<&'static str> {
    if old_escapes(script) {
        Some("it has strings with escapes that old releases read differently")
    } else if !solver_defined::solver_defined_operators(script).is_empty() {
        Some("it has an operator that solvers define differently")
    } else if blocks_models(script) {
        Some("it blocks models before a check, and solvers find different ones")
    } else {
        None
    }
}

/// Whether answers depend on the models that a solver found.
fn blocks_models(script: &str) -> bool {
    script.contains("(block-model") && Script::split(script).blocks_models()
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

/// The bug of a wrong statement, if the run shows one.
fn misstated(
    question: &Question<'_>,
    witness: &Witness<'_>,
    index: WitnessIndex,
    models: &mut dyn ModelJudge,
) -> Option<Bug> {
    let misstatement = wrong_statement(models, question.script, witness.observation)?.misstatement;
    let bug = misstatement_bug(question, (witness.id, witness.name), misstatement);
    Some(Bug { suspects: vec![index], ..bug })
}

/// The bug of a wrong statement. `giver` is the solver that made it, by id and profile.
pub fn misstatement_bug(question: &Question<'_>, giver: (&str, &str), misstatement: Misstatement) -> Bug {
    let (id, name) = giver;
    let class = misstatement.kind.class();
    Bug {
        class,
        suspects: vec![WitnessIndex(0)],
        evidence: vec![Evidence::Misstated { solver: id.to_owned(), misstatement }],
        signature: answers_signature(class, [(name.to_owned(), None)].into(), question),
    }
}

/// The bug of a satisfiable unsat core. `giver` is the solver that returned the core, by id and profile. `by` returned the model
/// that our evaluation confirms.
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

/// The bug of a proof that a checker rejects. `giver` is the solver that returned it, by id and profile.
pub fn rejected_proof(question: &Question<'_>, giver: (&str, &str), rejection: Rejection) -> Bug {
    let (id, name) = giver;
    let Rejection { checker, message } = rejection;
    Bug {
        class: Class::InvalidProof,
        suspects: vec![WitnessIndex(0)],
        evidence: vec![Evidence::ProofRejected { solver: id.to_owned(), checker, message }],
        signature: solver_signature(Class::InvalidProof, name, question),
    }
}

/// The bug of a warm process that a fresh one does not show, if only state from earlier scripts explains the difference. A limit
/// or `unknown` does not count as a difference.
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
    if !crashed && (seen.contradicts(cold).is_none() || blocks_models(question.script)) {
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
