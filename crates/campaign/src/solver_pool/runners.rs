//! The processes that run one solver, one for each run mode. All but the warm ones start on first use.

use crate::settings::Settings;
use solver::coverage::{Coverage, watch};
use solver::run::RunSettings;
use solver::run::history::Transcript;
use solver::{RunError, RunMode, Runner, Target, runner};

/// After how many scripts an incremental process is replaced. A bug may depend on all of them, and then all of them have to be
/// run again.
const LONGEST_HISTORY: u32 = 1000;

/// The runners of one solver.
pub struct Runners {
    /// Keeps the solver warm between scripts.
    pub warm: Box<dyn Runner>,
    /// Measures coverage, if the campaign wants it.
    pub measured: Option<Measured>,
    incremental: Option<Box<dyn Runner>>,
    cold: Option<Box<dyn Runner>>,
}

impl Runners {
    /// Starts the warm runners.
    pub fn start(target: &Target, settings: &Settings, running: &RunSettings) -> Result<Runners, RunError> {
        let mode = settings.mode();
        let measured = settings.measures_coverage();
        Ok(Runners {
            warm: runner(target, mode, running)?,
            measured: measured.then(|| Measured::start(target, mode, running)).transpose()?,
            incremental: None,
            cold: None,
        })
    }

    /// Runs scripts between push and pop of one process, and keeps a transcript.
    pub fn incremental(
        &mut self,
        target: &Target,
        running: &RunSettings,
    ) -> Result<&mut dyn Runner, RunError> {
        Ok(match &mut self.incremental {
            Some(incremental) => incremental.as_mut(),
            none => {
                let settings = RunSettings {
                    keep_transcript: true,
                    restart_after: Some(LONGEST_HISTORY),
                    ..running.clone()
                };
                none.insert(runner(target, RunMode::Incremental, &settings)?).as_mut()
            }
        })
    }

    /// Runs the plain executable in a fresh process for each script.
    pub fn cold(&mut self, target: &Target, running: &RunSettings) -> Result<&mut dyn Runner, RunError> {
        Ok(match &mut self.cold {
            Some(cold) => cold.as_mut(),
            none => none.insert(runner(target, RunMode::OneShot, running)?).as_mut(),
        })
    }

    /// Everything that was sent to the current incremental process.
    pub fn transcript(&self) -> Option<Transcript> {
        self.incremental.as_ref()?.transcript()
    }
}

/// A solver whose coverage is measured: warm, and cold for options that work on the command line only.
pub struct Measured {
    /// Keeps the solver warm.
    pub warm: Box<dyn Coverage>,
    /// Starts a fresh process for each script.
    pub cold: Box<dyn Coverage>,
}

impl Measured {
    fn start(target: &Target, mode: RunMode, running: &RunSettings) -> Result<Measured, RunError> {
        let watch = |mode| {
            watch(target, mode, running)
                .map_err(|error| RunError::Supervisor { error: std::io::Error::other(error.to_string()) })
        };
        Ok(Measured { warm: watch(mode)?, cold: watch(RunMode::OneShot)? })
    }
}
