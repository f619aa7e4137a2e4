//! What to learn, and why learning can fail.

use crate::space::Space;
use solver::coverage::CoverError;
use solver::{RunError, Target};
use std::time::Duration;

/// What to learn about.
pub struct LearnPlan<'a> {
    /// The solver.
    pub target: &'a Target,
    /// Its options.
    pub space: Space,
    /// The operations.
    pub operations: Vec<String>,
    /// The time limit.
    pub time: Duration,
    /// The number that all random choices follow from.
    pub seed: u64,
}

/// Why learning failed.
#[derive(Debug)]
pub enum LearnError {
    /// The coverage of the solver cannot be measured.
    Cover(CoverError),
    /// The solver cannot be run.
    Run(RunError),
}

impl From<RunError> for LearnError {
    fn from(error: RunError) -> LearnError {
        LearnError::Run(error)
    }
}
