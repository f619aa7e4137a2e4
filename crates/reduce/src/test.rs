//! What the outside world is to a reduction: testers that decide, and a watcher that is told.

use crate::cost::Cost;
use std::time::Duration;

/// What a tester has to find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Need {
    /// Whether the script shows the bug, with nothing known of it.
    Everything,
    /// Whether the script shows the bug, where a model that satisfies it is known.
    ModelKnown,
    /// Whether the script shows the bug, and a model that satisfies it, confirmed by evaluation.
    NewModel,
}

/// A candidate shows the bug.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The model that satisfies it, where one was asked for.
    pub model: Option<String>,
}

/// A reason to end the whole reduction, such as a solver that cannot be started any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abort(pub String);

/// Decides whether candidates show the bug. One tester serves one worker.
pub trait Tester: Send {
    /// Whether a candidate shows the bug.
    fn test(&mut self, script: &str, need: Need) -> Result<Option<Shown>, Abort>;

    /// How long the last test took, with the start of whatever it needed. Workers and fresh processes that do not pay are spared
    /// by it; where it is not known, they are not.
    fn took(&self) -> Duration {
        Duration::ZERO
    }

    /// Uses fresh processes from now on, because what warm ones said was not confirmed.
    fn go_cold(&mut self) {}
}

/// What has been done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Candidates that testers were asked about.
    pub tests: u64,
    /// Candidates that became the new best.
    pub accepted: u64,
    /// Candidates that the model in hand does not satisfy, so that no solver had to be asked.
    pub refuted: u64,
    /// Candidates that were met again.
    pub known: u64,
}

/// How a reduction stands.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The size at the beginning.
    pub from: Cost,
    /// The best size so far.
    pub now: Cost,
    /// What has been done.
    pub counts: Counts,
    /// What is being tried.
    pub pass: &'a str,
}

/// Is told how a reduction goes, and has a say in it.
pub trait Watcher {
    /// Whether to stop with what there is.
    fn stopped(&self) -> bool {
        false
    }

    /// Told after every test.
    fn progress(&mut self, _progress: &Progress<'_>) {}

    /// Told of every new best script, which is to be kept where it survives.
    fn improved(&mut self, script: &str, model: Option<&str>) -> Result<(), Abort>;

    /// Asked at milestones and at the end whether the script shows the bug plainly, in fresh processes.
    fn confirm(&mut self, _script: &str) -> Result<bool, Abort> {
        Ok(true)
    }
}
