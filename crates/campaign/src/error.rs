//! Why a campaign cannot run.

use case::Hinted;
use solver::RunError;
use store::StoreError;
use thiserror::Error;
use triage::TriageError;

/// Why a campaign cannot run or cannot continue.
#[derive(Debug, Error)]
pub enum CampaignError {
    /// A finding or the progress cannot be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The result of triage cannot be saved.
    #[error(transparent)]
    Triage(#[from] TriageError),
    /// This machine cannot run a solver.
    #[error(transparent)]
    Run(RunError),
    /// There are no seeds.
    #[error("no usable seed")]
    NoSeeds,
    /// There are no solvers.
    #[error("no solver selected")]
    NoSolvers,
    /// There are no strategies.
    #[error("no strategy selected")]
    NoStrategies,
    /// The campaign to resume was started with other seeds.
    #[error("the seeds have changed since the campaign was started")]
    SeedsChanged,
}

impl Hinted for CampaignError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            CampaignError::Store(error) => return error.hint(),
            CampaignError::Triage(error) => return error.hint(),
            CampaignError::Run(error) => error.hint().to_owned(),
            CampaignError::NoSeeds => {
                "pass .smt2 files or folders with them, or no path to use the built-in seeds".into()
            }
            CampaignError::NoSolvers => "select solvers with --solver, such as --solver z3".into(),
            CampaignError::NoStrategies => "select strategies with --strategy".into(),
            CampaignError::SeedsChanged => {
                "restore the seeds, or start a new campaign without --resume; all findings are kept".into()
            }
        })
    }
}
