//! The arguments that say where a campaign is: in a folder or in a common store.

use crate::outcome::Failure;
use campaign::place::{CommonPlace, Place, StoreName};
use clap::Args;
use std::path::PathBuf;

/// Arguments that name a campaign.
#[derive(Args, Clone)]
pub struct PlaceArgs {
    /// Folder of the campaign [default: elenchus-out]
    #[arg(long, value_name = "DIR", conflicts_with = "store")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub store: StoreArgs,
}

/// Arguments that name a campaign in a common store.
#[derive(Args, Clone)]
pub struct StoreArgs {
    /// Common store of the campaign, such as postgres://USER@HOST/DATABASE or sqlite:FILE; also from ELENCHUS_STORE
    #[arg(long, value_name = "URL")]
    pub store: Option<String>,
    /// Name of the campaign in the store; also from ELENCHUS_CAMPAIGN [default: the latest]
    #[arg(long, value_name = "NAME")]
    pub campaign: Option<String>,
}

impl PlaceArgs {
    /// Opens the campaign. A folder takes precedence over the environment.
    pub fn open(&self) -> Result<Place, Failure> {
        Ok(Place::named(self.out.clone(), self.store.name())?)
    }
}

impl StoreArgs {
    /// What the command line names.
    pub fn name(&self) -> StoreName {
        StoreName { url: self.store.clone(), campaign: self.campaign.clone() }
    }

    /// Opens the campaign in the store.
    pub fn open(&self) -> Result<CommonPlace, Failure> {
        Ok(CommonPlace::named(self.name())?)
    }

    /// Whether a store is named, here or in the environment.
    pub fn is_named(&self) -> bool {
        self.name().or_environment().url.is_some()
    }
}
