//! How severe a finding is, in the order in which maintainers handle reports.

use crate::class::Class;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How severe a finding is, the most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// A wrong `unsat`: a user may take an unsafe program for proved.
    WrongUnsat,
    /// A wrong `sat`.
    WrongSat,
    /// Contradicting answers, and it is undecided which is wrong.
    Contradiction,
    /// A term that is rewritten to one with another value.
    WrongRewrite,
    /// A wrong optimum.
    WrongOptimum,
    /// Something that does not follow from the assertions, though the solver says so.
    WrongConsequence,
    /// A crash with default options.
    Crash,
    /// An invalid or repeated model, or a wrong value of a term under the model.
    InvalidModel,
    /// A wrong unsat core or proof.
    WrongCoreOrProof,
    /// An invalid model that needs other options, or that only the solver's own check rejects.
    InvalidModelWithOptions,
    /// A crash that needs other options.
    CrashWithOptions,
    /// A term that is printed with another value.
    WrongPrinting,
    /// A slow answer.
    Performance,
    /// A script whose `:status` is probably wrong.
    WrongLabel,
    /// A solver that gives up.
    Incompleteness,
}

impl Severity {
    /// The severity of a bug of this class. `needs_options` says that it does not show with default options.
    pub fn of(class: Class, needs_options: bool) -> Severity {
        match class {
            Class::WrongUnsat => Severity::WrongUnsat,
            Class::WrongSat => Severity::WrongSat,
            Class::Contradiction | Class::StateLeak => Severity::Contradiction,
            Class::WrongRewrite => Severity::WrongRewrite,
            Class::WrongOptimum => Severity::WrongOptimum,
            Class::WrongConsequence => Severity::WrongConsequence,
            Class::WrongPrinting => Severity::WrongPrinting,
            Class::Crash if needs_options => Severity::CrashWithOptions,
            Class::Crash => Severity::Crash,
            Class::InvalidModel if needs_options => Severity::InvalidModelWithOptions,
            Class::InvalidModel | Class::WrongValue | Class::RepeatedModel => Severity::InvalidModel,
            Class::InvalidCore | Class::InvalidProof => Severity::WrongCoreOrProof,
            Class::Performance => Severity::Performance,
            Class::WrongLabel => Severity::WrongLabel,
            Class::Incompleteness => Severity::Incompleteness,
        }
    }

    /// The name of the level.
    pub fn name(self) -> &'static str {
        match self {
            Severity::WrongUnsat => "wrong unsat",
            Severity::WrongSat => "wrong sat",
            Severity::Contradiction => "contradiction",
            Severity::WrongRewrite => "wrong rewrite",
            Severity::WrongOptimum => "wrong optimum",
            Severity::WrongConsequence => "wrong consequence",
            Severity::Crash => "crash",
            Severity::InvalidModel => "invalid model",
            Severity::WrongCoreOrProof => "wrong core or proof",
            Severity::InvalidModelWithOptions => "invalid model with options",
            Severity::CrashWithOptions => "crash with options",
            Severity::WrongPrinting => "wrong printing",
            Severity::Performance => "performance",
            Severity::WrongLabel => "wrong label",
            Severity::Incompleteness => "incompleteness",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
