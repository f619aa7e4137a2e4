//! From the command line and `elenchus.toml` to a campaign that can run.
//!
//! A [`FuzzConfig`] holds what a user sets, in either place. The command line overrides the file; the result becomes
//! [`Settings`], which are stored with the campaign. [`prepare`] then finds everything that the settings name.

mod error;
mod freshness;
mod history;
pub mod keys;
mod plan;
mod resolve;
pub mod signature_files;
mod units;

pub use error::ConfigError;
pub use freshness::{release_notes, unpinned};
pub use history::{DEFAULT_LIBRARY, default_library, history, history_of_seed, read_library};
pub use plan::{Prepared, config_of_campaign, last_campaign, prepare, prepare_with_seeds, unusable_notes};
pub use resolve::{Resolved, configuration, resolve};
pub use units::{duration, mebibytes, milliseconds, time_limit, time_text};

use crate::budget::Shares;
use crate::oracles::{ChosenOracles, Variation};
use crate::settings::{HistorySettings, Settings};
use crate::statistics::Statistics;
use case::SignatureFile;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use store::Campaign;

/// The default folder of a campaign.
pub const DEFAULT_OUT: &str = "elenchus-out";

/// The configuration file that is read if it exists.
pub const DEFAULT_CONFIG: &str = "elenchus.toml";

/// A configuration file that explains every setting.
pub const TEMPLATE: &str = include_str!("template.toml");

/// The settings of histfuzz, as far as the user gives them; the `[fuzz.history]` table.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct HistoryConfig {
    /// The library file.
    pub library: Option<PathBuf>,
    /// `full`, `r` or `n`.
    pub variant: Option<String>,
    /// The minimum support of a rule.
    pub support: Option<u32>,
    /// Rules need a higher confidence than this.
    pub confidence: Option<f64>,
    /// Whether to use formulas that the type checker rejects.
    pub ill_formed: Option<bool>,
    /// Whether to set the options of bug reports.
    pub options: Option<bool>,
    /// Whether to weight atoms by their findings.
    pub weighted: Option<bool>,
}

/// The settings of strategies, by their names.
pub type StrategySettings = BTreeMap<String, BTreeMap<String, serde_json::Value>>;

/// The settings of a campaign, as far as the user gives them; the `[fuzz]` table.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct FuzzConfig {
    /// Seed files and folders.
    pub seeds: Vec<PathBuf>,
    /// Solvers.
    pub solvers: Vec<String>,
    /// Strategies.
    pub strategies: Vec<String>,
    /// The settings of strategies, by their names; the `[strategy.NAME]` tables.
    #[serde(skip)]
    pub strategy_settings: StrategySettings,
    /// The time limit of the campaign, in milliseconds.
    #[serde(deserialize_with = "time")]
    pub time: Option<u64>,
    /// The number of cases.
    pub cases: Option<u64>,
    /// The number of workers.
    pub jobs: Option<usize>,
    /// The seed of all random choices.
    pub seed: Option<u64>,
    /// The time limit of each run, in milliseconds.
    #[serde(deserialize_with = "time")]
    pub timeout: Option<u64>,
    /// The memory limit of each run, in MiB.
    #[serde(deserialize_with = "memory")]
    pub memory: Option<u64>,
    /// The folder of the campaign.
    pub out: Option<PathBuf>,
    /// Whether to print events as JSON.
    pub json: Option<bool>,
    /// Signature files with more operators.
    pub signatures: Vec<PathBuf>,
    /// Cases of a strategy on a seed in its first turn.
    pub budget: Option<u64>,
    /// Whether to evaluate models.
    pub models: Option<bool>,
    /// Whether solvers check their own models.
    pub own_checks: Option<bool>,
    /// Check the unsat cores of one unsatisfiable case in this many.
    pub cores: Option<u64>,
    /// Run one case in this many with a tactic.
    pub tactics: Option<u64>,
    /// One case in this many runs in another form.
    pub forms: Option<u64>,
    /// The command that checks proofs.
    pub proofs: Option<String>,
    /// The oracles by name; `none` for none.
    pub oracles: Vec<String>,
    /// Whether to report slow answers.
    pub performance: Option<bool>,
    /// Whether to report `unknown` as a candidate where an answer follows.
    pub incompleteness: Option<bool>,
    /// Whether to reduce findings and to merge those that are one bug.
    pub triage: Option<bool>,
    /// The largest shares of the time for work besides cases.
    pub shares: Option<Shares>,
    /// The settings of histfuzz.
    pub history: HistoryConfig,
    /// Whether every run gets the whole time limit.
    pub fixed_timeout: Option<bool>,
    /// Whether to keep solvers warm.
    pub warm: Option<bool>,
    /// Whether to run part of the cases between push and pop.
    pub incremental: Option<bool>,
    /// Configurations of each solver to try for every case.
    pub configurations: Option<u64>,
    /// Correlations files.
    pub correlations: Vec<PathBuf>,
    /// Whether to search for configurations by their coverage.
    pub guided: Option<bool>,
    /// Whether to measure coverage.
    pub coverage: Option<bool>,
    /// The URL of the store that machines share.
    pub store: Option<String>,
    /// The name of the campaign in it.
    pub campaign: Option<String>,
    /// The kinds of work to take there; empty for all.
    pub only: Vec<String>,
}

fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let text = String::deserialize(deserializer)?;
    milliseconds(&text).map(Some).map_err(serde::de::Error::custom)
}

fn memory<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let text = String::deserialize(deserializer)?;
    mebibytes(&text).map(Some).map_err(serde::de::Error::custom)
}

impl FuzzConfig {
    /// Reads the `[fuzz]` table of a configuration file. Paths in it are relative to the file.
    pub fn read(file: &Path) -> Result<FuzzConfig, ConfigError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Document {
            #[serde(default)]
            fuzz: FuzzConfig,
            #[serde(default)]
            strategy: StrategySettings,
            // Others read these.
            #[serde(rename = "solver")]
            _solver: Option<IgnoredAny>,
            #[serde(rename = "profile")]
            _profile: Option<IgnoredAny>,
            #[serde(rename = "performance")]
            _performance: Option<IgnoredAny>,
        }
        let text = std::fs::read_to_string(file)
            .map_err(|error| ConfigError::Unreadable { file: file.to_owned(), error })?;
        let document: Document = toml::from_str(&text)
            .map_err(|error| ConfigError::Invalid { file: file.to_owned(), error: Box::new(error) })?;
        let mut config = FuzzConfig { strategy_settings: document.strategy, ..document.fuzz };
        let folder = file.parent().unwrap_or(Path::new(""));
        let lists = [&mut config.seeds, &mut config.correlations, &mut config.signatures];
        for path in lists.into_iter().flatten() {
            *path = folder.join(&*path);
        }
        config.out = config.out.map(|out| folder.join(out));
        if let Some(url) = config.store.as_ref().filter(|url| store::shared::shown(url) != **url) {
            return Err(ConfigError::Password { file: file.to_owned(), url: store::shared::shown(url) });
        }
        config.history.library = config.history.library.map(|library| folder.join(library));
        Ok(config)
    }

    /// The configuration with `file` for everything that it does not set itself.
    #[must_use]
    pub fn or(self, file: FuzzConfig) -> FuzzConfig {
        fn list<T>(own: Vec<T>, other: Vec<T>) -> Vec<T> {
            if own.is_empty() { other } else { own }
        }
        FuzzConfig {
            seeds: list(self.seeds, file.seeds),
            solvers: list(self.solvers, file.solvers),
            strategies: list(self.strategies, file.strategies),
            strategy_settings: file.strategy_settings,
            time: self.time.or(file.time),
            cases: self.cases.or(file.cases),
            jobs: self.jobs.or(file.jobs),
            seed: self.seed.or(file.seed),
            timeout: self.timeout.or(file.timeout),
            memory: self.memory.or(file.memory),
            out: self.out.or(file.out),
            json: self.json.or(file.json),
            signatures: list(self.signatures, file.signatures),
            budget: self.budget.or(file.budget),
            models: self.models.or(file.models),
            own_checks: self.own_checks.or(file.own_checks),
            cores: self.cores.or(file.cores),
            tactics: self.tactics.or(file.tactics),
            forms: self.forms.or(file.forms),
            proofs: self.proofs.or(file.proofs),
            oracles: list(self.oracles, file.oracles),
            performance: self.performance.or(file.performance),
            incompleteness: self.incompleteness.or(file.incompleteness),
            triage: self.triage.or(file.triage),
            shares: self.shares.or(file.shares),
            history: HistoryConfig {
                library: self.history.library.or(file.history.library),
                variant: self.history.variant.or(file.history.variant),
                support: self.history.support.or(file.history.support),
                confidence: self.history.confidence.or(file.history.confidence),
                ill_formed: self.history.ill_formed.or(file.history.ill_formed),
                options: self.history.options.or(file.history.options),
                weighted: self.history.weighted.or(file.history.weighted),
            },
            warm: self.warm.or(file.warm),
            fixed_timeout: self.fixed_timeout.or(file.fixed_timeout),
            incremental: self.incremental.or(file.incremental),
            configurations: self.configurations.or(file.configurations),
            correlations: list(self.correlations, file.correlations),
            guided: self.guided.or(file.guided),
            coverage: self.coverage.or(file.coverage),
            store: self.store.or(file.store),
            campaign: self.campaign.or(file.campaign),
            only: list(self.only, file.only),
        }
    }

    /// The folder of the campaign.
    pub fn folder(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(|| DEFAULT_OUT.into())
    }

    /// The settings of a new campaign.
    pub fn settings(&self, signature_files: Vec<SignatureFile>) -> Result<Settings, ConfigError> {
        let usual = Settings::default();
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let oracles = ChosenOracles::named(&self.oracles).map_err(ConfigError::Oracle)?;
        Ok(Settings {
            config: None,
            seeds: absolute(&self.seeds),
            solvers: self.solvers.clone(),
            strategies: self.named_strategies()?,
            seed: self.seed.unwrap_or_else(any_seed),
            jobs: self.jobs.unwrap_or(processors),
            timeout: self.timeout.unwrap_or(usual.timeout),
            memory: self.memory.unwrap_or(usual.memory),
            time: self.time,
            cases: self.cases,
            budget: self.budget.unwrap_or(usual.budget).max(1),
            models: self.models.unwrap_or(usual.models),
            own_checks: self.own_checks.unwrap_or(usual.own_checks),
            cores: self.cores.unwrap_or_else(|| oracles.one_in(Variation::Cores, usual.cores)),
            tactics: self.tactics.unwrap_or_else(|| oracles.one_in(Variation::Tactics, usual.tactics)),
            forms: self.forms.unwrap_or_else(|| oracles.one_in(Variation::Forms, usual.forms)),
            proof_checker: self.proofs.clone(),
            proofs: oracles.one_in(Variation::Proofs, usual.proofs),
            oracles: oracles.statements,
            performance: self.performance.unwrap_or(usual.performance),
            incompleteness: self.incompleteness.unwrap_or(usual.incompleteness),
            triage: self.triage.unwrap_or(usual.triage),
            shares: self.shares(),
            warm: self.warm.unwrap_or(usual.warm),
            fixed_timeout: self.fixed_timeout.unwrap_or(usual.fixed_timeout),
            incremental: self.incremental.unwrap_or(usual.incremental),
            configurations: self.configurations.unwrap_or_else(|| self.usual_configurations()),
            correlations: absolute(&self.correlations),
            guided: self.guided.unwrap_or(usual.guided),
            coverage: self.coverage.unwrap_or(usual.coverage),
            history: self.history.settings()?,
            signature_files,
            fingerprint: 0,
            references: usual.references,
            fixed_order: usual.fixed_order,
            shared: None,
            repeatable: usual.repeatable,
        })
    }

    /// The names of the strategies, with the settings of the file.
    fn named_strategies(&self) -> Result<Vec<String>, ConfigError> {
        let value =
            |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let mut names: BTreeMap<&str, String> = BTreeMap::new();
        for (name, settings) in &self.strategy_settings {
            let parts = settings.iter().map(|(key, set)| format!(":{key}={}", value(set)));
            let name_with_settings = name.clone() + &parts.collect::<String>();
            strategies::check_name(&name_with_settings)?;
            names.insert(name, name_with_settings);
        }
        let chosen: Vec<&str> = match self.strategies.is_empty() {
            true => strategies::default_names().collect(),
            false => self.strategies.iter().map(String::as_str).collect(),
        };
        let with_settings = |name: &str| names.get(name).cloned().unwrap_or_else(|| name.to_owned());
        Ok(chosen.into_iter().map(with_settings).collect())
    }

    /// The largest shares of the time for work besides cases. Options that the user asked for get as much as they need.
    fn shares(&self) -> Shares {
        let usual = self.shares.unwrap_or_default();
        if self.asks_for_options() && self.shares.is_none() {
            Shares { options: 100, ..usual }
        } else {
            usual
        }
    }

    /// How many configurations to try for a case, if the user does not say. The share of the time limits for how many cases, which
    /// would depend on the machine.
    fn usual_configurations(&self) -> u64 {
        u64::from(self.cases.is_none() && !self.asks_for_options())
    }

    /// Whether the user says anything about configurations.
    fn asks_for_options(&self) -> bool {
        self.configurations.is_some() || self.guided == Some(true) || !self.correlations.is_empty()
    }

    /// The settings of a campaign to resume. Limits, workers and solvers may change. New limits count from now on.
    pub fn resumed(&self, campaign: &Campaign) -> Result<Settings, ConfigError> {
        if !self.seeds.is_empty() || self.seed.is_some() || !self.strategies.is_empty() {
            return Err(ConfigError::Fixed);
        }
        let mut settings: Settings =
            serde_json::from_str(&campaign.settings).map_err(ConfigError::Settings)?;
        self.limit(&mut settings, campaign)?;
        settings.jobs = self.jobs.unwrap_or(settings.jobs);
        settings.timeout = self.timeout.unwrap_or(settings.timeout);
        settings.memory = self.memory.unwrap_or(settings.memory);
        if !self.solvers.is_empty() {
            settings.solvers = self.solvers.clone();
        }
        Ok(settings)
    }
}

impl FuzzConfig {
    /// Sets the limits of a resumed campaign. One that is reached gives way to a new one.
    fn limit(&self, settings: &mut Settings, campaign: &Campaign) -> Result<(), ConfigError> {
        let totals: Statistics = serde_json::from_str(&campaign.progress.totals).unwrap_or_default();
        let (elapsed, done) = (campaign.progress.elapsed, totals.cases);
        let (old_time, old_cases) = (settings.time, settings.cases);
        let (time, cases) =
            (old_time.filter(|&time| elapsed < time), old_cases.filter(|&cases| done < cases));
        settings.time = self.time.map(|more| elapsed.saturating_add(more)).or(time);
        settings.cases = self.cases.map(|more| done.saturating_add(more)).or(cases);
        let is_new = self.time.is_some() || self.cases.is_some();
        match (old_time, old_cases) {
            (Some(limit), _) if time.is_none() && !is_new => Err(ConfigError::TimeUsed(limit)),
            (_, Some(limit)) if cases.is_none() && !is_new => Err(ConfigError::CasesUsed(limit)),
            _ => Ok(()),
        }
    }
}

impl HistoryConfig {
    fn settings(&self) -> Result<HistorySettings, ConfigError> {
        let usual = HistorySettings::default();
        let library = self.library.clone().or_else(default_library);
        let settings = HistorySettings {
            library: library.map(|file| std::path::absolute(&file).unwrap_or(file)),
            variant: self.variant.clone().unwrap_or(usual.variant),
            support: self.support.unwrap_or(usual.support),
            confidence: self.confidence.unwrap_or(usual.confidence),
            ill_formed: self.ill_formed.unwrap_or(usual.ill_formed),
            options: self.options.unwrap_or(usual.options),
            weighted: self.weighted.unwrap_or(usual.weighted),
            prefer: usual.prefer,
        };
        settings.for_strategy().map_err(ConfigError::Variant)?;
        Ok(settings)
    }
}

/// Absolute paths, so that the campaign can be resumed from another folder.
fn absolute(paths: &[PathBuf]) -> Vec<PathBuf> {
    paths.iter().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone())).collect()
}

/// A random seed that is short enough to type.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
    (now ^ u64::from(std::process::id()).rotate_left(20)) % 1_000_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a file with this text sets.
    pub(super) fn parsed(text: &str) -> Result<FuzzConfig, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("elenchus.toml");
        std::fs::write(&file, text).unwrap();
        FuzzConfig::read(&file).map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_is_read_and_errors_name_the_key() {
        let config = parsed(
            "[fuzz]\ntime = \"1h30m\"\nmemory = \"2GB\"\nown-checks = false\n[solver.x]\npath = \"y\"\n",
        );
        let config = config.unwrap();
        assert_eq!(
            (config.time, config.memory, config.own_checks),
            (Some(5_400_000), Some(2048), Some(false))
        );
        let table = [
            ("[fuzz]\nsolver = 1\n", "unknown field `solver`"),
            ("[fuzz]\ntime = \"soon\"\n", "`soon` is not a time"),
            ("[fuzz]\nmemory = \"much\"\n", "`much` is not a size"),
            ("[fuzz.history]\nsize = 1\n", "unknown field `size`"),
        ];
        for (text, expected) in table {
            let error = parsed(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    /// The papers give a query 8 s, 10 s or 15 s.
    #[test]
    fn the_time_limit_of_a_run_is_a_setting() {
        for (text, expected) in [("[fuzz]\ntimeout = \"10s\"\n", 10_000), ("", 2_000)] {
            let settings = parsed(text).unwrap().settings(Vec::new()).unwrap();
            assert_eq!(settings.limits().wall, std::time::Duration::from_millis(expected));
        }
    }

    #[test]
    fn settings_of_strategies_become_part_of_their_names() {
        let text = "[fuzz]\nstrategies = [\"diver\", \"valfuzz:relc3\", \"swap\"]\n\
            [strategy.diver]\ntries = 7\nweighted = false\n\
            [strategy.\"valfuzz:relc3\"]\nuniversal = \"copied\"\n\
            [strategy.typefuzz]\nchain = 9\n";
        let settings = parsed(text).unwrap().settings(Vec::new()).unwrap();
        assert_eq!(
            settings.strategies,
            ["diver:tries=7:weighted=false", "valfuzz:relc3:universal=copied", "swap"]
        );
        let settings = parsed("[strategy.typefuzz]\nchain = 9\n").unwrap().settings(Vec::new()).unwrap();
        assert_eq!(settings.strategies[..3], ["seeds", "typefuzz:chain=9", "opfuzz"]);
        let wrong = [
            ("[strategy.magic]\n", "there is no strategy `magic`"),
            ("[strategy.diver]\ntry = 1\n", "has no setting `try`"),
            ("[strategy.diver]\ntries = \"many\"\n", "`many` cannot be the setting `tries`"),
        ];
        for (text, expected) in wrong {
            let error = parsed(text).unwrap().settings(Vec::new()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn paths_are_relative_to_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("elenchus.toml");
        std::fs::write(&file, "[fuzz]\nseeds = [\"s\"]\nout = \"o\"\n").unwrap();
        let config = FuzzConfig::read(&file).unwrap();
        assert_eq!(
            (config.seeds, config.out),
            (vec![folder.path().join("s")], Some(folder.path().join("o")))
        );
    }

    #[test]
    fn the_command_line_overrides_the_file() {
        let flags = FuzzConfig { cases: Some(1), solvers: vec!["z3".to_owned()], ..FuzzConfig::default() };
        let file = FuzzConfig {
            cases: Some(2),
            jobs: Some(3),
            solvers: vec!["cvc5".to_owned()],
            models: Some(false),
            ..FuzzConfig::default()
        };
        let settings = flags.or(file).settings(Vec::new()).unwrap();
        assert_eq!((settings.cases, settings.jobs, settings.models), (Some(1), 3, false));
        assert_eq!(settings.solvers, ["z3"]);
        assert_eq!(settings.timeout, Settings::default().timeout);
    }

    #[test]
    fn a_resumed_campaign_keeps_what_decides_its_cases() {
        let begun = FuzzConfig { seed: Some(7), cases: Some(10), ..FuzzConfig::default() };
        let settings = crate::settings_text(&begun.settings(Vec::new()).unwrap());
        let (state, progress) = (store::CampaignState::Stopped, store::Progress::default());
        let campaign = Campaign { id: 1, seed: 7, settings, state, started: 0, progress };
        let resumed = |config: FuzzConfig| config.resumed(&campaign);
        let more = resumed(FuzzConfig { cases: Some(20), ..FuzzConfig::default() }).unwrap();
        assert_eq!((more.seed, more.cases), (7, Some(20)));
        let refused = [
            FuzzConfig { seed: Some(8), ..FuzzConfig::default() },
            FuzzConfig { seeds: vec!["s".into()], ..FuzzConfig::default() },
            FuzzConfig { strategies: vec!["swap".to_owned()], ..FuzzConfig::default() },
        ];
        for config in refused {
            assert!(matches!(resumed(config), Err(ConfigError::Fixed)));
        }
    }

    #[test]
    fn new_limits_of_a_resumed_campaign_count_from_now_on() {
        let resumed = |(time, cases), (elapsed, done), (more_time, more_cases)| {
            let begun = FuzzConfig { time, cases, ..FuzzConfig::default() };
            let settings = crate::settings_text(&begun.settings(Vec::new()).unwrap());
            let totals = crate::Statistics { cases: done, ..crate::Statistics::default() };
            let totals = serde_json::to_string(&totals).unwrap();
            let progress = store::Progress { elapsed, totals, ..store::Progress::default() };
            let state = store::CampaignState::Finished;
            let campaign = Campaign { id: 1, seed: 7, settings, state, started: 0, progress };
            let flags = FuzzConfig { time: more_time, cases: more_cases, ..FuzzConfig::default() };
            flags
                .resumed(&campaign)
                .map(|settings| (settings.time, settings.cases))
                .map_err(|error| error.to_string())
        };
        let (none, time, cases) = ((None, None), (Some(60), None), (None, Some(9)));
        let used = |what: &str| Err(format!("the campaign has reached its limit of {what}"));
        // The limits of the campaign, what it used of them, the new limits, and the limits in effect.
        assert_eq!(resumed(none, (61, 9), none), Ok((None, None)));
        assert_eq!(resumed(time, (59, 9), none), Ok((Some(60), None)));
        assert_eq!(resumed(time, (60, 9), none), used("60ms"));
        assert_eq!(resumed(time, (61, 9), (Some(60), None)), Ok((Some(121), None)));
        assert_eq!(resumed(time, (61, 9), (None, Some(5))), Ok((None, Some(14))));
        assert_eq!(resumed(time, (20, 9), (None, Some(5))), Ok((Some(60), Some(14))));
        assert_eq!(resumed(cases, (61, 9), none), used("9 cases"));
        assert_eq!(resumed(cases, (61, 8), none), Ok((None, Some(9))));
        assert_eq!(resumed(cases, (61, 9), (None, Some(1))), Ok((None, Some(10))));
    }
}
