//! What an oracle says of a case: nothing, or bugs with their class, the evidence and a signature.

use std::fmt;

/// The kinds of what can be wrong, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// A solver says `unsat`, and there is evidence of a model.
    WrongUnsat,
    /// A solver says `sat`, and there is evidence against it.
    WrongSat,
    /// Solvers contradict each other, and nothing tells yet who is wrong.
    Contradiction,
    /// A solver's model does not satisfy the script.
    InvalidModel,
    /// A solver's core has a model, so that it is none.
    InvalidCore,
    /// A solver's own check finds its core or proof wrong.
    InvalidProof,
    /// A solver dies, or reports a broken assumption of its own.
    Crash,
    /// A solver answers differently when it has run other scripts before.
    StateLeak,
    /// A solver is far slower than all others: a candidate, not a bug.
    Performance,
}

impl Class {
    /// The name in signatures, lists and folders.
    pub fn name(self) -> &'static str {
        match self {
            Class::WrongUnsat => "wrong-unsat",
            Class::WrongSat => "wrong-sat",
            Class::Contradiction => "contradiction",
            Class::InvalidModel => "invalid-model",
            Class::InvalidCore => "invalid-core",
            Class::InvalidProof => "invalid-proof",
            Class::Crash => "crash",
            Class::StateLeak => "state-leak",
            Class::Performance => "performance",
        }
    }

    /// Whether it is a bug, which decides the exit code.
    pub fn is_bug(self) -> bool {
        self != Class::Performance
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why something is thought to be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The process died or reported a broken assumption.
    Died {
        /// Which solver.
        target: String,
        /// What identifies the crash.
        what: String,
    },
    /// Our evaluator confirms a model, so `unsat` is wrong.
    ModelConfirmed {
        /// Whose model it is.
        target: String,
    },
    /// Our evaluator refutes a solver's model.
    ModelRefuted {
        /// Whose model it is.
        target: String,
        /// Which assertion is false under it, and why.
        explanation: String,
    },
    /// Our evaluator confirms a model of what a solver calls a core.
    CoreSatisfied {
        /// Whose core it is.
        target: String,
        /// The core, as it was printed.
        core: String,
        /// Whose model it is.
        by: String,
    },
    /// The solver's own check finds its model, core or proof wrong.
    OwnCheck {
        /// Which solver.
        target: String,
        /// What it says.
        message: String,
    },
    /// The answer is known from how the case was made.
    Construction {
        /// `sat` or `unsat`.
        answer: &'static str,
        /// Why.
        reason: String,
    },
    /// Two or more independent solvers stand against one.
    Majority {
        /// Who.
        targets: Vec<String>,
        /// What they say.
        answer: &'static str,
    },
    /// Two different solvers contradict each other.
    Disagreement {
        /// Who says `sat`.
        sat: Vec<String>,
        /// Who says `unsat`.
        unsat: Vec<String>,
    },
    /// One solver contradicts itself, under another release or option.
    SelfContradiction {
        /// Who says `sat`.
        sat: Vec<String>,
        /// Who says `unsat`.
        unsat: Vec<String>,
    },
    /// A warm process answers differently from a fresh one.
    WarmOnly {
        /// Which solver.
        target: String,
        /// What the warm process did.
        warm: String,
        /// What a fresh one does.
        cold: String,
    },
    /// One solver needs far more time than all others.
    Slow {
        /// Which solver.
        target: String,
        /// Its milliseconds.
        milliseconds: u64,
        /// The milliseconds of the slowest other.
        others: u64,
    },
}

impl Evidence {
    /// How strong it is: smaller is stronger.
    pub fn rank(&self) -> u8 {
        match self {
            Evidence::Died { .. } | Evidence::ModelConfirmed { .. } => 0,
            Evidence::ModelRefuted { .. } | Evidence::CoreSatisfied { .. } => 1,
            Evidence::OwnCheck { .. } => 2,
            Evidence::Construction { .. } => 3,
            Evidence::Majority { .. } => 4,
            Evidence::Disagreement { .. } => 5,
            Evidence::SelfContradiction { .. } | Evidence::WarmOnly { .. } => 6,
            Evidence::Slow { .. } => 7,
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evidence::Died { target, what } => write!(f, "{target} crashes: {what}"),
            Evidence::ModelConfirmed { target } => {
                write!(f, "the model of {target} makes every assertion true by our own evaluation")
            }
            Evidence::ModelRefuted { target, explanation } => {
                write!(f, "the model of {target} is refuted by our own evaluation: {explanation}")
            }
            Evidence::CoreSatisfied { target, core, by } => write!(
                f,
                "the core of {target}, {core}, has a model: that of {by} makes every assertion of it true by our own evaluation"
            ),
            Evidence::OwnCheck { target, message } => write!(f, "{target} finds itself wrong: {message}"),
            Evidence::Construction { answer, reason } => write!(f, "{answer} by construction: {reason}"),
            Evidence::Majority { targets, answer } => {
                write!(f, "{answer} by independent solvers: {}", targets.join(", "))
            }
            Evidence::Disagreement { sat, unsat } => {
                write!(f, "sat by {}, unsat by {}", sat.join(", "), unsat.join(", "))
            }
            Evidence::SelfContradiction { sat, unsat } => write!(
                f,
                "one solver contradicts itself: sat by {}, unsat by {}",
                sat.join(", "),
                unsat.join(", ")
            ),
            Evidence::WarmOnly { target, warm, cold } => {
                write!(f, "{target} after other scripts: {warm}; in a fresh process: {cold}")
            }
            Evidence::Slow { target, milliseconds, others } => {
                write!(f, "{target} needs {milliseconds} ms, all others at most {others} ms")
            }
        }
    }
}

/// Something wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bug {
    /// Its kind.
    pub class: Class,
    /// Which of the witnesses are thought to be wrong, by their place.
    pub suspects: Vec<usize>,
    /// The evidence, strongest first.
    pub evidence: Vec<Evidence>,
    /// One line for people.
    pub title: String,
    /// What makes two bugs the same, as far as can be told before reduction.
    pub signature: String,
}

/// What an oracle says of a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// What is wrong.
    pub bugs: Vec<Bug>,
    /// The witnesses that report an error for a script that our own checker accepts. Counted, not a finding.
    pub rejected: Vec<usize>,
}
