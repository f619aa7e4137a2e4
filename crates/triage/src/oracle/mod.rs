//! The oracles: pure functions from what solvers did to what is wrong.
//!
//! What is *not* a bug: `unknown`, a limit of time, memory or output, a feature that a solver does not have, and an error
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

use crate::signature;
use crate::verdict::{Bug, Class, Evidence, Verdict};
use models::Opinions;
use solver::{Observation, Outcome};
use std::collections::BTreeSet;
use std::time::Duration;

/// What is known about the right answer of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected<'a> {
    /// Nothing.
    Unknown,
    /// Satisfiable by this model.
    Sat {
        /// The model, as `define-fun`s.
        model: &'a str,
    },
    /// Unsatisfiable for this reason.
    Unsat {
        /// The reason.
        reason: &'a str,
    },
}

/// What was asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The script.
    pub script: &'a str,
    /// What is known about its answer. It is about scripts with one check; others are not judged by it.
    pub expected: Expected<'a>,
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
    /// Whether slow answers are looked at.
    pub performance: bool,
    /// How many times slower than the slowest other.
    pub slow_ratio: f64,
    /// How slow at the least.
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
    for (place, witness) in witnesses.iter().enumerate() {
        match &witness.observation.outcome {
            Outcome::Crash(what) => verdict.bugs.push(crash(question, witness, place, &what.key())),
            Outcome::InvalidModel { message } => {
                verdict.bugs.push(own_check(question, witness, place, Class::InvalidModel, message));
            }
            Outcome::InvalidProof { message } => {
                verdict.bugs.push(own_check(question, witness, place, Class::InvalidProof, message));
            }
            Outcome::Error { .. } => verdict.rejected.push(place),
            _ => {}
        }
    }
    // To releases from before the standard such a script is another question than to the rest, and to us.
    if !old_escapes(question.script) {
        let mut opinions = Opinions::new(question, witnesses, models);
        answers::contradictions(question, witnesses, &mut opinions, &mut verdict.bugs);
        answers::unexpected(question, witnesses, &mut opinions, &mut verdict.bugs);
        answers::refuted_models(question, witnesses, &mut opinions, &mut verdict.bugs);
    }
    if rules.performance && verdict.bugs.is_empty() {
        verdict.bugs.extend(performance::slow(question, witnesses, rules));
    }
    for bug in &mut verdict.bugs {
        bug.evidence.sort_by_key(Evidence::rank);
    }
    verdict
}

fn crash(question: &Question<'_>, witness: &Witness<'_>, place: usize, what: &str) -> Bug {
    Bug {
        class: Class::Crash,
        suspects: vec![place],
        evidence: vec![Evidence::Died { target: witness.id.to_owned(), what: what.to_owned() }],
        title: format!("{} crashes: {what}", witness.id),
        signature: signature::of_crash(witness.name, what, question.theories),
    }
}

fn own_check(
    question: &Question<'_>,
    witness: &Witness<'_>,
    place: usize,
    class: Class,
    message: &str,
) -> Bug {
    let target = witness.id.to_owned();
    Bug {
        class,
        suspects: vec![place],
        title: format!("{target} finds its own result wrong: {message}"),
        evidence: vec![Evidence::OwnCheck { target, message: message.to_owned() }],
        signature: signature::of_solver(class, witness.name, question.theories),
    }
}

/// A core that has a model: whose it is, by its id and its profile, and who gave the model that our evaluation confirms.
pub fn wrong_core(question: &Question<'_>, giver: (&str, &str), core: &str, by: &str) -> Bug {
    let (id, name) = giver;
    let core = core.split_whitespace().collect::<Vec<_>>().join(" ");
    Bug {
        class: Class::InvalidCore,
        suspects: vec![0],
        title: format!("{id} gives a core that has a model"),
        evidence: vec![Evidence::CoreSatisfied { target: id.to_owned(), core, by: by.to_owned() }],
        signature: signature::of_solver(Class::InvalidCore, name, question.theories),
    }
}

/// A finding of a warm process that a fresh one does not show: whether they differ in a way that only state left by
/// earlier scripts explains. A limit that was hit, or `unknown`, explains nothing.
pub fn leaks(question: &Question<'_>, warm: &Witness<'_>, cold: &Observation, place: usize) -> Option<Bug> {
    let seen = warm.observation;
    if seen.mode == cold.mode || cold.outcome != Outcome::Answered {
        return None;
    }
    let crashed = matches!(seen.outcome, Outcome::Crash(_));
    if !crashed && seen.contradicts(cold).is_none() {
        return None;
    }
    let target = warm.id.to_owned();
    let (warm_result, cold_result) = (describe(seen), describe(cold));
    Some(Bug {
        class: Class::StateLeak,
        suspects: vec![place],
        title: format!("{target} differs when kept warm ({}): {warm_result} for {cold_result}", seen.mode),
        signature: signature::of_solver(
            Class::StateLeak,
            &format!("{} {} {warm_result}/{cold_result}", warm.name, seen.mode),
            question.theories,
        ),
        evidence: vec![Evidence::WarmOnly { target, warm: warm_result, cold: cold_result }],
    })
}

/// What a run came to, in a few words: the answers, or what stood in their way.
pub fn describe(observation: &Observation) -> String {
    let words: Vec<&str> = observation.answers.iter().map(|answer| answer.word()).collect();
    match (&observation.outcome, words.is_empty()) {
        (Outcome::Answered, true) => "no question".to_owned(),
        (Outcome::Answered, false) => words.join(" "),
        (outcome, true) => outcome.to_string(),
        (outcome, false) => format!("{} ({outcome})", words.join(" ")),
    }
}
