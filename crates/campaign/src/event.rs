//! What a campaign tells while it runs. Showing it is the business of whoever listens.

use crate::statistics::Statistics;
use std::path::PathBuf;
use std::time::Duration;
use store::Listed;

/// How a campaign stands.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Time at work, over all resumptions.
    pub elapsed: Duration,
    /// Time at work since this process began, and the cases since then, for rates.
    pub this_run: (Duration, u64),
    /// All counters.
    pub statistics: Statistics,
    /// The limit on time.
    pub time: Option<Duration>,
    /// The limit on cases.
    pub cases: Option<u64>,
    /// How many workers.
    pub jobs: usize,
    /// How many seeds.
    pub seeds: usize,
    /// The findings so far: bugs and candidates.
    pub findings: Vec<Listed>,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// The campaign begins or goes on.
    Started {
        /// The folder that everything is kept in.
        folder: PathBuf,
        /// The campaign's seed.
        seed: u64,
        /// The solvers.
        targets: Vec<String>,
        /// The strategies.
        strategies: Vec<String>,
        /// How many seeds.
        seeds: usize,
        /// Whether it goes on from an earlier state.
        resumed: bool,
    },
    /// How things stand; several times a second.
    Progress(Box<Snapshot>),
    /// Something new is wrong, and on disk.
    Found(Box<Listed>),
    /// Something that people should know: a seed that cannot be used, a solver that cannot be kept warm.
    Note(String),
}

/// Listens to a campaign.
pub trait Listener {
    /// Is told of every event, in order.
    fn event(&mut self, event: &Event);
}

/// Why a campaign ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Its time is over.
    Time,
    /// It has run its cases.
    Cases,
    /// The strategies have no new case for any seed.
    Exhausted,
    /// It was asked to stop.
    Interrupted,
}

/// What a campaign came to.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Why it ended.
    pub ended: Ended,
    /// How it stood at the end.
    pub snapshot: Snapshot,
    /// Seeds that a strategy could not use: strategy, seed and reason.
    pub unfit: Vec<(String, String, String)>,
}
