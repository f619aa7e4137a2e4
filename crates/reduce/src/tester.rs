//! The interface to the caller: testers decide about candidates, and a watcher follows the reduction.

use crate::cost::Cost;
use std::time::Duration;

/// What a tester has to find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Need {
    /// Whether the script shows the bug. No model is known.
    Everything,
    /// Whether the script shows the bug. A model that satisfies it is known.
    ModelKnown,
    /// Whether the script shows the bug, and a model that satisfies it, confirmed by evaluation.
    NewModel,
}

/// A candidate that shows the bug.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reproduced {
    /// A model that satisfies it, for [`Need::NewModel`].
    pub model: Option<String>,
}

/// A reason to end the whole reduction, such as a solver that no longer starts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Abort(pub String);

/// Decides whether candidates show the bug. Each worker has its own tester.
pub trait Tester: Send {
    /// Tests a candidate. Returns `None` if it does not show the bug.
    fn test(&mut self, script: &str, need: Need) -> Result<Option<Reproduced>, Abort>;

    /// How long the last test took, including the start of solvers.
    ///
    /// The search starts further workers and fresh processes only where this says that they pay. With the default, they
    /// always do.
    fn took(&self) -> Duration {
        Duration::ZERO
    }

    /// Uses fresh processes from now on, because a cold run did not confirm a warm one.
    fn go_cold(&mut self) {}
}

/// The work done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Candidates tested.
    pub tests: u64,
    /// Candidates that became the current script.
    pub accepted: u64,
    /// Candidates ruled out by the known model, without asking a solver.
    pub refuted: u64,
    /// Candidates rejected before, under the same [`Need`].
    pub known: u64,
}

/// The progress of a reduction.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The cost of the original script.
    pub from: Cost,
    /// The cost of the current script.
    pub now: Cost,
    /// The work done so far.
    pub counts: Counts,
    /// The name of the running pass.
    pub pass: &'a str,
}

/// Follows a reduction, and may stop it.
pub trait Watcher {
    /// Whether to stop with the best script so far.
    fn should_stop(&self) -> bool {
        false
    }

    /// Called after every test.
    fn progress(&mut self, _progress: &Progress<'_>) {}

    /// Called with every new best script, to save it.
    fn improved(&mut self, script: &str, model: Option<&str>) -> Result<(), Abort>;

    /// Whether the script shows the bug in fresh processes. Called at milestones and at the end.
    fn confirm(&mut self, _script: &str) -> Result<bool, Abort> {
        Ok(true)
    }
}
