//! Errors of triage.

use case::files::FileError;
use case::{Hinted, Predicate, PredicateError};
use solver::RunError;
use solver::install::InstallError;
use std::io;
use std::path::{Path, PathBuf};
use store::StoreError;

/// An error of triage.
#[derive(Debug, thiserror::Error)]
pub enum TriageError {
    /// A solver could not be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A solver could not be found or installed.
    #[error(transparent)]
    Install(#[from] InstallError),
    /// The folder of a campaign could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A script could not be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// `--keep` could not be parsed.
    #[error(transparent)]
    Predicate(#[from] PredicateError),
    /// The script does not show what it should.
    #[error("{origin} does not show that {predicate}; {}", described(.seen))]
    NotShown {
        /// The script's name.
        origin: String,
        /// What it should show.
        predicate: Predicate,
        /// What each solver did.
        seen: Vec<(String, String)>,
    },
    /// A file could not be read or written.
    #[error("cannot access {}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// A file has the wrong content.
    #[error("{} is not {what}: {error}", .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What it should be.
        what: &'static str,
        /// What is wrong with its content.
        error: String,
    },
    /// Anything else, with its hint.
    #[error("{message}")]
    Other {
        /// What is wrong.
        message: String,
        /// What to do next.
        hint: String,
    },
}

fn described(seen: &[(String, String)]) -> String {
    seen.iter().map(|(solver, did)| format!("{solver}: {did}")).collect::<Vec<_>>().join("; ")
}

impl TriageError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> TriageError {
        let path = path.to_owned();
        move |error| TriageError::Io { path, error }
    }

    /// Whether the caller has stopped it.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, TriageError::Install(InstallError::Cancelled))
    }

    /// A failure that no other variant describes, with what to do about it.
    pub fn other(message: impl Into<String>, hint: impl Into<String>) -> TriageError {
        TriageError::Other { message: message.into(), hint: hint.into() }
    }
}

impl Hinted for TriageError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            TriageError::Run(error) => error.hint().to_owned(),
            TriageError::Install(error) => error.hint().to_owned(),
            TriageError::Store(error) => return error.hint(),
            TriageError::File(error) => return error.hint(),
            TriageError::Predicate(error) => error.hint().to_owned(),
            TriageError::NotShown { .. } => {
                "check the releases and the options, or give more time with --timeout".to_owned()
            }
            TriageError::Io { .. } => "check the path and its permissions".to_owned(),
            TriageError::Format { .. } => "correct or move the file".to_owned(),
            TriageError::Other { hint, .. } => hint.clone(),
        })
    }
}
