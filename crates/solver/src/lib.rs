//! Solvers: installs them, describes them, and runs them safely. The only crate that starts solver processes.

pub mod acceleration;
pub mod affinity;
mod checker;
pub mod confine;
pub mod coverage;
pub mod driver;
pub mod fork_server;
mod hints;
pub mod install;
mod native;
pub mod options;
pub mod profile;
pub mod run;
mod symbols;
pub mod target;

pub use acceleration::Acceleration;
pub use checker::{CheckerError, ProofChecker, ProofVerdict};
pub use profile::{Profile, ProfileError};
pub use run::{Answer, Observation, Outcome, RunError, RunMode, RunRequest, Runner, runner};
pub use target::{CoverageSource, Target, TargetKind};
