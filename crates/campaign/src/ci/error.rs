//! Why a CI run has no verdict.

use crate::config::ConfigError;
use crate::error::CampaignError;
use case::Hinted;
use solver::install::InstallError;
use std::io;
use std::path::PathBuf;
use store::StoreError;
use thiserror::Error;
use triage::TriageError;

/// Why a CI run has no verdict.
#[derive(Debug, Error)]
pub enum CiError {
    /// A solver cannot be found or installed.
    #[error("cannot use the {role} {spec}: {error}")]
    Solver {
        /// What it is for.
        role: &'static str,
        /// The solver as the user named it.
        spec: String,
        /// Why not.
        error: InstallError,
    },
    /// The candidate and the baseline are the same.
    #[error("the candidate and the baseline are both {0}")]
    SameSolver(String),
    /// A solver answered nothing.
    #[error("the {role} {id} answered none of {}{}", case::table::counted(*.runs, "script"), said(.sample))]
    Silent {
        /// What it is for.
        role: &'static str,
        /// The solver.
        id: String,
        /// How many scripts it ran.
        runs: u64,
        /// The first thing that it said; empty if nothing.
        sample: String,
    },
    /// Nothing was tested.
    #[error("nothing was tested")]
    NothingTested,
    /// The campaign cannot be set up.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The campaign cannot run.
    #[error(transparent)]
    Campaign(#[from] CampaignError),
    /// A finding cannot be tested or saved.
    #[error(transparent)]
    Triage(#[from] TriageError),
    /// The page of the job cannot be written.
    #[error("cannot write {}: {error}", .path.display())]
    JobPage {
        /// The file of the page.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The folder of the findings cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn said(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {}", case::text::one_line(text, 160)) }
}

impl Hinted for CiError {
    fn hint(&self) -> Option<String> {
        match self {
            CiError::Solver { error, .. } => Hinted::hint(error),
            CiError::SameSolver(_) => Some(
                "compare a build with a release, as in --solver ./build/z3 --baseline z3@5.4.0".to_owned(),
            ),
            CiError::Silent { .. } => {
                Some("run it by hand on a script: elenchus solve SCRIPT --solver SOLVER".to_owned())
            }
            CiError::NothingTested => Some("give more time with --time, or other seeds".to_owned()),
            CiError::JobPage { .. } => Some("GITHUB_STEP_SUMMARY names this file".to_owned()),
            CiError::Config(error) => error.hint(),
            CiError::Campaign(error) => error.hint(),
            CiError::Triage(error) => error.hint(),
            CiError::Store(error) => error.hint(),
        }
    }
}
