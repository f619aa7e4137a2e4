//! Solvers: installing them, knowing them, and running them safely. The only crate that starts processes.

pub mod driver;
pub mod install;
pub mod profile;
pub mod target;

pub use profile::{Profile, ProfileError};
pub use target::{Target, TargetKind};
