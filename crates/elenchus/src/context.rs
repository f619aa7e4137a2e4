//! Where commands find solvers, and how installations show their progress.

use crate::commands::progress::InstallProgress;
use crate::outcome::Failure;
use campaign::config::config_of_campaign;
use solver::Target;
use solver::install::{self, InstallError, Settings};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use triage::SolverSource;

/// Finds solvers, and shows the progress of installations.
pub struct Context {
    settings: Settings,
}

impl Context {
    /// The context of the environment and of `elenchus.toml` in the current folder.
    pub fn new() -> Result<Context, Failure> {
        let mut settings = Settings::from_environment()?;
        settings.read_default_config()?;
        Ok(Context { settings })
    }

    /// The context of the environment and of the configuration file that the campaign in a folder used, or else of `elenchus.toml` in
    /// the current folder.
    pub fn of_campaign(folder: &Path) -> Result<Context, Failure> {
        match config_of_campaign(folder) {
            Some(file) => Context::with_config(Some(&file)),
            None => Context::new(),
        }
    }

    /// The context of the environment and of a configuration file, if there is one.
    pub fn with_config(config: Option<&Path>) -> Result<Context, Failure> {
        let mut settings = Settings::from_environment()?;
        if let Some(file) = config {
            settings.read_config(file)?;
        }
        Ok(Context { settings })
    }

    /// The same, with searches and downloads that end when a flag is set.
    pub fn cancelled_by(self, stop: &Arc<AtomicBool>) -> Context {
        Context { settings: Settings { cancel: stop.clone(), ..self.settings } }
    }
}

impl SolverSource for Context {
    fn resolve(&self, spec: &str) -> Result<Target, InstallError> {
        let progress = InstallProgress::new(spec);
        let target = install::resolve_with(spec, &self.settings, &progress);
        progress.finish();
        target
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }
}
