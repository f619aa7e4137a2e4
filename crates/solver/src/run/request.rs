//! What is asked of a run.

use super::supervisors::Supervisors;
use std::path::PathBuf;
use std::time::Duration;

/// A script and the configuration to run it under.
#[derive(Clone, Copy, Debug)]
pub struct RunRequest<'a> {
    /// The script.
    pub script: &'a str,
    /// Options for the solver's command line.
    pub options: &'a [String],
    /// What the run may use.
    pub limits: Limits,
    /// What else the solver is asked for.
    pub want: Want,
}

impl<'a> RunRequest<'a> {
    /// The plain run of a script: no options, the usual limits.
    pub fn new(script: &'a str) -> RunRequest<'a> {
        RunRequest { script, options: &[], limits: Limits::default(), want: Want::default() }
    }

    /// With options for the solver's command line.
    pub fn options(mut self, options: &'a [String]) -> RunRequest<'a> {
        self.options = options;
        self
    }

    /// With other limits.
    pub fn limits(mut self, limits: Limits) -> RunRequest<'a> {
        self.limits = limits;
        self
    }

    /// With more to be asked for.
    pub fn want(mut self, want: Want) -> RunRequest<'a> {
        self.want = want;
        self
    }
}

/// What a run may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub wall: Duration,
    /// CPU time, in whole seconds; only where each script has a process of its own.
    pub cpu: Option<Duration>,
    /// Memory in bytes, of the solver and all that it starts.
    pub memory: u64,
    /// Output in bytes, of both streams together.
    pub output: u64,
    /// Size in bytes of any file the solver writes.
    pub file: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { wall: Duration::from_secs(10), cpu: None, memory: 2 << 30, output: 16 << 20, file: 64 << 20 }
    }
}

/// What the solver is asked for besides answers; what its profile does not offer is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Want {
    /// A model after the last question, unless the script asks for one itself.
    pub model: bool,
    /// An unsatisfiable core after the last question, unless the script asks for one itself.
    pub core: bool,
    /// A proof after the last question, unless the script asks for one itself.
    pub proof: bool,
    /// The solver's own check of its models.
    pub check_models: bool,
    /// The solver's own check of its cores.
    pub check_cores: bool,
    /// The solver's own check of its proofs.
    pub check_proofs: bool,
    /// A random seed.
    pub seed: Option<u32>,
    /// A random seed for models that differ: the solver also begins its search at random.
    pub variety: Option<u32>,
}

/// Settings that all runs of a runner share.
#[derive(Clone, Debug, Default)]
pub struct RunSettings {
    /// Where working folders are made; the system's folder for temporary files by default.
    pub scratch: Option<PathBuf>,
    /// After how many scripts a warm process is replaced at the latest; the profile may want it earlier.
    pub restart_after: Option<u32>,
    /// Whether a process that gets scripts between push and pop keeps all that it was told.
    pub keep_history: bool,
    /// A fork server is not tried out against a plain run, because whoever uses it compares with plain runs itself.
    pub untried: bool,
    /// The files of function coverage, if solvers are to tell which of their functions they run.
    pub cover: Option<CoverFiles>,
    /// Where supervisor processes wait for a program.
    pub supervisors: Supervisors,
    /// Which processes that run one script are to tell the functions on the stack when a signal kills them.
    pub stacks: Stacks,
}

impl RunSettings {
    /// After how many scripts a warm process is replaced, where its profile says `usual`.
    pub(super) fn most_scripts(&self, usual: u32) -> u32 {
        self.restart_after.map_or(usual, |latest| latest.min(usual))
    }
}

/// Which processes tell their stacks, for which a library is loaded into them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stacks {
    /// A second one: the plain executable shows the crash, and if that is a bare signal, it is run once more.
    #[default]
    Again,
    /// All. Half the work where crashes are slow, but what they show is not what the plain executable shows.
    Always,
    /// None: what the plain executable shows, and nothing else.
    Never,
}

/// The files through which a solver tells which of its functions it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverFiles {
    /// The addresses of the functions.
    pub plan: PathBuf,
    /// A byte for each of them, set when it is first called.
    pub map: PathBuf,
}
