//! Measures which parts of a solver a script reaches.
//!
//! All sources implement one trait: unmodified release executables ([`Breakpoints`]), and builds for AFL ([`AflMap`]), with
//! `--coverage` ([`Gcov`]) or with `-fprofile-instr-generate` ([`Llvm`]).

mod afl;
mod breakpoints;
mod data_folder;
mod functions;
mod gcov;
mod llvm;
mod names;
mod plan;
mod point;
mod reached;
mod source;
mod steady;

pub use afl::AflMap;
pub use breakpoints::Breakpoints;
pub use functions::{CoverError, Function, Functions};
pub use gcov::Gcov;
pub use llvm::Llvm;
pub use names::Names;
pub use point::CoveragePoint;
pub use reached::Reached;
pub use source::watch;
pub use steady::Steady;

use crate::run::{Observation, RunError, RunRequest};

/// Runs scripts on one solver and measures what they reach.
pub trait Coverage: Send {
    /// How many coverage points the solver has.
    fn points(&self) -> usize;

    /// What the points are: functions, edges.
    fn kind(&self) -> &'static str;

    /// The name of a point, if it has one.
    fn name(&self, point: CoveragePoint) -> Option<&str>;

    /// Runs a script. Returns the observation and the points that it reached.
    fn run(&mut self, request: &RunRequest<'_>) -> Result<(Observation, Reached), RunError>;
}
