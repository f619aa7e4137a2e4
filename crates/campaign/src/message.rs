//! What workers send to the bookkeeper.

use crate::made_cases::MadeCases;
use crate::remake::RunContext;
use crate::statistics::Statistics;
use case::{CaseIndex, Finding, Origin, SeedIndex, StrategyIndex};
use solver::RunError;
use std::sync::Arc;
use store::Merged;
use triage::automatic::TriagedFinding;

/// A message from a worker. The messages of one worker arrive in order, so a finding is stored before its case counts as
/// done.
pub enum Message {
    /// Counters since the last message, and how far the unit is.
    Progress {
        /// The unit.
        unit: u64,
        /// Its first case that is not done.
        next_case: CaseIndex,
        /// The counters.
        statistics: Box<Statistics>,
    },
    /// The last counters of a worker.
    Ending {
        /// The counters.
        statistics: Box<Statistics>,
    },
    /// The unit is done.
    UnitDone {
        /// The unit.
        unit: u64,
        /// The cases that it made.
        made: MadeCases,
    },
    /// A confirmed finding.
    Finding {
        /// The finding.
        finding: Box<Finding>,
        /// How its case has to run to show it.
        run: RunContext,
        /// The script.
        case: String,
        /// The seed.
        seed: Arc<str>,
    },
    /// What triage has found out about a finding.
    Triaged {
        /// The name of the finding.
        id: String,
        /// The result.
        triaged: Box<TriagedFinding>,
    },
    /// A finding that a triaged one explains.
    Merged(Merged),
    /// Another case of a finding that this worker has sent before.
    Duplicate {
        /// The signature of the finding.
        signature: String,
        /// The case.
        origin: Origin,
    },
    /// A case that a triaged finding explains.
    Explained {
        /// The name of the finding.
        finding: String,
        /// The case.
        origin: Origin,
    },
    /// A strategy cannot use a seed.
    UnusableSeed {
        /// The strategy.
        strategy: StrategyIndex,
        /// The seed; `None` for the strategy's own.
        seed: Option<SeedIndex>,
        /// Why not.
        reason: String,
    },
    /// This machine cannot run solvers any more: the campaign must stop.
    Failed(RunError),
}
