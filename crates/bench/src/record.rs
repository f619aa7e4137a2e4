//! The result of one run, as a file keeps it.

use crate::environment::Environment;
use crate::error::BenchError;
use case::files::{read_text, replace};
use case::table::counted;
use case::{Class, Predicate, Severity};
use serde::{Deserialize, Serialize};
use std::path::Path;
use triage::automatic::Identity;

/// The version of the format.
pub const FORMAT: u32 = 1;

/// A run of one contender on one release.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The version of this format.
    pub format: u32,
    /// The contender.
    pub contender: String,
    /// Whether it is another tool.
    pub peer: bool,
    /// What it ran, for people, with names in place of the folders of this machine.
    pub command: String,
    /// The release that it fuzzed.
    pub release: String,
    /// The solver beside it.
    pub other: String,
    /// The number that random choices follow from.
    pub seed: u64,
    /// The time limit in seconds.
    pub limit: f64,
    /// How long it ran, in seconds.
    pub wall: f64,
    /// How often it ran a solver.
    pub calls: u64,
    /// Those runs that brought an answer; `None` if the tool does not count them.
    pub answered: Option<u64>,
    /// How many scripts or findings it reported.
    pub reported: u64,
    /// How many formulas its history was mined from; `None` if the history that comes with Elenchus was used, which may hold bugs of the release.
    pub history: Option<u64>,
    /// The bugs of the release, each once.
    pub bugs: Vec<BugRecord>,
    /// Where it ran.
    pub environment: Environment,
}

/// A bug that a run found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BugRecord {
    /// Seconds until it was found first.
    pub after: f64,
    /// Its class.
    pub class: Class,
    /// One line for people.
    pub title: String,
    /// What identifies it.
    pub identity: Identity,
    /// What the script shows.
    pub predicate: Predicate,
    /// The reduced script.
    pub script: String,
    /// Whether it shows with options only.
    pub needs_options: bool,
    /// How many cases showed it.
    pub cases: u64,
}

impl BugRecord {
    /// How severe it is.
    pub fn severity(&self) -> Severity {
        Severity::of(self.class, self.needs_options)
    }
}

impl RunRecord {
    /// Reads a record.
    pub fn read(path: &Path) -> Result<RunRecord, BenchError> {
        let unusable = |reason: String| BenchError::Record { path: path.to_owned(), reason };
        let record: RunRecord =
            serde_json::from_str(&read_text(path)?).map_err(|error| unusable(error.to_string()))?;
        match record.format {
            FORMAT => Ok(record),
            other => Err(unusable(format!("its format is {other}, this program reads {FORMAT}"))),
        }
    }

    /// It in a line.
    pub fn line(&self) -> String {
        format!(
            "{} {} {}: {} in {:.0} s, {}",
            self.release,
            self.contender,
            self.seed,
            counted(self.bugs.len(), "bug"),
            self.wall,
            counted(self.calls, "call")
        )
    }

    /// Writes it, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), BenchError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|error| case::files::FileError::unwritable(folder, error))?;
        }
        Ok(replace(path, &format!("{:#}\n", serde_json::json!(self)))?)
    }
}
