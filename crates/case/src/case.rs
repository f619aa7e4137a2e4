//! A script to ask solvers, with what is known about its answer.

use crate::answer::Answer;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// What is known about the right answer of a case, and why.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expectation {
    /// Nothing: only a contradiction can show a bug.
    #[default]
    Unknown,
    /// Satisfiable, with a witness: a model that makes every assertion true.
    Sat {
        /// The model as a list of `define-fun`s.
        model: String,
    },
    /// Unsatisfiable, for a stated reason.
    Unsat {
        /// Why.
        reason: String,
    },
    /// The script itself states its answers. That is weak evidence: a label may be wrong, or older than the script.
    Labelled {
        /// The `:status` of each check; `unknown` for a check without one.
        answers: Vec<Answer>,
    },
}

/// One step from the seed to the case, for people to read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What was done, such as `replace`.
    pub action: Cow<'static, str>,
    /// The old text (shortened).
    pub before: String,
    /// The new text (shortened).
    pub after: String,
}

/// A script to ask solvers.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Case {
    /// The script.
    pub text: String,
    /// What is known about its answer.
    pub expectation: Expectation,
    /// The steps from the seed to this script, in order.
    pub lineage: Vec<Step>,
    /// The profile names of the solvers that support every operator of the script; `None` for all.
    pub solvers: Option<BTreeSet<String>>,
    /// The theories of the script, by the names of the signature files.
    pub theories: BTreeSet<String>,
}
