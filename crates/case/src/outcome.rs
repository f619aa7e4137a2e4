//! How a run ended.

use crate::answer::Answer;
use crate::crash::{Crash, signal_name};
use crate::wording::shown;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Every `check-sat` got an answer.
    Answered,
    /// A time limit passed, ours or the solver's own.
    Timeout,
    /// Memory ran out, by our limit or by the solver's own account.
    OutOfMemory,
    /// The solver printed or wrote more than its limit.
    OutputLimit,
    /// The solver does not support this script or option.
    Refused {
        /// The solver's message.
        reason: String,
    },
    /// The solver reported an error, or left a `check-sat` without an answer.
    Error {
        /// The solver's message.
        message: String,
    },
    /// The solver's own check rejected its model.
    InvalidModel {
        /// The solver's message.
        message: String,
    },
    /// The solver's own check rejected its unsat core or proof.
    InvalidProof {
        /// The solver's message.
        message: String,
    },
    /// The solver crashed.
    Crash(Crash),
    /// A signal that is not a crash ended the solver.
    Interrupted {
        /// The signal's number.
        signal: i32,
    },
}

impl Outcome {
    /// A word for tables and counters.
    pub fn word(&self) -> &'static str {
        match self {
            Outcome::Answered => "answered",
            Outcome::Timeout => "timeout",
            Outcome::OutOfMemory => "out of memory",
            Outcome::OutputLimit => "output limit",
            Outcome::Refused { .. } => "refused",
            Outcome::Error { .. } => "error",
            Outcome::InvalidModel { .. } => "invalid model",
            Outcome::InvalidProof { .. } => "invalid proof",
            Outcome::Crash(_) => "crash",
            Outcome::Interrupted { .. } => "interrupted",
        }
    }

    /// Whether it is a bug of the solver, whatever others do: a crash, or a result that its own check rejects.
    pub fn is_bug(&self) -> bool {
        matches!(self, Outcome::Crash(_) | Outcome::InvalidModel { .. } | Outcome::InvalidProof { .. })
    }

    /// The solver's message, or what identifies the crash.
    pub fn detail(&self) -> Option<String> {
        match self {
            Outcome::Refused { reason: text }
            | Outcome::Error { message: text }
            | Outcome::InvalidModel { message: text }
            | Outcome::InvalidProof { message: text } => Some(text.clone()),
            Outcome::Crash(crash) => Some(crash.key()),
            _ => None,
        }
    }
}

impl Outcome {
    /// The outcome as text that is the same in every version of the program.
    pub fn key(&self) -> String {
        match self.detail() {
            Some(detail) => format!("{}: {detail}", self.word()),
            None => self.word().to_owned(),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(self.key()))
    }
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// With an exit code.
    Code(i32),
    /// By a signal.
    Signal(i32),
    /// It did not end: it waits for the next script, or we stopped it after this one.
    Running,
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Code(code) => write!(f, "exit code {code}"),
            Exit::Signal(signal) => f.write_str(&signal_name(*signal)),
            Exit::Running => f.write_str("still running"),
        }
    }
}

/// The result of a run: its outcome and its answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunResult {
    /// How it ended.
    pub outcome: Outcome,
    /// The answers, in order, including those before a crash.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
}

impl RunResult {
    /// The result as text that is the same in every version of the program.
    pub fn key(&self) -> String {
        let answers: Vec<&str> = self.answers.iter().map(|answer| answer.word()).collect();
        match (&self.outcome, answers.is_empty()) {
            (Outcome::Answered, true) => "no check-sat".to_owned(),
            (Outcome::Answered, false) => answers.join(" "),
            (outcome, true) => outcome.key(),
            (outcome, false) => format!("{} ({})", answers.join(" "), outcome.key()),
        }
    }
}

impl fmt::Display for RunResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(self.key()))
    }
}
