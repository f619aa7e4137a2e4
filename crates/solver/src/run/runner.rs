//! The interface of all run modes.

use super::error::RunError;
use super::history::Transcript;
use super::observation::Observation;
use super::request::RunRequest;
use crate::target::Target;
use case::RunMode;

/// Runs scripts on one solver, one at a time.
pub trait Runner: Send {
    /// Runs a script.
    fn run(&mut self, request: &RunRequest<'_>) -> Result<Observation, RunError>;

    /// Starts the processes that a request needs, where that is possible, without running it. Errors show in the run.
    fn warm(&mut self, _request: &RunRequest<'_>) {}

    /// The solver.
    fn target(&self) -> &Target;

    /// The mode. A script that is not possible in this mode runs in one-shot mode.
    fn mode(&self) -> RunMode;

    /// The input of the last run's process since its start, including that run, if it is kept.
    fn transcript(&self) -> Option<Transcript> {
        None
    }
}
