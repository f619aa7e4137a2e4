//! A confirmed bug, with all that is needed to reproduce it.

use crate::case::{Expectation, Step};
use crate::claim::Predicate;
use crate::class::Class;
use crate::evidence::{self, Evidence};
use crate::origin::Origin;
use crate::outcome::{Exit, RunResult};
use crate::seed::Learned;
use crate::signature::Signature;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The version of the finding format. Version 1 kept evidence and results as sentences.
pub const FINDING_FORMAT: u32 = 2;

/// A signature file that the user added to the built-in operators.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignatureFile {
    /// Its path as the user gave it.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The script that a solver was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AskedScript {
    /// The case.
    #[default]
    Case,
    /// Only the assertions of an unsat core of the case.
    CoreAlone,
    /// Whether a statement about the case can be wrong.
    Doubt,
    /// The plain form of the case: every question from scratch, without objectives and tactics.
    Plain,
}

/// The run of one solver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolverRun {
    /// The solver as reports name it, such as `z3@5.4.0`.
    pub id: String,
    /// Its profile.
    pub name: String,
    /// Its release.
    pub version: String,
    /// How the command line of elenchus names it.
    pub spec: String,
    /// The options on its command line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Further options that make it check its own models.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<String>,
    /// The plain command, ready for a shell; the script is called `case.smt2`.
    pub command: String,
    /// The script it was asked.
    #[serde(default)]
    pub asked: AskedScript,
    /// The result of the run.
    pub result: RunResult,
    /// How the process ended.
    pub exit: Exit,
    /// Wall-clock milliseconds.
    pub milliseconds: u64,
    /// Whether this solver is the one that is wrong.
    pub suspect: bool,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// A confirmed bug.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The version of this format: [`FINDING_FORMAT`].
    pub format: u32,
    /// The kind of bug.
    pub class: Class,
    /// What identifies it.
    pub signature: Signature,
    /// The evidence, strongest first.
    pub evidence: Vec<Evidence>,
    /// What the script must go on showing; `None` if a plain run cannot show it.
    pub predicate: Option<Predicate>,
    /// The solvers that were asked, each in a fresh process.
    pub runs: Vec<SolverRun>,
    /// Whether the runs asked for a model after the last check, which the script itself does not.
    #[serde(default)]
    pub models: bool,
    /// Whether the solvers checked their own models.
    #[serde(default)]
    pub own_checks: bool,
    /// The theories of the script.
    pub theories: BTreeSet<String>,
    /// The origin of the case.
    pub origin: Origin,
    /// The name of the seed script.
    pub seed_name: String,
    /// The steps from the seed to the case.
    pub lineage: Vec<Step>,
    /// What solvers answered to the strategy's questions about the seed. The case cannot be made again without it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub learned: Vec<Learned>,
    /// What solvers answered while the case was made, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dialogue: Vec<Learned>,
    /// What was known about the right answer.
    #[serde(default)]
    pub expectation: Expectation,
    /// The signature files that were loaded besides the built-in ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signature_files: Vec<SignatureFile>,
    /// The version of elenchus that found it.
    pub found_by: String,
}

impl Finding {
    /// One line for people.
    pub fn title(&self) -> String {
        evidence::title(self.class, &self.evidence)
    }

    /// The runs of the solvers that are wrong.
    pub fn suspects(&self) -> impl Iterator<Item = &SolverRun> {
        self.runs.iter().filter(|run| run.suspect)
    }
}
