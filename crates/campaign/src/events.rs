//! What a campaign reports while it runs. Listeners decide how to show it.

use crate::operator_reach::SolverOperators;
use crate::statistics::Statistics;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::Listed;
use triage::known::KnownBugs;

/// The state of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Running time, over all resumptions.
    pub elapsed: Duration,
    /// Running time and cases since this process started, for rates.
    pub this_run: (Duration, u64),
    /// All counters.
    pub statistics: Statistics,
    /// The time limit.
    pub time: Option<Duration>,
    /// The limit on cases.
    pub cases: Option<u64>,
    /// The number of workers.
    pub jobs: usize,
    /// The number of seeds.
    pub seeds: usize,
    /// The findings so far: bugs and candidates.
    pub findings: Vec<Listed>,
    /// The releases that show each finding, by its name, such as `4.8.7..4.8.10`; those that are known.
    pub releases: BTreeMap<String, String>,
    /// The time since the newest finding was first seen.
    pub last_find: Option<Duration>,
    /// Whether the campaign is paused.
    pub paused: bool,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// The campaign starts or resumes.
    Started {
        /// The folder with the database and the findings.
        folder: PathBuf,
        /// The campaign's seed.
        seed: u64,
        /// The solvers.
        targets: Vec<String>,
        /// The strategies.
        strategies: Vec<String>,
        /// The number of seeds.
        seeds: usize,
        /// Whether it resumes an earlier campaign.
        resumed: bool,
    },
    /// The current state; several times a second.
    Progress(Box<Snapshot>),
    /// A new finding, already on disk.
    Found(Box<Listed>),
    /// A finding was triaged, and this is on disk.
    Triaged(Box<Listed>),
    /// The report of a finding was written beside it.
    Reported {
        /// The finding.
        finding: Box<Listed>,
        /// The releases that show it, in a sentence; `None` if they could not be tested.
        releases: Option<String>,
    },
    /// A note for the user, such as a solver that cannot be kept warm.
    Note(String),
}

/// Listens to a campaign.
pub trait Listener {
    /// Receives every event, in order.
    fn event(&mut self, event: &Event);
}

/// Why a campaign ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Time limit reached.
    Time,
    /// Case limit reached.
    Cases,
    /// No strategy has a new case for any seed.
    Exhausted,
    /// All work of a campaign that machines share is done.
    Complete,
    /// Interrupted by the user.
    Interrupted,
}

/// A seed that a strategy cannot use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusableSeed {
    /// The strategy.
    pub strategy: String,
    /// The seed.
    pub seed: String,
    /// Why not.
    pub reason: String,
}

/// The result of a campaign.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Why it ended.
    pub ended: Ended,
    /// The final state.
    pub snapshot: Snapshot,
    /// The names of the findings that this run added.
    pub new_findings: BTreeSet<String>,
    /// Seeds that a strategy could not use.
    pub unusable_seeds: Vec<UnusableSeed>,
    /// The operators that each solver was asked about.
    pub operators: Vec<SolverOperators>,
}

impl Summary {
    /// Whether this run should have tested something, but did not.
    pub fn tested_nothing(&self) -> bool {
        self.snapshot.this_run.1 == 0 && matches!(self.ended, Ended::Time | Ended::Exhausted)
    }

    /// What to do about a run that tested nothing.
    pub fn why_nothing(&self) -> &'static str {
        match self.ended {
            Ended::Time => "give more time with --time",
            _ if !self.unusable_seeds.is_empty() => "no strategy could use a seed: see the reasons above",
            _ if self.snapshot.statistics.unsupported > 0 => {
                "choose solvers that support the operators of the seeds"
            }
            _ => "add seeds or strategies: these have no new case",
        }
    }

    /// Whether this run found a bug that nobody has reported yet. `out` is the folder of the campaign.
    pub fn has_new_bug(&self, known: &KnownBugs, out: &Path) -> bool {
        let is_unreported =
            |finding: &Listed| known.repeated_in(&out.join(&finding.folder), finding).is_none();
        let is_new = |finding: &&Listed| finding.bug && self.is_new(finding);
        self.snapshot.findings.iter().filter(is_new).any(is_unreported)
    }

    /// Whether a finding is one of this run.
    pub fn is_new(&self, finding: &Listed) -> bool {
        self.new_findings.contains(&finding.id)
    }
}
