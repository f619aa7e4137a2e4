//! How a solver runs in each mode: once, in a session, between push and pop, and as a fork server.

use case::Statement;
use serde::Deserialize;
use std::collections::BTreeMap;

/// `[start]`: the command line for each kind of input.
///
/// `{options}` stands for the options of the run and `{file}` for the path of the script.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// Arguments for a script in a file. The default is `["{options}", "{file}"]`.
    #[serde(default = "file_only")]
    pub file: Vec<String>,
    /// Arguments for scripts on standard input. Empty if the solver does not answer command by command.
    #[serde(default)]
    pub stdin: Vec<String>,
    /// Environment variables of every process.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Environment variables of warm processes that put the heap into huge pages; set unless
    /// [`Acceleration::huge_heap`](crate::Acceleration::huge_heap) is off.
    #[serde(default)]
    pub huge_heap_env: BTreeMap<String, String>,
    /// Whether the address space may be limited. Set it to false for Java programs and builds with sanitizers, which
    /// reserve far more than they use.
    #[serde(default = "yes")]
    pub address_space_limit: bool,
}

fn file_only() -> Vec<String> {
    vec!["{options}".to_owned(), "{file}".to_owned()]
}

fn yes() -> bool {
    true
}

impl Default for Start {
    fn default() -> Self {
        Start {
            file: file_only(),
            stdin: Vec::new(),
            env: BTreeMap::new(),
            huge_heap_env: BTreeMap::new(),
            address_space_limit: true,
        }
    }
}

/// `[ask]`: what to add to a run for a feature. An absent key means that the solver lacks the feature.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// Print models.
    pub models: Option<Addition>,
    /// Print unsat cores.
    pub cores: Option<Addition>,
    /// Commands, each of which makes the solver find cores in another way.
    #[serde(default)]
    pub core_options: Vec<String>,
    /// The commands besides `get-unsat-core` that print cores.
    #[serde(default)]
    pub core_commands: Vec<String>,
    /// Print proofs.
    pub proofs: Option<Addition>,
    /// The commands in front of a script that asks for a proof, by the format of the proof.
    #[serde(default)]
    pub proof_formats: BTreeMap<String, Vec<String>>,
    /// Check every model.
    pub model_check: Option<Addition>,
    /// Check every unsat core.
    pub core_check: Option<Addition>,
    /// Check every proof.
    pub proof_check: Option<Addition>,
    /// The commands in front of a script that makes the solver state something, by the oracle that checks it.
    #[serde(default)]
    pub statements: BTreeMap<Statement, Vec<String>>,
    /// The commands that print values under a model.
    #[serde(default)]
    pub value_commands: Vec<String>,
    /// The commands that eliminate the quantifier of `{formula}`.
    pub elimination: Option<String>,
    /// The commands that print the literals which the solver has learned.
    #[serde(default)]
    pub learned_literals: Vec<String>,
    /// The commands in front of a question for more than one interpolant or abduct.
    #[serde(default)]
    pub further_formulas: Vec<String>,
    /// Set the random seed to `{seed}`.
    pub seed: Option<Addition>,
    /// Set the random seed to `{seed}` and turn on what makes models differ. The default is `seed`.
    pub variety: Option<Addition>,
    /// Limit the run to `{ms}` or `{seconds}`. Used in the command lines of reports; Elenchus enforces its own limit.
    pub timeout: Option<Addition>,
    /// Limit each `check-sat` to `{ms}` or `{seconds}`.
    pub query_timeout: Option<Addition>,
    /// Limit the run to `{steps}` of the solver's own deterministic resource unit.
    pub work: Option<Addition>,
    /// Limit each `check-sat` to `{steps}` of that unit.
    pub query_work: Option<Addition>,
    /// About how many of these units a millisecond takes.
    #[serde(default)]
    pub steps_per_ms: u64,
    /// Limit memory to `{mb}` megabytes.
    pub memory: Option<Addition>,
    /// Accept several `check-sat` commands, for solvers that need an option for that.
    pub incremental: Option<Addition>,
    /// Whether the solver reports an error instead of an answer that contradicts the `:status` of a script. A request for models or
    /// checks then leaves out the status, since the right answer may be lost with it.
    #[serde(default)]
    pub rejects_wrong_status: bool,
}

impl Ask {
    /// The commands in front of a script that makes the solver state something; `None` if it cannot.
    pub fn statement(&self, kind: Statement) -> Option<&[String]> {
        self.statements.get(&kind).map(Vec::as_slice)
    }
}

/// Arguments and commands that are added to a run.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Addition {
    /// Arguments of the command line.
    #[serde(default)]
    pub args: Vec<String>,
    /// Commands in front of the script.
    #[serde(default)]
    pub commands: Vec<String>,
}

/// `[session]`: how one process runs several scripts with a reset in between.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// The command that clears all state. The default is `(reset)`.
    #[serde(default = "reset")]
    pub reset: String,
    /// The options whose values survive the reset: `"none"`, `"all"` or `{ only = ["print-success"] }`.
    #[serde(default)]
    pub keeps: Kept,
    /// The default values of options that survive, which are set again after a script changed them. A change of any
    /// other surviving option costs a new process.
    #[serde(default)]
    pub restore: BTreeMap<String, String>,
    /// Whether names given with `:named` survive the reset.
    #[serde(default)]
    pub keeps_names: bool,
    /// A command without effect that makes the solver allocate what the first term of a script needs. With it, a session
    /// has two processes: one resets and prepares while the other runs a script.
    #[serde(default)]
    pub prepare: Option<String>,
    /// How many scripts a process runs before it is replaced, since some solvers leak memory.
    #[serde(default = "session_scripts")]
    pub scripts: u32,
}

fn reset() -> String {
    "(reset)".to_owned()
}

fn session_scripts() -> u32 {
    1000
}

/// The options whose values survive a reset.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Kept {
    /// None.
    #[default]
    None,
    /// All.
    All,
    /// These.
    Only(Vec<String>),
}

impl Kept {
    /// Whether the value of `option` survives a reset.
    pub fn keeps(&self, option: &str) -> bool {
        match self {
            Kept::None => false,
            Kept::All => true,
            Kept::Only(names) => names.iter().any(|name| name == option),
        }
    }
}

/// `[incremental]`: how one process runs scripts between push and pop.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Incremental {
    /// Arguments that this mode needs in addition to those for standard input.
    #[serde(default)]
    pub args: Vec<String>,
    /// Arguments of dialogues, whose answers need not come from the incremental core.
    #[serde(default)]
    pub dialogue: Vec<String>,
    /// The command that opens a process for scripts of any logic: `(set-logic ALL)`, or empty if no command is needed.
    /// Without this key every logic has its own process.
    pub any_logic: Option<String>,
    /// Logics that put the solver into another mode; their scripts run in their own process. `*` at the end matches anything.
    #[serde(default)]
    pub isolated_logics: Vec<String>,
    /// How many scripts a process runs before it is replaced.
    #[serde(default = "incremental_scripts")]
    pub scripts: u32,
}

impl Incremental {
    /// Whether scripts of this logic need their own process.
    pub fn is_isolated(&self, logic: &str) -> bool {
        self.isolated_logics.iter().any(|isolated| match isolated.strip_suffix('*') {
            Some(prefix) => logic.starts_with(prefix),
            None => logic == isolated,
        })
    }
}

fn incremental_scripts() -> u32 {
    20_000
}

/// `[fork]`: how the solver becomes a fork server.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fork {
    /// Where the server stops and waits for scripts: `"read"`, `"open"` or `"driver"`.
    pub stop: Stop,
    /// The size in bytes of the solver's input buffer, for `stop = "read"`.
    #[serde(default)]
    pub buffer: usize,
    /// Commands that run once, before the first fork.
    #[serde(default)]
    pub warm_up: String,
    /// What to do with `set-logic`: `"in-script"` leaves it in the script, `"per-server"` makes it part of the warm-up.
    #[serde(default)]
    pub logic: ForkLogic,
    /// Whether a child is ended once it has run its script, for `stop = "read"`. Some solvers take long to free everything.
    #[serde(default)]
    pub ends_with_input: bool,
    /// Options whose names contain this text can be set after the warm-up. They stay in the script; any other option needs
    /// a server of its own.
    #[serde(default)]
    pub late_options: Option<String>,
    /// Commands that are not allowed after the warm-up. A script with one of them runs in one-shot mode.
    #[serde(default)]
    pub unsupported_commands: Vec<String>,
}

/// Where a fork server stops and waits for scripts.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// After the warm-up, at the next read of standard input.
    Read,
    /// When the solver opens its input file.
    Open,
    /// In our driver of the solver's library, after the warm-up.
    Driver,
}

/// What happens to a script's `set-logic` in a fork server.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum ForkLogic {
    /// It stays in the script.
    #[default]
    InScript,
    /// It is part of the warm-up, so each logic has its own server.
    PerServer,
}

/// `[examine]`: how to ask many small questions in a row (`elenchus examine`).
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Examine {
    /// Options that turn on every theory the solver can evaluate.
    pub options: Vec<String>,
    /// The first command of a first-order script.
    pub prelude: String,
    /// The first command of a script with functions as values.
    pub higher_order_prelude: String,
    /// Whether the solver continues with the next command after an error.
    pub continues_after_error: bool,
}

impl Default for Examine {
    fn default() -> Self {
        Examine {
            options: Vec::new(),
            prelude: "(set-logic ALL)".to_owned(),
            higher_order_prelude: "(set-logic HO_ALL)".to_owned(),
            continues_after_error: false,
        }
    }
}
