//! Where triage finds solvers while a campaign runs.

use solver::Target;
use solver::install::{self, InstallError, Settings};
use triage::SolverSource;

/// The solvers of the campaign, which need not be searched for, and all others. Installations show no progress, since the view of
/// the campaign has the terminal.
#[derive(Clone, Copy)]
pub struct KnownSolvers<'a> {
    /// The solvers of the campaign.
    pub targets: &'a [Target],
    /// How others are installed.
    pub installer: &'a Settings,
}

impl SolverSource for KnownSolvers<'_> {
    fn resolve(&self, spec: &str) -> Result<Target, InstallError> {
        match self.targets.iter().find(|target| target.id == spec) {
            Some(target) => Ok(target.clone()),
            None => install::resolve(spec, self.installer),
        }
    }

    fn settings(&self) -> &Settings {
        self.installer
    }
}
