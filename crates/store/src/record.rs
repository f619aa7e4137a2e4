//! The records of a campaign.

use case::{Class, Severity};
use serde::Serialize;

/// The texts of a finding that have their own files.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'a> {
    /// The script that shows the bug.
    pub case: &'a str,
    /// The seed script that it was made from.
    pub seed: &'a str,
    /// The plain form of the script, if a solver ran that too.
    pub plain: Option<&'a str>,
}

/// A finding in the list of findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// Its name.
    pub id: String,
    /// Its kind.
    pub class: Class,
    /// How severe it is.
    pub severity: Severity,
    /// One line for people.
    pub title: String,
    /// What makes two findings the same.
    pub signature: String,
    /// Whether it counts as a bug.
    pub bug: bool,
    /// The solvers that were asked.
    #[serde(rename = "targets")]
    pub solvers: Vec<ListedSolver>,
    /// How many cases showed it, or a finding that was merged into it.
    pub count: u64,
    /// When it was first seen, in milliseconds since 1970.
    pub first_seen: u64,
    /// When it was last seen.
    pub last_seen: u64,
    /// The folder that explains it, relative to the folder of the campaign.
    pub folder: String,
    /// The size of the reduced script, once there is one.
    pub reduced_bytes: Option<u64>,
    /// The finding that turned out to be the same bug, if any.
    pub merged_into: Option<String>,
}

/// What triage has found out about a finding.
#[derive(Clone, Copy, Debug)]
pub struct TriageResult<'a> {
    /// Its kind.
    pub class: Class,
    /// Whether it does not show with default options.
    pub needs_options: bool,
    /// One line for people.
    pub title: &'a str,
    /// The size of the reduced script.
    pub reduced_bytes: u64,
}

/// Two findings that turned out to be one bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The finding that is no longer listed.
    pub id: String,
    /// The finding that stands for both.
    pub into: String,
}

/// A solver that was asked about a finding. It is serialized as its id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(into = "String")]
pub struct ListedSolver {
    /// The solver as reports name it, such as `z3@5.4.0`.
    pub id: String,
    /// Its profile.
    pub name: String,
    /// Its release.
    pub version: String,
}

impl From<ListedSolver> for String {
    fn from(solver: ListedSolver) -> String {
        solver.id
    }
}

/// The result of recording a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// It is new and on disk under this name.
    New {
        /// Its name.
        id: String,
    },
    /// It was known, and this case is counted.
    Again {
        /// Its name.
        id: String,
        /// How many cases have shown it now.
        count: u64,
    },
    /// This very case was counted before. Cases can repeat after an interruption.
    Repeated {
        /// Its name.
        id: String,
    },
}

impl Recorded {
    /// The name of the finding.
    pub fn id(&self) -> &str {
        match self {
            Recorded::New { id } | Recorded::Again { id, .. } | Recorded::Repeated { id } => id,
        }
    }
}

/// The state of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CampaignState {
    /// It runs, or was killed.
    Running,
    /// It was stopped before its end.
    Stopped,
    /// It completed all its work.
    Finished,
}

impl CampaignState {
    pub(crate) fn word(self) -> &'static str {
        match self {
            CampaignState::Running => "running",
            CampaignState::Stopped => "stopped",
            CampaignState::Finished => "finished",
        }
    }

    pub(crate) fn from_word(word: &str) -> CampaignState {
        match word {
            "finished" => CampaignState::Finished,
            "stopped" => CampaignState::Stopped,
            _ => CampaignState::Running,
        }
    }
}

/// A campaign as it was last saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Campaign {
    /// Its number in this folder.
    pub id: i64,
    /// Its seed.
    pub seed: u64,
    /// Its settings, as JSON that the campaign crate defines.
    pub settings: String,
    /// Its state.
    pub state: CampaignState,
    /// When it was started, in milliseconds since 1970.
    pub started: u64,
    /// Its progress.
    pub progress: Progress,
}

/// The progress of a campaign: everything that is needed to resume it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// For each strategy, the first of its turns that no worker has begun.
    pub turns: Vec<u64>,
    /// The position of each worker.
    pub workers: Vec<Position>,
    /// Milliseconds of work so far.
    pub elapsed: u64,
    /// The statistics so far, as JSON that the campaign crate defines.
    pub totals: String,
}

/// The position of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The unit of work.
    pub unit: u64,
    /// The strategy's name.
    pub strategy: String,
    /// The hash of the seed script, in hexadecimal.
    pub seed_hash: String,
    /// The round over the seeds.
    pub round: u64,
    /// The first case of the unit that is not done.
    pub index: u64,
}
