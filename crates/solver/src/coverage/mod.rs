//! Which parts of a solver a script reaches. Sources stand behind one trait: release executables as they are
//! ([`Breakpoints`]) first of all; builds of one's own for AFL ([`AflMap`]), with `--coverage` ([`Gcov`]) or with
//! `-fprofile-instr-generate` ([`Llvm`]).

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
pub use source::{Source, watch};
pub use steady::Steady;

use crate::run::{Observation, RunError, RunRequest};

/// Something that runs scripts on one solver and tells what they reach.
pub trait Coverage: Send {
    /// How many coverage points the solver has.
    fn points(&self) -> usize;

    /// What the points are: functions, edges.
    fn kind(&self) -> &'static str;

    /// The name of a point, if it has one.
    fn name(&self, point: CoveragePoint) -> Option<&str>;

    /// Runs a script and tells what the solver did and what of it was reached.
    fn run(&mut self, request: &RunRequest<'_>) -> Result<(Observation, Reached), RunError>;
}
