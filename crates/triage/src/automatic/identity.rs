//! What identifies a bug after its script was reduced: who fails, how, and on which operators.

use crate::cluster::{Facts, MemoryError, normalised};
use crate::operators::{is_common, is_extension};
use case::{Class, Clause};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Operators of one meaning: each is defined by another of its family.
const FAMILIES: [&[&str]; 6] = [
    &["<", "<=", ">", ">="],
    &["str.<", "str.<="],
    &["bvult", "bvule", "bvugt", "bvuge"],
    &["bvslt", "bvsle", "bvsgt", "bvsge"],
    &["fp.lt", "fp.leq", "fp.gt", "fp.geq"],
    &["div", "mod", "rem", "/"],
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
        let (solver, options) = (facts.solver.clone(), clause.options.clone());
        Identity { solver, failure, options, operators, memory_error: MemoryError::of(facts) }
    }

    /// Whether two findings are likely one bug: they are one failure, or their memory errors have one reason.
    pub fn is_same_bug(&self, other: &Identity) -> bool {
        let is_same_error = match (&self.memory_error, &other.memory_error) {
            (Some(one), Some(two)) => self.solver == other.solver && one.has_same_reason(two),
            _ => false,
        };
        is_same_error || self.is_same_failure(other)
    }

    /// Whether two findings fail alike on the same operators, or one explains the other.
    pub fn is_same_failure(&self, other: &Identity) -> bool {
        let is_equal = self.fails_like(other)
            && self.failure == other.failure
            && families(&self.operators) == families(&other.operators);
        is_equal || self.explains(other) || other.explains(self)
    }

    fn fails_like(&self, other: &Identity) -> bool {
        // A solver that computes an operator wrongly also rejects right models.
        let rejects = self.failure == Failure::Answer && other.failure == Failure::Other(Class::InvalidModel);
        let failure = self.failure == other.failure || rejects;
        failure && self.solver == other.solver && (self.options == other.options || rejects)
    }

    /// Whether the other finding is likely the same bug because its script uses the operator that this one was reduced to.
    fn explains(&self, other: &Identity) -> bool {
        !matches!(self.failure, Failure::Crash(_))
            && self.fails_like(other)
            && self.culprit().is_some_and(|culprit| families(&other.operators).contains(family(culprit)))
    }

    /// The operator that the finding was reduced to. Beside one that is not in the standard there may be common ones: most bugs of
    /// standard operators need several of them, those of others need that one.
    fn culprit(&self) -> Option<&String> {
        let mut uncommon = self.operators.iter().filter(|name| !is_common(name));
        let only = uncommon.next().filter(|_| uncommon.next().is_none())?;
        (self.operators.len() == 1 || is_extension(only)).then_some(only)
    }
}

/// The operators, each by the first of its family.
fn families(operators: &BTreeSet<String>) -> BTreeSet<&str> {
    operators.iter().map(|name| family(name)).collect()
}

fn family(operator: &str) -> &str {
    let family = FAMILIES.iter().find(|family| family.contains(&operator));
    family.map_or(operator, |family| family[0])
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
            memory_error: None,
        };
        let answer = |operators| identity(Failure::Answer, operators);
        let table = [
            (answer("bvnego"), answer("bvadd bvnego"), true),
            (answer("bvnego"), answer("bvadd"), false),
            (answer("bvadd bvnego"), answer("bvadd bvnego bvsub"), false),
            (answer("+"), answer("+ mod"), false),
            (answer("< seq.last_indexof"), answer("seq.last_indexof seq.len"), true),
            (answer("< str.at"), answer("str.at str.len"), false),
            (answer("str.<"), answer("str.++ str.<="), true),
            (answer("mod"), answer("/ tan"), true),
            (answer("bvnego"), identity(Failure::Other(Class::InvalidCore), "bvnego"), false),
            (answer("bvnego"), identity(Failure::Other(Class::InvalidModel), "bvadd bvnego"), true),
            (identity(Failure::Other(Class::InvalidModel), "bvnego"), answer("bvadd bvnego"), false),
            (identity(Failure::Crash("a".to_owned()), "bvnego"), answer("bvnego bvadd"), false),
        ];
        for (one, other, expected) in table {
            assert_eq!(one.explains(&other), expected, "{one:?} {other:?}");
        }
    }

    #[test]
    fn operators_of_one_family_are_equal() {
        let identity = |operators: &str| Identity {
            solver: "z3".to_owned(),
            failure: Failure::Answer,
            options: Vec::new(),
            operators: operators.split_whitespace().map(str::to_owned).collect(),
            memory_error: None,
        };
        let table =
            [(">=", "<", true), ("+ >=", "+ <", true), ("str.<", "<", false), ("bvult", "bvslt", false)];
        for (one, other, expected) in table {
            assert_eq!(identity(one).is_same_bug(&identity(other)), expected, "{one}, {other}");
        }
    }
}
