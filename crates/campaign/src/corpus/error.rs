//! Why a corpus tool cannot work.

use case::Hinted;
use solver::RunError;
use solver::coverage::CoverError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a corpus tool cannot work.
#[derive(Debug, Error)]
pub enum CorpusError {
    /// A file cannot be written.
    #[error("cannot write {}: {error}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// There are no seeds.
    #[error("no seed in {}", .0.display())]
    NoSeeds(PathBuf),
    /// The folder for the result has scripts already.
    #[error("{} has scripts already", .0.display())]
    NotEmpty(PathBuf),
    /// No seed was measured.
    #[error("no seed was measured")]
    NothingMeasured,
    /// The user ended it.
    #[error("interrupted; nothing was written")]
    Interrupted,
    /// The coverage of the solver cannot be measured.
    #[error("{0}")]
    Cover(CoverError),
    /// The solver cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl CorpusError {
    pub(super) fn write(path: &Path) -> impl FnOnce(io::Error) -> CorpusError {
        let path = path.to_owned();
        |error| CorpusError::Write { path, error }
    }
}

impl Hinted for CorpusError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            CorpusError::Write { .. } => "check the path and its permissions".to_owned(),
            CorpusError::NoSeeds(_) => "name a folder with .smt2 files".to_owned(),
            CorpusError::NotEmpty(_) => "choose another folder for --out".to_owned(),
            CorpusError::NothingMeasured => "give more time with --time".to_owned(),
            CorpusError::Interrupted => return None,
            CorpusError::Cover(error) => error.hint().to_owned(),
            CorpusError::Run(error) => error.hint().to_owned(),
        })
    }
}
