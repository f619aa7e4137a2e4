//! What to run, and under which limits and settings.

use super::supervisors::Supervisors;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A script, and how to run it.
#[derive(Clone, Copy, Debug)]
pub struct RunRequest<'a> {
    /// The script.
    pub script: &'a str,
    /// Options for the solver's command line.
    pub options: &'a [String],
    /// The limits of the run.
    pub limits: Limits,
    /// What the solver prints besides answers.
    pub want: Want,
}

impl<'a> RunRequest<'a> {
    /// A run without options and with default limits.
    pub fn new(script: &'a str) -> RunRequest<'a> {
        RunRequest { script, options: &[], limits: Limits::default(), want: Want::default() }
    }

    /// Sets the options of the command line.
    pub fn options(mut self, options: &'a [String]) -> RunRequest<'a> {
        self.options = options;
        self
    }

    /// Sets the limits.
    pub fn limits(mut self, limits: Limits) -> RunRequest<'a> {
        self.limits = limits;
        self
    }

    /// Sets what the solver prints besides answers.
    pub fn want(mut self, want: Want) -> RunRequest<'a> {
        self.want = want;
        self
    }
}

/// The limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub wall: Duration,
    /// CPU time in whole seconds. Applies only if each script has its own process.
    pub cpu: Option<Duration>,
    /// Memory of the solver and its descendants in bytes.
    pub memory: u64,
    /// Output of both streams together in bytes.
    pub output: u64,
    /// Size of any file that the solver writes, in bytes.
    pub file: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { wall: Duration::from_secs(10), cpu: None, memory: 2 << 30, output: 16 << 20, file: 64 << 20 }
    }
}

/// What the solver prints besides answers. Features that its profile lacks are ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Want {
    /// A model after the last check, unless the script asks for one.
    pub model: bool,
    /// An unsat core after the last check, unless the script asks for one.
    pub core: bool,
    /// A proof after the last check, unless the script asks for one.
    pub proof: bool,
    /// The solver's own check of its models.
    pub check_models: bool,
    /// The solver's own check of its unsat cores.
    pub check_cores: bool,
    /// The solver's own check of its proofs.
    pub check_proofs: bool,
    /// A random seed.
    pub seed: Option<u32>,
    /// A random seed for varied models: the solver also starts its search at random.
    pub variety: Option<u32>,
    /// A limit in the solver's own unit of work, which does not depend on the speed of the machine.
    pub steps: Option<u64>,
}

/// Settings of all runs of a runner.
#[derive(Clone, Debug, Default)]
pub struct RunSettings {
    /// The folder for working folders. The default is the system's temporary folder.
    pub scratch: Option<PathBuf>,
    /// Replaces a warm process after this many scripts, or earlier if the profile says so.
    pub restart_after: Option<u32>,
    /// Whether an incremental process keeps a transcript of its input.
    pub keep_transcript: bool,
    /// Skips the comparison of a new fork server with a plain run, for callers that compare with plain runs themselves.
    pub skip_self_test: bool,
    /// The files of function coverage, if it is measured.
    pub coverage: Option<CoverageFiles>,
    /// Idle supervisor processes, shared by all runners with clones of these settings.
    pub supervisors: Supervisors,
    /// When one-shot runs print the stack of a crash.
    pub stacks: Stacks,
    /// Runs solvers with all rights of the user, as [`crate::confine::VARIABLE`] does.
    pub unconfined: bool,
}

impl RunSettings {
    /// How many scripts a warm process runs, if its profile says `usual`.
    pub(super) fn max_scripts(&self, usual: u32) -> u32 {
        self.restart_after.map_or(usual, |max| max.min(usual))
    }
}

/// When the stack of a crash is printed, for which a library is loaded into the solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stacks {
    /// In a second run, after the plain executable died by a signal without a message.
    #[default]
    Rerun,
    /// In every run. Saves the second run, but none of the runs is of the plain executable.
    Always,
    /// Never.
    Never,
}

/// The files through which a solver reports the functions that it runs. They are in memory and have no names.
#[derive(Clone, Debug)]
pub struct CoverageFiles {
    /// The addresses of the functions.
    pub plan: Arc<File>,
    /// One byte per function, set at its first call.
    pub map: Arc<File>,
}
