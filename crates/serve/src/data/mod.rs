//! Where pages get what they show. Pages know this interface only, so that another kind of store can take the place of a folder.

mod dossier;
mod folder;
mod indexer;

pub use dossier::Dossier;
pub use folder::FolderData;

use crate::common::Trouble;
use campaign::Statistics;
use case::Class;
use std::collections::BTreeMap;
use store::shared::{self, WorkKind};
use store::{
    CampaignEntry, Days, FacetKind, FindingFilter, FindingOrder, FindingPage, Listed, OccurrenceEntry,
    Position, SeedEntry, Status, StatusChange, StoreError,
};

/// Why something cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The database or a folder cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such thing.
    #[error("there is no {0}")]
    Missing(String),
}

/// A process that works on a campaign.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Machine {
    /// The name of its machine.
    pub name: String,
    /// Its number on that machine, if the campaign has several machines. So are the next three.
    pub process: Option<u32>,
    /// How many workers it has.
    pub workers: Option<u32>,
    /// The version of the program.
    pub version: Option<String>,
    /// What kinds of work it takes.
    pub work: Vec<WorkKind>,
    /// Whether it works.
    pub state: MachineState,
    /// When it was last heard of, in milliseconds since 1970.
    pub heartbeat: Option<u64>,
    /// How many cases it makes per second, since it joined.
    pub rate: Option<f64>,
}

/// Whether a process works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MachineState {
    /// It was heard of lately.
    Working,
    /// It does not say anything, though it did not say that it leaves.
    Silent,
    /// Nobody works here.
    NotWorking,
    /// It left.
    Left,
}

impl MachineState {
    /// A word for people.
    pub fn word(self) -> &'static str {
        match self {
            MachineState::Working => "working",
            MachineState::Silent => "silent",
            MachineState::NotWorking => "not working",
            MachineState::Left => "left",
        }
    }
}

/// Functions of one part of a solver: a namespace or a class.
pub use campaign::coverage_areas::{Area, CoveredAreas};

/// The findings of strategies by the solver that is wrong.
pub type Yields = BTreeMap<(String, String), u64>;

/// What is known about findings as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Totals {
    /// Findings by class.
    pub classes: BTreeMap<Class, u64>,
    /// Findings by status, if anybody decided something.
    pub statuses: BTreeMap<&'static str, u64>,
    /// When the newest one was first seen, in milliseconds since 1970.
    pub newest: Option<u64>,
    /// Findings by strategy and solver.
    pub yields: Yields,
}

impl Totals {
    /// How many findings are bugs.
    pub fn bugs(&self) -> u64 {
        self.classes.iter().filter(|(class, _)| class.is_bug()).map(|(_, count)| count).sum()
    }

    /// How many are candidates.
    pub fn candidates(&self) -> u64 {
        self.classes.values().sum::<u64>() - self.bugs()
    }
}

/// What pages read. Every method answers in about the same time however much there is.
pub trait Data: Send + Sync + 'static {
    /// A name of the place, for people.
    fn name(&self) -> String;

    /// A number that changes when what is shown may have changed.
    fn revision(&self) -> u64;

    /// The campaigns, the latest first.
    fn campaigns(&self) -> Result<Vec<CampaignEntry>, DataError>;

    /// The campaign with this number.
    fn campaign(&self, id: i64) -> Result<CampaignEntry, DataError>;

    /// The counters of a campaign now.
    fn totals(&self, campaign: i64) -> Result<Statistics, DataError>;

    /// The counters of a campaign at up to `points` times from `from` to `to`, in milliseconds of work.
    fn samples(
        &self,
        campaign: i64,
        from: u64,
        to: u64,
        points: usize,
    ) -> Result<Vec<(u64, Statistics)>, DataError>;

    /// Where the workers of a campaign are.
    fn positions(&self, campaign: i64) -> Result<Vec<Position>, DataError>;

    /// The processes that work on the latest campaign, those that work first.
    fn machines(&self) -> Result<Vec<Machine>, DataError>;

    /// The progress of a campaign that several machines share.
    fn shared_totals(&self) -> Result<Option<shared::Totals>, DataError>;

    /// The command by which another machine takes part, if the campaign is in a common store.
    fn join(&self) -> Option<String>;

    /// Why what is shown is not up to date, if it is not.
    fn trouble(&self) -> Option<Trouble>;

    /// Counts of all findings.
    fn counts(&self) -> Result<Totals, DataError>;

    /// Findings by class and time.
    fn found_between(&self, from: u64, to: u64, parts: u64) -> Result<Days, DataError>;

    /// A page of findings.
    fn page(
        &self,
        filter: &FindingFilter,
        order: FindingOrder,
        offset: u64,
        limit: u64,
    ) -> Result<FindingPage, DataError>;

    /// The values that findings can be filtered by.
    fn facet_values(&self, kind: FacetKind) -> Result<Vec<String>, DataError>;

    /// A finding and its status.
    fn finding(&self, id: &str) -> Result<(Listed, Status), DataError>;

    /// Everything about a finding.
    fn dossier(&self, id: &str) -> Result<Dossier, DataError>;

    /// The cases that showed a finding, and how many there are.
    fn occurrences(
        &self,
        id: &str,
        offset: u64,
        limit: u64,
    ) -> Result<(u64, Vec<OccurrenceEntry>), DataError>;

    /// Changes the status of a finding.
    fn set_status(&self, id: &str, change: &StatusChange) -> Result<(), DataError>;

    /// The seeds that contributed findings, and how many there are.
    fn seeds(&self, offset: u64, limit: u64) -> Result<(u64, Vec<(SeedEntry, String)>), DataError>;

    /// What was covered of each solver, by namespace.
    fn covered_areas(&self) -> Result<Vec<CoveredAreas>, DataError>;
}
