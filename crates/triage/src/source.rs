//! How triage gets its solvers.

use solver::Target;
use solver::install::{InstallError, Settings};

/// Finds solvers by the names that users and findings give them, and installs them if necessary.
pub trait SolverSource: Sync {
    /// The solver with this name.
    fn resolve(&self, spec: &str) -> Result<Target, InstallError>;

    /// The settings of the installer.
    fn settings(&self) -> &Settings;
}

/// Finds solvers without showing the progress of an installation.
pub struct QuietSource(pub Settings);

impl SolverSource for QuietSource {
    fn resolve(&self, spec: &str) -> Result<Target, InstallError> {
        solver::install::resolve(spec, &self.0)
    }

    fn settings(&self) -> &Settings {
        &self.0
    }
}
