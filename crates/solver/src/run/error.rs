//! Why a run was impossible.

use std::io;
use std::path::PathBuf;

/// Why this machine could not run a solver.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The program does not start.
    #[error("cannot start `{}`: {error}", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// A file or folder of the run cannot be created.
    #[error("cannot use `{}` as a working folder: {error}", path.display())]
    Folder {
        /// The path.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The supervisor process did not start or has ended.
    #[error("the supervisor process failed: {error}")]
    Supervisor {
        /// The cause.
        error: io::Error,
    },
}

impl RunError {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            RunError::Start { error, .. } if error.kind() == io::ErrorKind::PermissionDenied => {
                "make the file executable, or give the path of the solver's executable"
            }
            RunError::Start { .. } => "check that the file exists and is a program for this machine",
            RunError::Folder { .. } => "set TMPDIR to a writable folder with free space",
            RunError::Supervisor { .. } => "check the limits on processes, open files and memory (ulimit -a)",
        }
    }
}
