//! Why a process cannot take part in a shared campaign.

use crate::config::ConfigError;
use crate::error::CampaignError;
use case::Hinted;
use store::StoreError;
use thiserror::Error;

/// Why a process cannot take part in a shared campaign.
#[derive(Debug, Error)]
pub enum JoinError {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What the campaign needs cannot be found here.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The campaign cannot run.
    #[error(transparent)]
    Campaign(#[from] CampaignError),
    /// This machine, or what the user sets, does not fit.
    #[error("this process does not fit campaign `{campaign}` of the store:\n  {}", .differences.join("\n  "))]
    Differs {
        /// The name of the campaign.
        campaign: String,
        /// A sentence for each difference.
        differences: Vec<String>,
    },
    /// A campaign whose cases are counted needs all of its solvers.
    #[error("campaign `{0}` has a number of cases, so every machine has to ask all of its solvers")]
    NeedsAllSolvers(String),
}

impl Hinted for JoinError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            JoinError::Store(error) => return error.hint(),
            JoinError::Config(error) => return error.hint(),
            JoinError::Campaign(error) => return error.hint(),
            JoinError::Differs { .. } => {
                "make them the same: leave out settings that the campaign has decided, use the same release \
                 of elenchus and of the solvers; or start another campaign with --campaign NAME"
                    .to_owned()
            }
            JoinError::NeedsAllSolvers(_) => "leave out --solver".to_owned(),
        })
    }
}
