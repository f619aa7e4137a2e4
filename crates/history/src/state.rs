//! The progress of a collection on disk. Written atomically after every issue, so that a killed run can continue.

use crate::error::CollectError;
use case::files::replaced;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The progress of a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    /// By repository.
    pub repositories: BTreeMap<String, Repository>,
}

/// The progress of one repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Repository {
    /// Every issue last changed before this time has been read. Empty at first.
    pub since: String,
    /// The issues read that changed at that time or later, with the time of their last change.
    pub seen: BTreeMap<u64, String>,
    /// The version tag of the last answer, by URL.
    pub etags: BTreeMap<String, String>,
}

/// The state file of a collection.
fn file(folder: &Path) -> PathBuf {
    folder.join("state.json")
}

impl State {
    /// Reads the state of a folder. A new folder has an empty one.
    pub fn read(folder: &Path) -> Result<State, CollectError> {
        let path = file(folder);
        match fs::read_to_string(&path) {
            Ok(text) => {
                serde_json::from_str(&text).map_err(|error| CollectError::Io { path, source: error.into() })
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(State::default()),
            Err(source) => Err(CollectError::Io { path, source }),
        }
    }

    /// Writes the state.
    pub fn save(&self, folder: &Path) -> Result<(), CollectError> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| CollectError::Io { path: file(folder), source: error.into() })?;
        write_atomically(&file(folder), &text)
    }
}

/// Writes a file so that a reader, or a later run, sees all of it or nothing.
pub(crate) fn write_atomically(path: &Path, text: &str) -> Result<(), CollectError> {
    replaced(path, text).map_err(|source| CollectError::Io { path: path.to_owned(), source })
}
