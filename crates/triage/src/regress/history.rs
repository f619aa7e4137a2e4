//! What earlier builds did with a script.

use crate::error::TriageError;
use crate::releases::State;
use serde::{Deserialize, Serialize};
use solver::Target;
use solver::install::Version;
use std::path::Path;

/// The builds that a script ran on, in the order of their first runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct History {
    builds: Vec<Build>,
}

/// What one build did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Build {
    id: String,
    /// Its release number; empty if unknown.
    version: String,
    state: State,
}

impl History {
    /// The history in a file; empty if there is none.
    pub fn read(file: &Path) -> Result<History, TriageError> {
        let text = match std::fs::read_to_string(file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(History::default()),
            text => text.map_err(TriageError::io(file))?,
        };
        serde_json::from_str(&text).map_err(|error| TriageError::Format {
            path: file.to_owned(),
            what: "a record of earlier `regress` runs",
            error: error.to_string(),
        })
    }

    /// Writes the history to a file.
    pub fn write(&self, file: &Path) -> Result<(), TriageError> {
        let text = format!("{}\n", serde_json::json!(self));
        std::fs::write(file, text).map_err(TriageError::io(file))
    }

    /// Records what a build did, and returns whether an earlier build was good.
    ///
    /// An earlier build is an older release, or one of the same release that ran first. A build that did the same at its last
    /// run keeps its place, so a second run gives the same result. One that did something else was built anew under the same name.
    pub fn record(&mut self, target: &Target, state: State) -> bool {
        let same = |build: &Build| build.id == target.id && build.version == target.version;
        let place =
            match self.builds.iter().rposition(same).filter(|&place| self.builds[place].state == state) {
                Some(place) => place,
                None => {
                    let (id, version) = (target.id.clone(), target.version.clone());
                    self.builds.push(Build { id, version, state });
                    self.builds.len() - 1
                }
            };
        let version = Version::parse(&target.version);
        let is_earlier = |(index, build): (usize, &Build)| match (Version::parse(&build.version), &version) {
            (Some(one), Some(two)) if !one.same_release(two) => one < *two,
            _ => index < place,
        };
        self.builds
            .iter()
            .enumerate()
            .any(|(index, build)| build.state == State::Good && is_earlier((index, build)))
    }
}
