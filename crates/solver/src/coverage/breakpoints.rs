//! Function coverage of unmodified executables, by a breakpoint at the first instruction of every function.

use super::functions::{CoverError, Functions};
use super::plan::Exchange;
use super::source::MINIMAL_SCRIPT;
use super::{Coverage, CoveragePoint, Reached};
use crate::driver::cvc5_library;
use crate::run::{Observation, RunError, RunMode, RunRequest, RunSettings, Runner, runner};
use crate::target::{Target, TargetKind};
use std::io;
use std::path::PathBuf;

/// Runs scripts on a solver with breakpoints.
///
/// With [`RunMode::Fork`] the breakpoints are set once per server, and each set of options has a server. With
/// [`RunMode::OneShot`] they are set for each script, which is cheaper if every script has other options.
pub struct Breakpoints {
    functions: Functions,
    exchange: Exchange,
    runner: Box<dyn Runner>,
}

impl Breakpoints {
    /// Sets breakpoints in all functions of a solver.
    pub fn new(target: &Target, mode: RunMode, settings: &RunSettings) -> Result<Breakpoints, CoverError> {
        Breakpoints::except(target, mode, settings, Reached::default())
    }

    /// Sets breakpoints in all functions except those that a minimal script reaches. These count as reached by every run, and
    /// cost nothing.
    pub fn beyond_start(
        target: &Target,
        mode: RunMode,
        settings: &RunSettings,
    ) -> Result<Breakpoints, CoverError> {
        let mut whole = Breakpoints::new(target, RunMode::OneShot, settings)?;
        let failed = |why: String| CoverError::Unsupported(whole_path(target), why);
        let (observation, always) =
            whole.run(&RunRequest::new(MINIMAL_SCRIPT)).map_err(|error| failed(error.to_string()))?;
        if always.count() == 0 {
            return Err(failed(format!("no function is hit (outcome: {})", observation.outcome)));
        }
        Breakpoints::except(target, mode, settings, always)
    }

    fn except(
        target: &Target,
        mode: RunMode,
        settings: &RunSettings,
        always: Reached,
    ) -> Result<Breakpoints, CoverError> {
        let library = target.kind == TargetKind::LibraryDriver;
        let path: PathBuf = if library {
            cvc5_library(&target.args).map_err(|why| CoverError::Unsupported(target.program.clone(), why))?
        } else {
            whole_path(target)
        };
        if target.kind == TargetKind::PythonDriver {
            return Err(CoverError::Unsupported(path, "it runs inside of Python".to_owned()));
        }
        let functions = Functions::read(&path)?;
        let exchange = Exchange::new(&functions, library, always).map_err(CoverError::Exchange)?;
        let settings = RunSettings { coverage: Some(exchange.files()), ..settings.clone() };
        let runner = runner(target, mode, &settings)
            .map_err(|error| CoverError::Exchange(io::Error::other(error.to_string())))?;
        Ok(Breakpoints { functions, exchange, runner })
    }

    /// All functions of the solver.
    pub fn functions(&self) -> &Functions {
        &self.functions
    }
}

impl Coverage for Breakpoints {
    fn points(&self) -> usize {
        self.functions.all.len()
    }

    fn kind(&self) -> &'static str {
        "functions"
    }

    fn name(&self, point: CoveragePoint) -> Option<&str> {
        self.functions.all.get(point.get())?.name.as_deref()
    }

    fn run(&mut self, request: &RunRequest<'_>) -> Result<(Observation, Reached), RunError> {
        let failed = |error| RunError::Supervisor { error };
        self.exchange.wipe().map_err(failed)?;
        let observation = self.runner.run(request)?;
        let reached = self.exchange.read().map_err(failed)?;
        Ok((observation, reached))
    }
}

/// The path of the target's program.
fn whole_path(target: &Target) -> PathBuf {
    crate::run::resolve_program(&target.program)
}
