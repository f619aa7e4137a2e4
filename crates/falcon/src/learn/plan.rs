//! What to learn, and why learning can fail.

use super::CorrelationsError;
use crate::space::Space;
use case::Hinted;
use smt::Signatures;
use solver::coverage::CoverError;
use solver::install::{InstallError, Settings};
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

impl<'a> LearnPlan<'a> {
    /// A plan for the options whose names contain one of `options`, and for the given operations; empty lists mean
    /// all. The time limit is ten minutes.
    pub fn new(
        target: &'a Target,
        settings: &Settings,
        options: &[String],
        operations: Vec<String>,
    ) -> Result<LearnPlan<'a>, LearnError> {
        let chosen =
            |name: &str| options.is_empty() || options.iter().any(|part| name.contains(part.as_str()));
        let space = Space::of_solver(target, settings)?.restricted(|knob| chosen(&knob.name));
        if space.knobs.is_empty() {
            return Err(LearnError::NoOption { solver: target.id.clone() });
        }
        let theories = target.profile.at(&target.version).theories;
        let known = strategies::grammar::operations(&Signatures::standard(), Some(&target.name), &theories);
        if let Some(operation) = operations.iter().find(|name| !known.contains(name)) {
            return Err(LearnError::NoOperation { solver: target.id.clone(), operation: operation.clone() });
        }
        let operations = if operations.is_empty() { known } else { operations };
        Ok(LearnPlan { target, space, operations, time: Duration::from_secs(600), seed: 1 })
    }
}

/// Why learning failed.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// The coverage of the solver cannot be measured.
    #[error(transparent)]
    Cover(CoverError),
    /// The solver cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The options of the solver cannot be read.
    #[error(transparent)]
    Install(#[from] InstallError),
    /// What was learned cannot be saved.
    #[error(transparent)]
    Save(#[from] CorrelationsError),
    /// No option of the solver matches.
    #[error("{solver} has no matching option that leaves the question unchanged")]
    NoOption {
        /// The solver.
        solver: String,
    },
    /// The solver does not support an operation.
    #[error("{solver} does not support the operation `{operation}`")]
    NoOperation {
        /// The solver.
        solver: String,
        /// The operation.
        operation: String,
    },
}

impl Hinted for LearnError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            LearnError::Cover(error) => error.hint().to_owned(),
            LearnError::Run(error) => error.hint().to_owned(),
            LearnError::Install(error) => error.hint(),
            LearnError::Save(error) => return error.hint(),
            LearnError::NoOption { solver } => format!("list its options: elenchus solver options {solver}"),
            LearnError::NoOperation { .. } => {
                "operations are SMT-LIB operators, forall, exists, push, pop and the get- commands".to_owned()
            }
        })
    }
}
