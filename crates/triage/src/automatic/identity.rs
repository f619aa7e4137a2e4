//! What identifies a bug after its script was reduced: who fails, how, and on which operators.

use crate::cluster::{Facts, MemoryError, normalised};
use crate::operators::is_value;
use crate::text::collapsed;
use case::{Answer, Class, Clause};
use serde::{Deserialize, Serialize};
use smt::sexpr::Sexpr;
use std::collections::BTreeSet;

/// Commands that say nothing about a bug.
const USUAL: [&str; 14] = [
    "set-logic",
    "set-info",
    "set-option",
    "declare-const",
    "declare-fun",
    "declare-sort",
    "declare-datatypes",
    "assert",
    "check-sat",
    "get-model",
    "simplify",
    "push",
    "pop",
    "exit",
];

/// The command that runs a tactic.
const TACTIC: &str = "check-sat-using";

/// What identifies a bug after reduction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The solver that is wrong, without its release.
    pub solver: String,
    /// How it fails.
    pub failure: Failure,
    /// Its wrong answer, if it is known that another is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong_answer: Option<Answer>,
    /// The options that it needs to fail.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// The operators of the script except values; its theories if it has none beyond the Boolean ones. Empty for a crash that says enough itself.
    pub operators: BTreeSet<String>,
    /// The unusual commands of the script, in order. If all operators are common, these say more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<String>,
    /// The crash, if a signal ended the solver in known functions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_error: Option<MemoryError>,
}

/// How a solver fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// A wrong answer or an invalid model. An operator that a solver gets wrong shows as all of them.
    Answer,
    /// It crashes, with this text.
    Crash(String),
    /// Anything else of this class.
    Other(Class),
}

impl Failure {
    /// Whether a wrong operator that shows in this way may also show in the other. A solver that computes it wrongly also rejects right
    /// models, and it rewrites terms alike in `simplify` and before it decides a formula.
    pub(super) fn may_cause(&self, other: &Failure) -> bool {
        match (self, other) {
            (Failure::Answer, Failure::Other(class)) => {
                matches!(class, Class::InvalidModel | Class::WrongRewrite)
            }
            (Failure::Other(Class::WrongRewrite), Failure::Answer) => true,
            _ => false,
        }
    }
}

impl Identity {
    /// The identity of a bug of this class with these facts, as one clause shows it by a script.
    pub fn new(class: Class, clause: &Clause, facts: &Facts, script: &str) -> Identity {
        let crash = facts.crash.as_ref();
        let failure = match (class, crash) {
            (_, Some(crash)) => Failure::Crash(normalised(crash)),
            (Class::InvalidModel, _) if clause.claim.needs_no_witness() => Failure::Other(class),
            (class, _) if class.is_about_answers() || class == Class::InvalidModel => Failure::Answer,
            (class, _) => Failure::Other(class),
        };
        let wrong_answer = match class {
            Class::WrongUnsat => Some(Answer::Unsat),
            Class::WrongSat | Class::InvalidModel => Some(Answer::Sat),
            _ => None,
        };
        let mut operators = facts.operators.clone();
        operators.retain(|name| !is_value(name));
        let operators = match crash {
            Some(crash) if !crash.is_vague() => BTreeSet::new(),
            _ if operators.is_empty() => facts.theories.clone(),
            _ => operators,
        };
        Identity {
            solver: facts.solver.clone(),
            failure,
            wrong_answer,
            options: clause.options.clone(),
            operators,
            commands: unusual_commands(script),
            memory_error: MemoryError::of(facts),
        }
    }

    /// The tactic that is to blame. Reduction has tried to do without it.
    pub(super) fn tactic(&self) -> Option<&String> {
        self.commands.iter().find(|command| command.contains(TACTIC))
    }
}

/// The commands of a script that most scripts do not have. Reduction has removed those that do not matter.
fn unusual_commands(script: &str) -> Vec<String> {
    let mut found = Vec::new();
    // A name defines a function. Unsat cores need names that define nothing of interest.
    if script.contains(":named") && !script.contains(":produce-unsat-cores") {
        found.push("define-fun".to_owned());
    }
    for command in smt::sexpr::read_all(script).unwrap_or_default() {
        let words = command.list().unwrap_or_default();
        match words.first().and_then(Sexpr::atom) {
            Some(name) if USUAL.contains(&name) => {}
            // The tactic matters.
            Some(TACTIC) => {
                let span = command.span();
                found.push(collapsed(&script[span.start as usize..span.end as usize]));
            }
            name => found.extend(name.map(str::to_owned)),
        }
    }
    found
}
