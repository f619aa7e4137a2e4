//! The content of a report.

use super::policy::Policy;
use crate::distinguishing_functions::DistinguishingFunctions;
use crate::releases::Releases;
use case::{Class, RunResult, Severity, Statement};
use serde::{Deserialize, Serialize};

/// The most functions that a page names.
const NAMED: usize = 12;

impl DistinguishingFunctions {
    /// The names of the functions for a sentence.
    pub(super) fn names(&self) -> String {
        let first: Vec<&str> = self.functions.iter().map(String::as_str).take(NAMED).collect();
        match self.functions.len() - first.len() {
            0 => first.join(", "),
            more => format!("{} and {more} more", first.join(", ")),
        }
    }
}

/// What a solver does with a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolverResult {
    /// The solver, such as `z3@5.4.0`.
    pub solver: String,
    /// The result of its run.
    pub result: RunResult,
    /// Its CPU time, if the bug is about time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_ms: Option<u64>,
}

impl SolverResult {
    /// The result in a few words.
    pub fn text(&self) -> String {
        match self.cpu_ms {
            Some(cpu) => format!("{} after {:.2} s of CPU time", self.result, cpu as f64 / 1000.0),
            None => self.result.to_string(),
        }
    }
}

/// The content of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// One line.
    pub title: String,
    /// The kind of bug.
    pub class: Class,
    /// How severe it is.
    pub severity: Severity,
    /// The solver as people write it, with the release that shows the bug.
    pub solver: String,
    /// The script.
    pub script: String,
    /// The command that shows the bug with the plain executable; the script is called `bug.smt2`.
    pub command: String,
    /// What the solver should do.
    pub expected: String,
    /// What it prints.
    pub actual: String,
    /// How its run ended, if the output does not say so: a signal, or a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// Which solver is wrong and how that is known, or why it is undecided.
    pub blame: String,
    /// The model to check by hand.
    pub model: Option<String>,
    /// The assertions with the values of their subterms under the model.
    pub values: Option<String>,
    /// What other solvers do with the script.
    pub others: Vec<SolverResult>,
    /// What solvers do when the model replaces the declarations.
    pub with_model: Vec<SolverResult>,
    /// The releases that were tested, if any.
    pub releases: Option<Releases>,
    /// The options on the command line and in the script; none means default options.
    pub options: Vec<String>,
    /// What distinguishes the script from its nearest passing neighbour, if known.
    pub distinguishing_functions: Option<DistinguishingFunctions>,
    /// Findings that are likely the same bug.
    pub duplicates: Vec<String>,
    /// Whether maintainers want the report.
    pub policy: Policy,
    /// One line that is equal for findings that are likely the same bug.
    pub signature: String,
    /// The finding or the file that it is about.
    pub origin: String,
}

impl Report {
    /// What the values of terms are preceded by.
    pub(super) fn values_heading(&self) -> &'static str {
        match self.model {
            _ if Statement::fault(self.class).is_some() => {
                "What the solver states, with the values of the subterms"
            }
            Some(_) => "Every assertion under the model, with the values of its subterms",
            None => "Every assertion, with the values of its subterms",
        }
    }
}
