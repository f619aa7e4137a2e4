//! How a script is run.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How a script is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunMode {
    /// The plain executable, a new process for each script. A finding counts only if it shows here.
    OneShot,
    /// One process for many scripts, with a `(reset)` in between.
    Session,
    /// A process that is loaded and initialised once and forked for each script.
    Fork,
    /// Scripts between `push` and `pop` of one process. This exercises the solver's incremental core.
    Incremental,
}

impl RunMode {
    /// All run modes.
    pub const ALL: [RunMode; 4] = [RunMode::OneShot, RunMode::Session, RunMode::Fork, RunMode::Incremental];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            RunMode::OneShot => "one-shot",
            RunMode::Session => "session",
            RunMode::Fork => "fork",
            RunMode::Incremental => "incremental",
        }
    }
}

impl fmt::Display for RunMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
