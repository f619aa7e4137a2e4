//! The settings of a campaign. They are stored with it, so that `--resume` needs no other argument.

use crate::budget::{RunModePolicy, Shares};
use case::{SignatureFile, Statement};
use serde::{Deserialize, Serialize};
use solver::run::{Limits, Want};
use solver::{ProofChecker, RunMode};
use std::path::PathBuf;
use std::time::Duration;
use strategies::{HistFuzzSettings, OptionSearch};
use triage::Rules;

/// The settings of the strategy histfuzz.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct HistorySettings {
    /// The library file; `None` for the built-in library.
    pub library: Option<PathBuf>,
    /// `full`, `r` or `n`.
    pub variant: String,
    /// The smallest support of a rule; 0 for a value that suits the library.
    pub support: u32,
    /// Rules need a higher confidence than this.
    pub confidence: f64,
    /// Whether to use formulas that our type checker rejects.
    pub ill_formed: bool,
    /// Whether to set the options of bug reports.
    pub options: bool,
    /// Whether to weight atoms by the findings they led to.
    pub weighted: bool,
    /// The solvers whose history comes first.
    pub prefer: Vec<String>,
}

impl Default for HistorySettings {
    fn default() -> Self {
        let usual = HistFuzzSettings::default();
        HistorySettings {
            library: None,
            variant: usual.variant.to_string(),
            support: usual.support,
            confidence: usual.confidence,
            ill_formed: usual.ill_formed,
            options: usual.options,
            weighted: usual.weighted,
            prefer: usual.solvers,
        }
    }
}

impl HistorySettings {
    /// The settings as the strategy takes them, or what is wrong with the variant.
    pub fn for_strategy(&self) -> Result<HistFuzzSettings, String> {
        Ok(HistFuzzSettings {
            variant: self.variant.parse()?,
            support: self.support,
            confidence: self.confidence,
            ill_formed: self.ill_formed,
            options: self.options,
            weighted: self.weighted,
            solvers: self.prefer.clone(),
            ..HistFuzzSettings::default()
        })
    }
}

/// Checking a core takes a run of each solver with names and a run of the others for each core. Checking all of them would take
/// a large part of the time.
const CORES: u64 = 16;
/// One case in this many is run with a tactic.
const TACTICS: u64 = 8;
/// One case in this many is run in another form.
const FORMS: u64 = 8;
/// The proof of one unsatisfiable case in this many is checked.
const PROOFS: u64 = 4;

/// The settings of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Seed files and folders; empty for the built-in seeds.
    pub seeds: Vec<PathBuf>,
    /// The solvers as the user named them.
    pub solvers: Vec<String>,
    /// The configuration file, whose blocks may define solvers.
    pub config: Option<PathBuf>,
    /// The strategies by name.
    pub strategies: Vec<String>,
    /// The number that all random choices follow from.
    pub seed: u64,
    /// The number of workers.
    pub jobs: usize,
    /// The time limit of each run of a solver, in milliseconds.
    pub timeout: u64,
    /// The memory limit of each run of a solver, in MiB.
    pub memory: u64,
    /// The time limit of the campaign over all resumptions, in milliseconds.
    pub time: Option<u64>,
    /// The number of cases of the campaign, over all resumptions.
    pub cases: Option<u64>,
    /// How many cases a strategy makes of a seed in its first turn; later turns are longer.
    pub budget: u64,
    /// Whether to request models and evaluate them.
    pub models: bool,
    /// Whether solvers check their own models.
    pub own_checks: bool,
    /// Check the unsat cores of one unsatisfiable case in this many; 0 for none.
    pub cores: u64,
    /// Run one case in this many with a tactic of each solver that has any; 0 for none.
    pub tactics: u64,
    /// Run one case in this many in another form that asks the same; 0 for none.
    pub forms: u64,
    /// The command of the user that checks proofs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof_checker: Option<String>,
    /// Check the proof of one unsatisfiable case in this many; 0 for none.
    pub proofs: u64,
    /// The oracles that check what solvers state.
    pub oracles: Vec<Statement>,
    /// Whether to report slow answers as candidates.
    pub performance: bool,
    /// Whether to report `unknown` as a candidate where an answer follows from one that the solver gave.
    pub incompleteness: bool,
    /// Whether to reduce findings and to merge those that are one bug.
    pub triage: bool,
    /// How many of the solvers, the last ones, only give evidence: a bug that one of them has is not reported.
    pub references: usize,
    /// Whether the cases and their order follow from the seed number, however many of them there is time for.
    pub fixed_order: bool,
    /// The common store and the campaign in it that this process took part in, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared: Option<String>,
    /// Whether a turn of a strategy makes the same cases in every process, since several machines share the turns.
    pub repeatable: bool,
    /// The largest shares of the time for work besides cases.
    pub shares: Shares,
    /// Whether every run gets the whole time limit, also where the cases of a seed rarely end in time.
    pub fixed_timeout: bool,
    /// Whether to keep solvers warm between scripts.
    pub warm: bool,
    /// Whether to run cases a second time between push and pop of a running process.
    pub incremental: bool,
    /// How many configurations of each solver to try for every case, besides the default.
    pub configurations: u64,
    /// Correlation files: options that are relevant to a case are preferred.
    pub correlations: Vec<PathBuf>,
    /// Whether to search for configurations by their coverage.
    pub guided: bool,
    /// Whether to measure coverage and keep cases that reach new code.
    pub coverage: bool,
    /// The settings of the strategy histfuzz.
    pub history: HistorySettings,
    /// The signature files besides the built-in ones. Resuming and replaying need the same operators.
    pub signature_files: Vec<SignatureFile>,
    /// Identifies the seeds that the campaign was started with.
    pub fingerprint: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            seeds: Vec::new(),
            solvers: Vec::new(),
            config: None,
            strategies: Vec::new(),
            seed: 0,
            jobs: 1,
            timeout: 2_000,
            memory: 2048,
            time: None,
            cases: None,
            budget: 3,
            models: true,
            own_checks: true,
            cores: CORES,
            tactics: TACTICS,
            forms: FORMS,
            proof_checker: None,
            proofs: PROOFS,
            oracles: Statement::ALL.to_vec(),
            performance: true,
            incompleteness: false,
            triage: true,
            references: 0,
            fixed_order: false,
            shared: None,
            repeatable: false,
            shares: Shares::default(),
            warm: true,
            fixed_timeout: false,
            incremental: true,
            configurations: 0,
            correlations: Vec::new(),
            guided: false,
            coverage: false,
            history: HistorySettings::default(),
            signature_files: Vec::new(),
            fingerprint: 0,
        }
    }
}

impl Settings {
    /// The limits of a run.
    pub fn limits(&self) -> Limits {
        Limits {
            wall: Duration::from_millis(self.timeout),
            memory: self.memory.saturating_mul(1 << 20),
            ..Limits::default()
        }
    }

    /// The time limit of a question that helps to make a case: a tenth of that of a case.
    pub fn question_limit(&self) -> Duration {
        Duration::from_millis((self.timeout / 10).max(1))
    }

    /// Whether every case must be the same in every run and on every machine.
    pub fn is_deterministic(&self) -> bool {
        // A retry in CI has both limits, and must not be slower than the first run.
        self.repeatable
            || self.cases.is_some() && self.jobs == 1 && !(self.fixed_order && self.time.is_some())
    }

    /// Whether the order of the cases must not depend on what was found. How long solvers are asked may depend on the machine.
    pub fn has_fixed_order(&self) -> bool {
        self.fixed_order || self.is_deterministic()
    }

    /// Whether every case that is made also runs, in batches that do not depend on the speed of the machine.
    pub fn runs_every_case(&self) -> bool {
        self.fixed_order || self.repeatable || self.cases.is_some()
    }

    /// What solvers are asked for besides answers.
    pub fn want(&self) -> Want {
        Want { model: self.models, check_models: self.own_checks, ..Want::default() }
    }

    /// The rules of the oracle. An answer is slow if it takes most of the time limit.
    pub fn rules(&self) -> Rules {
        let usual = Rules::default();
        let most = Duration::from_millis(self.timeout / 5 * 4);
        Rules {
            performance: self.performance,
            incompleteness: self.incompleteness,
            slow_floor: usual.slow_floor.min(most),
            ..usual
        }
    }

    /// Whether the user asked for runs under other options, rather than the campaign trying some.
    pub fn asks_for_options(&self) -> bool {
        self.configurations > 1 || self.shares.options >= 100
    }

    /// How configurations are chosen for strategies that do not decide it themselves.
    pub fn option_search(&self) -> OptionSearch {
        let (configurations, guided) = (self.configurations, self.guided);
        OptionSearch { configurations, guided, ..OptionSearch::default() }
    }

    /// Whether to measure coverage.
    pub fn measures_coverage(&self) -> bool {
        self.guided || self.coverage
    }

    /// Which cases also run between push and pop. Coverage cannot be measured between push and pop.
    pub fn run_mode_policy(&self) -> RunModePolicy {
        match self.runs_every_case() {
            _ if !self.warm || !self.incremental || self.measures_coverage() => RunModePolicy::Separate,
            true => RunModePolicy::Alternate,
            false => RunModePolicy::ByTime,
        }
    }

    /// How a case gets a process of its own.
    pub fn mode(&self) -> RunMode {
        if self.warm { RunMode::Fork } else { RunMode::OneShot }
    }
}

/// The checker of proofs that the settings name. Its command was tried when the campaign was prepared.
pub fn proof_checker(settings: &Settings) -> Option<ProofChecker> {
    ProofChecker::of_command(settings.proof_checker.as_deref()?).ok()
}

/// The settings as they are stored.
pub fn settings_text(settings: &Settings) -> String {
    serde_json::to_string(settings).unwrap_or_default()
}
