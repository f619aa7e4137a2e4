//! Runs a script on a solver in one of four modes, with one type of result.
//!
//! A run never fails because a solver misbehaves: whatever the solver does is an [`Observation`]. A [`RunError`] means
//! that this machine could not run it at all.

mod afl_handshake;
mod afl_server;
mod classify;
mod confined_program;
mod dialogue;
mod error;
mod file_access;
mod follow_up;
mod fork;
mod from_scratch;
pub mod history;
mod incremental;
mod observation;
mod one_shot;
mod output;
mod plain_script;
mod pool;
mod prepare;
mod probe;
mod request;
mod responses;
mod runner;
mod script;
mod session;
mod stack;
mod stopped;
mod supervisor;
mod supervisors;
mod user_command;
mod warm;
mod work_folder;

pub(crate) use afl_server::AflServer;
pub use classify::{Ending, Exit, Outcome, Raw, classify};
pub(crate) use confined_program::ConfinedProgram;
pub use dialogue::Dialogue;
pub use error::RunError;
pub use file_access::without_file_access;
pub use fork::ForkServer;
pub use from_scratch::{is_incremental, up_to_check};
pub use incremental::{IncrementalProcess, inside_push};
pub use observation::Observation;
pub use one_shot::OneShot;
pub use plain_script::{plain_script, using_tactic};
pub use prepare::asking_for_model;
pub(crate) use probe::probe;
pub use request::{CoverageFiles, Limits, RunRequest, RunSettings, Stacks, Want};
pub use responses::{Answer, Piece, PieceKind, Response, Sorted, line_of_error, responses, sort};
pub use runner::Runner;
pub use script::{Command, Script};
pub use session::ResetSession;
pub use stopped::continue_children;
pub(crate) use supervisor::resolve_program;
pub use supervisors::Supervisors;
pub use user_command::{CommandRun, UserCommand};

pub use case::RunMode;

use crate::target::Target;

/// A runner of `target` in the given mode.
pub fn runner(target: &Target, mode: RunMode, settings: &RunSettings) -> Result<Box<dyn Runner>, RunError> {
    Ok(match mode {
        RunMode::OneShot => Box::new(OneShot::new(target, settings)),
        RunMode::Session => Box::new(ResetSession::new(target, settings)?),
        RunMode::Fork => Box::new(ForkServer::new(target, settings)?),
        RunMode::Incremental => Box::new(IncrementalProcess::new(target, settings)?),
    })
}
