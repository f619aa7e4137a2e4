//! A finding as a maintainer wants to read it: one page with everything that is needed to see it and to believe it.

mod evidence;
mod html;
mod markdown;
mod pinned;
mod severity;

pub use evidence::{model_values, readable_model};
pub use html::{escape, page};
pub use markdown::markdown;
pub use pinned::with_model;
pub use severity::{rank, words};

use crate::distinguishing_functions::DistinguishingFunctions;
use serde::{Deserialize, Serialize};

/// How many functions a page names.
const NAMED: usize = 12;

impl DistinguishingFunctions {
    /// The names of the functions, in a sentence's worth.
    fn names(&self) -> String {
        let first: Vec<&str> = self.functions.iter().map(String::as_str).take(NAMED).collect();
        match self.functions.len() - first.len() {
            0 => first.join(", "),
            more => format!("{} and {more} more", first.join(", ")),
        }
    }
}

/// What a solver says to something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// Who, such as `z3@5.4.0`.
    pub solver: String,
    /// What.
    pub said: String,
}

/// Whether the maintainers would want the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Whether they would.
    pub wanted: bool,
    /// Why, a sentence each.
    pub reasons: Vec<String>,
}

/// A report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// One line.
    pub title: String,
    /// The kind of bug.
    pub class: String,
    /// The place in the order in which maintainers look at reports, from 1.
    pub severity: u8,
    /// The solver as people write it, with the release that shows it.
    pub solver: String,
    /// The script.
    pub script: String,
    /// The command that shows it with the plain executable; the script is called `bug.smt2`.
    pub command: String,
    /// What it should do.
    pub expected: String,
    /// What it does.
    pub actual: String,
    /// Who is wrong and how that is known; or that it is not.
    pub blame: String,
    /// The model to check by hand.
    pub model: Option<String>,
    /// The assertions with the values of their parts under the model.
    pub values: Option<String>,
    /// What other solvers say to the script.
    pub others: Vec<Said>,
    /// What solvers say when the model is put into the script.
    pub with_model: Vec<Said>,
    /// The releases that show it, in a sentence.
    pub releases: Option<String>,
    /// The releases that were looked at: release, `bad`, `good` or `unclear`, and what it did.
    pub row: Vec<(String, String, String)>,
    /// The options of the command line; none is the default.
    pub options: Vec<String>,
    /// What tells the script from its nearest neighbour that passes, where that is known.
    pub distinguishing_functions: Option<DistinguishingFunctions>,
    /// Findings that are likely the same.
    pub duplicates: Vec<String>,
    /// Whether the maintainers would want it.
    pub policy: Policy,
    /// What makes two findings the same.
    pub signature: String,
    /// Where it came from.
    pub origin: String,
}
