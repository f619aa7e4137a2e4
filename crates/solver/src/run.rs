//! Running a script on a solver: four ways, one result.
//!
//! A run never fails because a solver misbehaves: whatever the solver does is an [`Observation`]. A [`RunError`] means
//! that this machine could not run it at all.

mod afl_greeting;
mod afl_server;
mod classify;
mod dialogue;
mod follow_up;
mod fork;
pub mod history;
mod incremental;
mod observation;
mod one_shot;
mod output;
mod pool;
mod prepare;
mod request;
mod responses;
mod script;
mod session;
mod stack;
mod supervisor;
mod supervisors;
mod warm;
mod work_folder;

pub(crate) use afl_server::AflServer;
pub use classify::{Ending, Exit, Outcome, Raw, classify};
pub use dialogue::Dialogue;
pub use fork::ForkServer;
pub use incremental::{IncrementalProcess, inside_push};
pub use observation::Observation;
pub use one_shot::OneShot;
pub use request::{CoverFiles, Limits, RunRequest, RunSettings, Stacks, Want};
pub use responses::{Answer, Piece, PieceKind, Response, Sorted, responses, sort};
pub use script::{Command, Script};
pub use session::ResetSession;
pub(crate) use supervisor::resolve_program;
pub use supervisors::Supervisors;

pub use case::RunMode;

use crate::target::Target;
use std::path::PathBuf;
use std::{fmt, io};

/// Something that runs scripts on one solver. One runner serves one worker: it runs one script at a time.
pub trait Runner: Send {
    /// Runs a script and tells what the solver did.
    fn run(&mut self, request: &RunRequest<'_>) -> Result<Observation, RunError>;

    /// Starts whatever processes a request will need, where they can be started beforehand, without running it. That they
    /// cannot be is told by the run itself.
    fn warm(&mut self, _request: &RunRequest<'_>) {}

    /// The solver that it runs.
    fn target(&self) -> &Target;

    /// The way in which it runs scripts, where it can.
    fn mode(&self) -> RunMode;

    /// All that the process of the last run was told since its start, that run included, if that is kept.
    fn told(&self) -> Option<history::Transcript> {
        None
    }
}

/// A runner of `target` in the given way.
pub fn runner(target: &Target, mode: RunMode, settings: &RunSettings) -> Result<Box<dyn Runner>, RunError> {
    Ok(match mode {
        RunMode::OneShot => Box::new(OneShot::new(target, settings)),
        RunMode::Session => Box::new(ResetSession::new(target, settings)?),
        RunMode::Fork => Box::new(ForkServer::new(target, settings)?),
        RunMode::Incremental => Box::new(IncrementalProcess::new(target, settings)?),
    })
}

/// Why this machine could not run a solver.
#[derive(Debug)]
pub enum RunError {
    /// The program does not start.
    Start {
        /// The program.
        program: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file or folder for the run could not be made.
    Folder {
        /// Which one.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The supervisor process could not be started or went away.
    Supervisor {
        /// What the system says.
        error: io::Error,
    },
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Start { program, error } => write!(f, "{} does not start: {error}", program.display()),
            RunError::Folder { path, error } => {
                write!(f, "{} cannot be used as a working folder: {error}", path.display())
            }
            RunError::Supervisor { error } => write!(f, "the process that watches solvers failed: {error}"),
        }
    }
}

impl RunError {
    /// What a person can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            RunError::Start { error, .. } if error.kind() == io::ErrorKind::PermissionDenied => {
                "make the file executable, or give the path of the solver's executable"
            }
            RunError::Start { .. } => "check that the file exists and is a program for this machine",
            RunError::Folder { .. } => "set TMPDIR to a folder that can be written and has space left",
            RunError::Supervisor { .. } => "check the limits on processes, open files and memory (ulimit -a)",
        }
    }
}

impl std::error::Error for RunError {}
