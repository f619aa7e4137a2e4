//! The kinds of bugs.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The kinds of bugs, the most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// A solver answers `unsat`, and there is evidence of a model.
    WrongUnsat,
    /// A solver answers `sat`, and there is evidence against it.
    WrongSat,
    /// Solvers contradict each other, and it is undecided which is wrong.
    Contradiction,
    /// A solver rewrites a term to one with another value.
    WrongRewrite,
    /// A solver's optimum is not attained by its model, or not the best value.
    WrongOptimum,
    /// A solver says that something follows from the assertions which does not.
    WrongConsequence,
    /// A solver's model does not satisfy the script.
    InvalidModel,
    /// A solver gives a term a value that it does not have under the model.
    WrongValue,
    /// A solver gives a model again that was blocked, or misses another one.
    RepeatedModel,
    /// A solver's unsat core is satisfiable.
    InvalidCore,
    /// A solver's own check, or another checker, rejects its unsat core or proof.
    InvalidProof,
    /// A solver crashes, or reports a violated assertion of its own.
    Crash,
    /// A solver answers differently after it has run other scripts.
    StateLeak,
    /// A solver prints a term with another value.
    WrongPrinting,
    /// A solver is far slower than all others: a candidate, not a bug.
    Performance,
    /// Answers contradict the `:status` of a seed, and nothing speaks against the answers: a candidate, not a bug.
    WrongLabel,
    /// A solver answers `unknown` although it answered a script from which the answer follows: a candidate, not a bug.
    Incompleteness,
}

impl Class {
    /// All classes, the most severe first.
    pub const ALL: [Class; 17] = [
        Class::WrongUnsat,
        Class::WrongSat,
        Class::Contradiction,
        Class::WrongRewrite,
        Class::WrongOptimum,
        Class::WrongConsequence,
        Class::InvalidModel,
        Class::WrongValue,
        Class::RepeatedModel,
        Class::InvalidCore,
        Class::InvalidProof,
        Class::Crash,
        Class::StateLeak,
        Class::WrongPrinting,
        Class::Performance,
        Class::WrongLabel,
        Class::Incompleteness,
    ];

    /// The name in signatures, lists and folder names.
    pub fn name(self) -> &'static str {
        match self {
            Class::WrongUnsat => "wrong-unsat",
            Class::WrongSat => "wrong-sat",
            Class::Contradiction => "contradiction",
            Class::WrongRewrite => "wrong-rewrite",
            Class::WrongOptimum => "wrong-optimum",
            Class::WrongConsequence => "wrong-consequence",
            Class::InvalidModel => "invalid-model",
            Class::WrongValue => "wrong-value",
            Class::RepeatedModel => "repeated-model",
            Class::InvalidCore => "invalid-core",
            Class::InvalidProof => "invalid-proof",
            Class::Crash => "crash",
            Class::StateLeak => "state-leak",
            Class::WrongPrinting => "wrong-printing",
            Class::Performance => "performance",
            Class::WrongLabel => "wrong-label",
            Class::Incompleteness => "incompleteness",
        }
    }

    /// The class with this name.
    pub fn from_name(name: &str) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.name() == name)
    }

    /// Whether it is a bug. Only bugs change the exit code.
    pub fn is_bug(self) -> bool {
        !matches!(self, Class::Performance | Class::WrongLabel | Class::Incompleteness)
    }

    /// Whether it is about wrong answers to `check-sat`.
    pub fn is_about_answers(self) -> bool {
        matches!(self, Class::WrongSat | Class::WrongUnsat | Class::Contradiction)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
