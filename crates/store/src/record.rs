//! The plain data that is kept: no type of another crate, so that old files stay readable whatever those become.

use serde::{Deserialize, Serialize};

/// The numbers that make a case again: the same bytes on every machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The campaign's own seed.
    pub campaign_seed: u64,
    /// The strategy's name.
    pub strategy: String,
    /// The hash of the seed script, in hexadecimal.
    pub seed_hash: String,
    /// In which round over the seeds.
    pub round: u64,
    /// The how-many-th case of the strategy on this seed in this round, from 0.
    pub index: u64,
}

/// What one solver did with the case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetRecord {
    /// The solver as reports name it, such as `z3@5.4.0`.
    pub id: String,
    /// The profile that describes it.
    pub name: String,
    /// Its release.
    pub version: String,
    /// How it is named on the command line of elenchus to get the same one again.
    pub spec: String,
    /// The options that it ran under, as its command line takes them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// What its command line has beside them so that it checks its own models.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<String>,
    /// The plain command that was run, as it can be pasted into a shell; the script is called `case.smt2`.
    pub command: String,
    /// What it came to, such as `sat` or `crash: ASSERTION VIOLATION`.
    pub result: String,
    /// How the process ended.
    pub exit: String,
    /// Wall-clock milliseconds.
    pub milliseconds: u64,
    /// Whether it is the one that is thought to be wrong.
    pub suspect: bool,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// Something wrong that was found and confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Its kind, such as `crash` or `wrong-unsat`.
    pub class: String,
    /// What makes two findings the same.
    pub signature: String,
    /// One line for people.
    pub title: String,
    /// The evidence, strongest first, a sentence each.
    pub evidence: Vec<String>,
    /// Whether it counts as a bug for the exit code; a performance candidate does not.
    pub bug: bool,
    /// The solvers that were asked, confirmed cold.
    pub targets: Vec<TargetRecord>,
    /// Whether the runs asked for a model after the last check, which the script itself does not.
    #[serde(default)]
    pub models: bool,
    /// Whether the runs let the solvers check their own models.
    #[serde(default)]
    pub own_checks: bool,
    /// The theories of the script.
    pub theories: Vec<String>,
    /// Where the case came from.
    pub origin: Origin,
    /// The name of the seed script.
    pub seed_name: String,
    /// The steps from the seed to the case, a line each.
    pub lineage: Vec<String>,
    /// What solvers answered to the strategy's inquiries about the seed, without which the case cannot be made again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub learned: Vec<LearnedRecord>,
    /// What solvers answered while the seed was under work, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dialogue: Vec<LearnedRecord>,
    /// The model that the case was made to have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<String>,
    /// Why the case was made to have no model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsat_because: Option<String>,
    /// The version of elenchus that found it.
    pub found_by: String,
}

/// What one solver answered to an inquiry about a seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LearnedRecord {
    /// The number of the inquiry.
    pub inquiry: usize,
    /// The solver's profile name.
    pub solver: String,
    /// Whether it said `sat`; nothing if it said neither.
    pub sat: Option<bool>,
    /// The model or the core.
    pub text: String,
}

/// The texts of a finding that are files of their own.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'a> {
    /// The script that shows the bug.
    pub case: &'a str,
    /// The seed script that it was made from.
    pub seed: &'a str,
}

/// A finding in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// Its name.
    pub id: String,
    /// Its kind.
    pub class: String,
    /// One line for people.
    pub title: String,
    /// What makes two findings the same.
    pub signature: String,
    /// Whether it counts as a bug.
    pub bug: bool,
    /// The solvers involved.
    pub targets: Vec<String>,
    /// How many cases showed it.
    pub count: u64,
    /// When it was first seen, in milliseconds since 1970.
    pub first_seen: u64,
    /// When it was last seen.
    pub last_seen: u64,
    /// The folder that explains it, relative to the folder of the campaign.
    pub folder: String,
}

/// What became of a finding that was handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// It is new and on disk under this name.
    New {
        /// Its name.
        id: String,
    },
    /// It was known; this case is counted.
    Again {
        /// Its name.
        id: String,
        /// How many cases have shown it now.
        count: u64,
    },
    /// This very case had shown it before: a case that was repeated after an interruption.
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

/// How a campaign was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CampaignState {
    /// It runs, or was killed.
    Running,
    /// It was stopped before its end.
    Stopped,
    /// It did all that it was to do.
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
    /// Its settings, as JSON of whoever runs campaigns.
    pub settings: String,
    /// How it was left.
    pub state: CampaignState,
    /// When it was started, in milliseconds since 1970.
    pub started: u64,
    /// How far it is.
    pub progress: Progress,
}

/// How far a campaign is: everything that is needed to go on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The first unit of work that nobody has begun.
    pub next_unit: u64,
    /// Where each worker is.
    pub workers: Vec<Position>,
    /// Milliseconds of work so far.
    pub elapsed: u64,
    /// The statistics so far, as JSON of whoever runs campaigns.
    pub totals: String,
}

/// Where a worker is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The unit of work.
    pub unit: u64,
    /// The strategy's name.
    pub strategy: String,
    /// The hash of the seed script, in hexadecimal.
    pub seed_hash: String,
    /// In which round over the seeds.
    pub round: u64,
    /// The first case of the unit that is not done.
    pub index: u64,
}
