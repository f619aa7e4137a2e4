//! The result of automatic triage, as the folder of a finding keeps it.

use super::folder::REPORT;
use super::identity::Identity;
use crate::error::TriageError;
use crate::subject::REDUCED;
use case::{Class, Predicate};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The file in the folder of a finding.
const FILE: &str = "triage.json";

/// A finding after triage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TriagedFinding {
    /// The kind of bug that the reduced script shows.
    pub class: Class,
    /// One line for people.
    pub title: String,
    /// What identifies the bug.
    pub identity: Identity,
    /// What the reduced script shows.
    pub predicate: Predicate,
    /// The reduced script.
    pub script: String,
    /// A model of it, if one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Whether it does not show with default options.
    #[serde(default)]
    pub needs_options: bool,
    /// Whether the reduction was finished, so that nothing makes the script smaller.
    pub finished: bool,
}

impl TriagedFinding {
    /// What is saved in the folder of a finding, if it belongs to the reduced script there.
    pub fn saved(folder: &Path) -> Option<TriagedFinding> {
        let script = std::fs::read_to_string(folder.join(REDUCED)).ok()?;
        TriagedFinding::read(folder).filter(|saved| saved.script == script)
    }

    fn read(folder: &Path) -> Option<TriagedFinding> {
        serde_json::from_str(&std::fs::read_to_string(folder.join(FILE)).ok()?).ok()
    }

    /// Saves it and the reduced script into the folder of the finding. A report of another script does not hold any more.
    pub fn save(&self, folder: &Path) -> Result<(), TriageError> {
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::write(&path, text).map_err(TriageError::io(&path))
        };
        if TriagedFinding::read(folder).is_none_or(|earlier| earlier.script != self.script) {
            // There may be none.
            let _ = std::fs::remove_file(folder.join(REPORT));
        }
        write(REDUCED, &self.script)?;
        write(FILE, &format!("{:#}\n", serde_json::json!(self)))
    }
}
