//! Which campaign a command line means: a new one or one to resume, with settings from the command line, a configuration file, and the
//! campaign itself.

use super::{ConfigError, DEFAULT_CONFIG, FuzzConfig, last_campaign, signature_files};
use crate::settings::Settings;
use std::path::{Path, PathBuf};
use store::{Campaign, Store};

/// A campaign to start or to resume.
pub struct Resolved {
    /// What the user sets, on the command line or in the configuration file.
    pub config: FuzzConfig,
    /// The settings of the campaign.
    pub settings: Settings,
    /// The folder of the campaign.
    pub store: Store,
    /// The campaign to resume.
    pub resumed: Option<Campaign>,
}

/// What the command line or the configuration file sets, and that file. `file` is the one that the user names; without one, the
/// default file is read if it exists.
pub fn configuration(
    flags: &FuzzConfig,
    file: Option<PathBuf>,
) -> Result<(FuzzConfig, Option<PathBuf>), ConfigError> {
    let default = Path::new(DEFAULT_CONFIG);
    let file = file.or_else(|| default.is_file().then(|| default.to_owned()));
    let read = file.as_deref().map(FuzzConfig::read).transpose()?;
    Ok((flags.clone().or(read.unwrap_or_default()), file))
}

/// Finds the campaign that `flags` mean. `file` is the configuration file that the user names; without one, the default file is read if
/// it exists. Loads the signature files of the campaign.
pub fn resolve(flags: &FuzzConfig, file: Option<PathBuf>, resume: bool) -> Result<Resolved, ConfigError> {
    let is_named = file.is_some();
    let (config, file) = configuration(flags, file)?;
    let store = Store::open(&config.folder())?;
    if !resume && signature_files::given().is_empty() {
        signature_files::load(&config.signatures)?;
    }
    let resumed = if resume { Some(last_campaign(&store)?) } else { None };
    let mut settings = match &resumed {
        Some(campaign) => not_shared(flags.resumed(campaign)?)?,
        None => config.settings(signature_files::given().to_vec())?,
    };
    // A resumed campaign keeps its file, which may define its solvers, unless the user names another.
    let own = settings.config.take().filter(|own| !is_named && own.is_file());
    settings.config = own.or(file).and_then(|file| std::path::absolute(file).ok());
    signature_files::require(&settings.signature_files, "the campaign")?;
    Ok(Resolved { config, settings, store, resumed })
}

/// The settings of a campaign, unless it goes on in a common store.
fn not_shared(settings: Settings) -> Result<Settings, ConfigError> {
    match settings.shared {
        Some(place) => Err(ConfigError::Shared(place)),
        None => Ok(settings),
    }
}
