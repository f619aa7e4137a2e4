//! The settings of a campaign, as they are kept with it so that `--resume` needs none.

use case::SignatureFile;
use falcon::PolicySettings;
use serde::{Deserialize, Serialize};
use solver::RunMode;
use solver::run::{Limits, Want};
use std::path::PathBuf;
use std::time::Duration;
use strategies::HistFuzzSettings;
use triage::Rules;

/// What histfuzz works from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct HistorySettings {
    /// The file of the library; nothing for the built-in one.
    pub library: Option<PathBuf>,
    /// `full`, `r` or `n`.
    pub variant: String,
    /// The least support of a rule; 0 for what suits the library.
    pub support: u32,
    /// What the confidence of a rule must be above.
    pub confidence: f64,
    /// Whether formulas that our type checker refuses are used.
    pub ill_formed: bool,
    /// Whether options of reports are set.
    pub options: bool,
    /// Whether atoms are weighted by what they show.
    pub weighted: bool,
    /// The solvers whose history is preferred.
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
    /// The settings as the strategy takes them; an error that says what is wrong with the variant.
    pub fn for_strategy(&self) -> Result<HistFuzzSettings, String> {
        Ok(HistFuzzSettings {
            variant: self.variant.parse()?,
            support: self.support,
            confidence: self.confidence,
            ill_formed: self.ill_formed,
            options: self.options,
            weighted: self.weighted,
            solvers: self.prefer.clone(),
        })
    }
}

/// A core costs a run of each solver with names and a run of the others for each core, so that checking all of them takes a good
/// part of the time.
const CORES: u64 = 16;

/// The settings of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Files and folders of seeds; empty for the built-in ones.
    pub seeds: Vec<PathBuf>,
    /// The solvers as the user named them.
    pub solvers: Vec<String>,
    /// The strategies by name.
    pub strategies: Vec<String>,
    /// The number from which all random choices follow.
    pub seed: u64,
    /// How many workers.
    pub jobs: usize,
    /// Milliseconds for each run of a solver.
    pub timeout: u64,
    /// MiB for each run of a solver.
    pub memory: u64,
    /// Milliseconds for the whole campaign, over all resumptions.
    pub time: Option<u64>,
    /// Cases for the whole campaign, over all resumptions.
    pub cases: Option<u64>,
    /// How many cases a strategy makes of a seed before the next one has its turn; later turns are longer.
    pub budget: u64,
    /// Whether models are asked for and evaluated.
    pub models: bool,
    /// Whether solvers check their own models.
    pub own_checks: bool,
    /// Cores are asked for and checked in one unsatisfiable case of so many; 0 for none.
    pub cores: u64,
    /// Whether slow answers are reported as candidates.
    pub performance: bool,
    /// Whether solvers are kept warm between scripts.
    pub warm: bool,
    /// Whether a part of the cases is asked between push and pop of a solver that stays.
    pub incremental: bool,
    /// How many configurations of each solver every case is tried under, beside the default one.
    pub configurations: u64,
    /// Files of correlations: only options that are relevant to a case are set.
    pub correlations: Vec<PathBuf>,
    /// Whether configurations are searched for by what they reach.
    pub guided: bool,
    /// Whether it is measured what cases reach, and what reaches something new is kept.
    pub coverage: bool,
    /// What histfuzz works from.
    pub history: HistorySettings,
    /// The signature files that were loaded beside the built-in ones. Resuming and replaying need the same operators.
    #[serde(default)]
    pub signature_files: Vec<SignatureFile>,
    /// The pool of seeds that the campaign was begun with, as a number.
    pub fingerprint: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            seeds: Vec::new(),
            solvers: Vec::new(),
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
            performance: true,
            warm: true,
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

    /// The time for a question whose answer is only a means: a tenth of what a case has.
    pub fn question_limit(&self) -> Duration {
        Duration::from_millis((self.timeout / 10).max(1))
    }

    /// What solvers are asked for besides answers.
    pub fn want(&self) -> Want {
        Want { model: self.models, check_models: self.own_checks, ..Want::default() }
    }

    /// What is too slow: nearly all the time that there is.
    pub fn rules(&self) -> Rules {
        let usual = Rules::default();
        let most = Duration::from_millis(self.timeout / 5 * 4);
        Rules { performance: self.performance, slow_floor: usual.slow_floor.min(most), ..usual }
    }

    /// How configurations are chosen.
    pub fn policy(&self) -> PolicySettings {
        PolicySettings {
            seed: self.seed,
            configurations: self.configurations,
            guided: self.guided,
            measured: self.watches(),
        }
    }

    /// Whether solvers tell what they reach.
    pub fn watches(&self) -> bool {
        self.guided || self.coverage
    }

    /// Whether cases are asked between push and pop, too. What a script reaches cannot be told there.
    pub fn asks_inside(&self) -> bool {
        self.warm && self.incremental && !self.watches()
    }

    /// How solvers are run.
    pub fn mode(&self) -> RunMode {
        if self.warm { RunMode::Fork } else { RunMode::OneShot }
    }
}
