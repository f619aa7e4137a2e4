//! What identifies a bug after its script was reduced: who fails, how, and on which operators.

use crate::cluster::{Facts, normalised};
use case::{Class, Clause};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Operators that are in so many scripts that one of them alone explains nothing.
const COMMON: [&str; 16] = [
    "+", "-", "*", "<", "<=", ">", ">=", "select", "store", "str.++", "str.len", "bvadd", "bvult", "concat",
    "extract", "seq.unit",
];

/// What identifies a bug after reduction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The solver that is wrong, without its release.
    pub solver: String,
    /// How it fails.
    pub failure: Failure,
    /// The options that it needs to fail.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// The operators of the script; its theories if it has none beyond the Boolean ones. Empty for a crash that says enough itself.
    pub operators: BTreeSet<String>,
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

impl Identity {
    /// The identity of a bug of this class with these facts, as one clause shows it.
    pub fn new(class: Class, clause: &Clause, facts: &Facts) -> Identity {
        let crash = facts.crash.as_ref();
        let failure = match (class, crash) {
            (_, Some(crash)) => Failure::Crash(normalised(crash)),
            (Class::InvalidModel, _) if clause.claim.needs_no_witness() => Failure::Other(class),
            (class, _) if class.is_about_answers() || class == Class::InvalidModel => Failure::Answer,
            (class, _) => Failure::Other(class),
        };
        let operators = match crash {
            Some(crash) if !crash.is_vague() => BTreeSet::new(),
            _ if facts.operators.is_empty() => facts.theories.clone(),
            _ => facts.operators.clone(),
        };
        Identity { solver: facts.solver.clone(), failure, options: clause.options.clone(), operators }
    }

    /// Whether two findings are likely one bug: their identities are equal, or one explains the other.
    pub fn is_same_bug(&self, other: &Identity) -> bool {
        self == other || self.explains(other) || other.explains(self)
    }

    /// Whether the other finding is likely the same bug because its script uses the one operator that this one was reduced to.
    fn explains(&self, other: &Identity) -> bool {
        let culprit = self
            .operators
            .first()
            .filter(|name| self.operators.len() == 1 && !COMMON.contains(&name.as_str()));
        !matches!(self.failure, Failure::Crash(_))
            && (&self.failure, &self.solver, &self.options) == (&other.failure, &other.solver, &other.options)
            && culprit.is_some_and(|culprit| other.operators.contains(culprit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_rare_operator_explains_other_findings() {
        let identity = |failure: Failure, operators: &str| Identity {
            solver: "z3".to_owned(),
            failure,
            options: Vec::new(),
            operators: operators.split_whitespace().map(str::to_owned).collect(),
        };
        let answer = |operators| identity(Failure::Answer, operators);
        let table = [
            (answer("bvnego"), answer("bvadd bvnego"), true),
            (answer("bvnego"), answer("bvadd"), false),
            (answer("bvadd bvnego"), answer("bvadd bvnego bvsub"), false),
            (answer("+"), answer("+ mod"), false),
            (answer("bvnego"), identity(Failure::Other(Class::InvalidCore), "bvnego"), false),
            (identity(Failure::Crash("a".to_owned()), "bvnego"), answer("bvnego bvadd"), false),
        ];
        for (one, other, expected) in table {
            assert_eq!(one.explains(&other), expected, "{one:?} {other:?}");
        }
    }
}
