//! How far a collection is, on disk: written after every issue, whole or not at all, so that a run that was killed goes on.

use crate::http::CollectError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// How far a collection is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    /// By repository.
    pub repositories: BTreeMap<String, Repository>,
}

/// How far a repository is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Repository {
    /// Every issue that changed before this time has been seen.
    pub since: String,
    /// The issues that have been seen from that time on, with the time of their last change.
    pub seen: BTreeMap<u64, String>,
    /// What tells the last answer to an address from later ones.
    pub etags: BTreeMap<String, String>,
}

/// The file in the folder of a collection.
fn file(folder: &Path) -> PathBuf {
    folder.join("state.json")
}

impl State {
    /// The state in a folder; an empty one if there is none.
    pub fn read(folder: &Path) -> Result<State, CollectError> {
        let path = file(folder);
        match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text)
                .map_err(|error| CollectError::Io { path, error: std::io::Error::other(error) }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(State::default()),
            Err(error) => Err(CollectError::Io { path, error }),
        }
    }

    /// Keeps the state.
    pub fn save(&self, folder: &Path) -> Result<(), CollectError> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| CollectError::Io { path: file(folder), error: std::io::Error::other(error) })?;
        write_whole(&file(folder), &text)
    }
}

/// Writes a file so that it is there whole or not at all.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<(), CollectError> {
    let failed = |error| CollectError::Io { path: path.to_owned(), error };
    let unfinished = path.with_extension("unfinished");
    fs::write(&unfinished, text).map_err(failed)?;
    fs::rename(&unfinished, path).map_err(failed)
}
