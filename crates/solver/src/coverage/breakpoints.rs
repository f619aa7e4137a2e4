//! Function coverage of release executables as they are: breakpoints at the first instruction of every function.

use super::functions::{CoverError, Functions};
use super::plan::Exchange;
use super::source::LEAST;
use super::{Coverage, CoveragePoint, Reached};
use crate::driver::cvc5_library;
use crate::run::{Observation, RunError, RunMode, RunRequest, RunSettings, Runner, runner};
use crate::target::{Target, TargetKind};
use std::io;
use std::path::PathBuf;

/// Runs scripts on a solver whose functions are watched.
///
/// With [`RunMode::Fork`] the breakpoints are set once for many scripts; a server is started for each set of options. With
/// [`RunMode::OneShot`] they are set for each script, which is cheaper where every script has other options.
pub struct Breakpoints {
    functions: Functions,
    exchange: Exchange,
    runner: Box<dyn Runner>,
}

impl Breakpoints {
    /// Watches the functions of a solver.
    pub fn new(target: &Target, mode: RunMode, settings: &RunSettings) -> Result<Breakpoints, CoverError> {
        Breakpoints::but(target, mode, settings, Reached::default())
    }

    /// Watches the functions of a solver but those that the smallest question reaches: they count as reached by every run, and the
    /// cost of a run falls to that of what it adds.
    pub fn beyond_start(
        target: &Target,
        mode: RunMode,
        settings: &RunSettings,
    ) -> Result<Breakpoints, CoverError> {
        let mut whole = Breakpoints::new(target, RunMode::OneShot, settings)?;
        let failed = |why: String| CoverError::Unfit(whole_path(target), why);
        let (observation, always) =
            whole.run(&RunRequest::new(LEAST)).map_err(|error| failed(error.to_string()))?;
        if always.count() == 0 {
            return Err(failed(format!("none is seen to run (outcome: {})", observation.outcome)));
        }
        Breakpoints::but(target, mode, settings, always)
    }

    fn but(
        target: &Target,
        mode: RunMode,
        settings: &RunSettings,
        always: Reached,
    ) -> Result<Breakpoints, CoverError> {
        let library = target.kind == TargetKind::LibraryDriver;
        let path: PathBuf = if library {
            cvc5_library(&target.args).map_err(|why| CoverError::Unfit(target.program.clone(), why))?
        } else {
            whole_path(target)
        };
        if target.kind == TargetKind::PythonDriver {
            return Err(CoverError::Unfit(path, "it runs inside of Python".to_owned()));
        }
        let functions = Functions::read(&path)?;
        let exchange = Exchange::new(&functions, library, always).map_err(CoverError::Exchange)?;
        let settings = RunSettings { coverage: Some(exchange.files()), ..settings.clone() };
        let runner = runner(target, mode, &settings)
            .map_err(|error| CoverError::Exchange(io::Error::other(error.to_string())))?;
        Ok(Breakpoints { functions, exchange, runner })
    }

    /// The functions that are watched.
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

/// The file of a program that may be found on the path.
fn whole_path(target: &Target) -> PathBuf {
    crate::run::resolve_program(&target.program)
}
