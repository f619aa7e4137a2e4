//! Solvers of the pool with options, added for the current case.

use super::SolverPool;
use case::SolverIndex;
use solver::{RunMode, Target};

/// A solver with options.
pub struct Configured {
    /// The solver with the options in its name.
    pub target: Target,
    /// The plain solver.
    pub solver: SolverIndex,
    /// The options on the command line.
    pub options: Vec<String>,
    /// The same options as commands, which a warm solver accepts before the script.
    pub commands: Option<String>,
}

impl SolverPool {
    /// Adds a solver with options, which may have a form as commands. Returns its index.
    pub fn configure(
        &mut self,
        solver: SolverIndex,
        options: Vec<String>,
        commands: Option<String>,
    ) -> SolverIndex {
        let target = self.solvers[solver.get()].target.configured(&options);
        self.configured.push(Configured { target, solver, options, commands });
        SolverIndex(self.solvers.len() + self.configured.len() - 1)
    }

    /// The configured solver that was added last.
    pub fn last_configured(&self) -> SolverIndex {
        SolverIndex(self.solvers.len() + self.configured.len().saturating_sub(1))
    }

    /// Removes all configured solvers.
    pub fn remove_configured(&mut self) {
        self.configured.clear();
    }

    pub(super) fn configuration(&self, solver: SolverIndex) -> Option<&Configured> {
        self.configured.get(solver.get().wrapping_sub(self.solvers.len()))
    }

    /// A script as a warm solver takes it, with the options of a configured solver as commands; `None` if the options work on
    /// the command line only.
    pub(super) fn warm_script(&self, solver: SolverIndex, script: &str) -> Option<String> {
        match self.configuration(solver) {
            // A fresh process takes them on the command line, as people give them.
            Some(_) if self.settings.mode() == RunMode::OneShot => None,
            Some(configured) => Some(format!("{}{script}", configured.commands.as_ref()?)),
            None => Some(script.to_owned()),
        }
    }
}
