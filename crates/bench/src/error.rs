//! Errors of benchmarks.

use case::Hinted;
use case::files::FileError;
use solver::RunError;
use solver::install::InstallError;
use std::path::PathBuf;
use store::StoreError;
use triage::TriageError;

/// A benchmark cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A program could not be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A solver could not be installed.
    #[error(transparent)]
    Install(#[from] InstallError),
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A campaign could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What a tool reported could not be judged.
    #[error(transparent)]
    Triage(#[from] TriageError),
    /// The user named something that does not exist or does not fit.
    #[error("{message}")]
    Choice {
        /// What is wrong.
        message: String,
        /// What to do.
        hint: String,
    },
    /// A tool did not do its work.
    #[error("{contender} did not run: {reason}")]
    Tool {
        /// The contender.
        contender: String,
        /// What it said.
        reason: String,
        /// Where its files are.
        folder: PathBuf,
    },
    /// A file of results cannot be understood.
    #[error("cannot read the results in {}: {reason}", .path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

impl BenchError {
    /// A choice of the user that does not fit.
    pub(crate) fn choice(message: impl Into<String>, hint: impl Into<String>) -> BenchError {
        BenchError::Choice { message: message.into(), hint: hint.into() }
    }
}

impl Hinted for BenchError {
    fn hint(&self) -> Option<String> {
        match self {
            BenchError::Run(error) => Hinted::hint(error),
            BenchError::Install(error) => Hinted::hint(error),
            BenchError::File(error) => error.hint(),
            BenchError::Store(error) => error.hint(),
            BenchError::Triage(error) => error.hint(),
            BenchError::Choice { hint, .. } => Some(hint.clone()),
            BenchError::Tool { folder, .. } => Some(format!("its files are in {}", folder.display())),
            BenchError::Record { .. } => Some("delete the file to repeat the run".to_owned()),
        }
    }
}
