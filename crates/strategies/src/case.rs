//! A case: a script to ask solvers, with what is known about its answer.

use std::collections::BTreeSet;

/// What is known about the right answer of a case, and why.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Expectation {
    /// Nothing: only contradictions can show a bug.
    #[default]
    Unknown,
    /// Satisfiable, with a witness: a model, in SMT-LIB's own syntax, that makes every assertion true.
    Sat {
        /// The model as a list of `define-fun`s.
        model: String,
    },
    /// Unsatisfiable, for a stated reason.
    Unsat {
        /// Why.
        reason: String,
    },
}

/// One step of the making of a case, for people to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was done, such as `replace`.
    pub action: &'static str,
    /// What stood there before (shortened).
    pub before: String,
    /// What stands there now (shortened).
    pub after: String,
}

/// A script to ask solvers.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Case {
    /// The script.
    pub text: String,
    /// What is known about its answer.
    pub expectation: Expectation,
    /// The steps from the seed to this script, in order.
    pub lineage: Vec<Step>,
    /// The solvers that know every operator of the script, by profile name; `None` for all.
    pub solvers: Option<BTreeSet<String>>,
    /// The theories of the script, by the names of the signature files.
    pub theories: BTreeSet<String>,
}
