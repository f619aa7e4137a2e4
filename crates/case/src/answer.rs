//! A solver's answer to one `check-sat`.

use serde::{Deserialize, Serialize};

/// A solver's answer to one `check-sat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// Satisfiable.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// The solver gave up.
    Unknown,
    /// The solver printed an error instead of an answer.
    Missing,
}

impl Answer {
    /// The answer as SMT-LIB spells it; `error` for a missing one.
    pub fn word(self) -> &'static str {
        match self {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown => "unknown",
            Answer::Missing => "error",
        }
    }

    /// Whether the two answers cannot both be right.
    pub fn contradicts(self, other: Answer) -> bool {
        matches!((self, other), (Answer::Sat, Answer::Unsat) | (Answer::Unsat, Answer::Sat))
    }

    /// Whether the answer is `sat` or `unsat`.
    pub fn is_decided(self) -> bool {
        matches!(self, Answer::Sat | Answer::Unsat)
    }
}
