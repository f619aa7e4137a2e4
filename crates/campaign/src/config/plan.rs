//! Finds everything that the settings of a campaign name: solvers, strategies, seeds, options.

use super::{ConfigError, history};
use crate::engine::{JudgeMaker, Plan};
use crate::generators::try_generators;
use crate::seeds::{Pool, Unusable};
use crate::settings::Settings;
use falcon::{Correlations, SolverOptions, Space};
use smt::Signatures;
use solver::install::{self, InstallError};
use solver::{ProofChecker, Target};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::{Campaign, Store};
use strategies::{
    History, NamedOptions, OptionSearch, Seed, Strategy, StrategyContext, StrategyError, by_name,
};
use triage::{Evaluated, NoOpinion, SolverSource};

/// How many configurations to try for each case, if the user only says how to choose them.
const GUIDED_CONFIGURATIONS: u64 = 12;

/// The solvers that are installed if fewer than two are available.
const USUAL_SOLVERS: [&str; 2] = ["z3", "cvc5"];

/// A campaign that can run.
pub struct Prepared {
    /// The settings, with all defaults filled in.
    pub settings: Settings,
    /// The solvers.
    pub targets: Vec<Target>,
    /// The strategies.
    pub strategies: Vec<Arc<dyn Strategy>>,
    /// The seeds.
    pub pool: Pool,
    /// The seeds that strategies were built from, which are those of the pool if any strategy works on seeds.
    pub given: Vec<Seed>,
    /// The options of each solver; empty if no configurations are tried.
    pub options: Vec<SolverOptions>,
}

impl Prepared {
    /// The plan of the campaign.
    pub fn plan(self, installer: &install::Settings) -> Plan<'_> {
        let Prepared { settings, targets, strategies, pool, options, .. } = self;
        let installer = settings.triage.then_some(installer);
        let judges: JudgeMaker<'_> = match settings.models {
            true => &|| Box::new(Evaluated::default()),
            false => &|| Box::new(NoOpinion),
        };
        Plan { settings, targets, strategies, pool, judges, options, installer }
    }
}

/// The campaign to resume: the last one in the folder.
pub fn last_campaign(store: &Store) -> Result<Campaign, ConfigError> {
    store.last_campaign()?.ok_or_else(|| ConfigError::NothingToResume(store.folder().to_owned()))
}

/// The configuration file of the last campaign in a folder, if both are there.
pub fn config_of_campaign(folder: &Path) -> Option<PathBuf> {
    let campaign = Store::open_existing(folder).ok()?.last_campaign().ok()??;
    let settings: Settings = serde_json::from_str(&campaign.settings).ok()?;
    settings.config.filter(|file| file.is_file())
}

/// Finds everything that the settings name, and installs solvers if necessary. Operators must be loaded before.
pub fn prepare(
    settings: Settings,
    resumed: bool,
    source: &dyn SolverSource,
) -> Result<Prepared, ConfigError> {
    let given = if settings.seeds.is_empty() { Pool::built_in() } else { Pool::read(&settings.seeds) };
    prepare_with(settings, given, resumed, source)
}

/// As [`prepare`] for a campaign that has begun, with its seeds.
pub fn prepare_with_seeds(
    settings: Settings,
    seeds: Pool,
    source: &dyn SolverSource,
) -> Result<Prepared, ConfigError> {
    prepare_with(settings, seeds, true, source)
}

fn prepare_with(
    mut settings: Settings,
    given: Pool,
    resumed: bool,
    source: &dyn SolverSource,
) -> Result<Prepared, ConfigError> {
    choose_strategies(&mut settings)?;
    let uses_history = settings.strategies.iter().any(|name| strategies::uses_history(name));
    let mut history = if uses_history { history(&settings.history)? } else { History::built_in() };
    let targets = find_solvers(&mut settings, source)?;
    try_proof_checker(&settings, &targets)?;
    if !resumed {
        settings.history.prefer = targets.iter().map(|target| target.name.clone()).collect();
    }
    history.settings.solvers = settings.history.prefer.clone();
    let context = StrategyContext::new(Signatures::standard())
        .with_history(history)
        .with_seeds(given.seeds.clone(), settings.seed);
    let strategies: Vec<Arc<dyn Strategy>> = settings
        .strategies
        .iter()
        .map(|name| by_name(name, &context).map(Arc::from))
        .collect::<Result<_, StrategyError>>()?;
    try_generators(strategies.iter().map(AsRef::as_ref), settings.seed)?;
    let needs_seeds = strategies.iter().any(|strategy| strategy.own_seed().is_none());
    let seeds = given.seeds.clone();
    let pool = if needs_seeds || !settings.seeds.is_empty() { given } else { Pool::default() };
    let searches = option_searches(&strategies);
    apply_option_searches(&mut settings, &searches);
    if settings.configurations == 0 && (settings.guided || !settings.correlations.is_empty()) {
        settings.configurations = GUIDED_CONFIGURATIONS;
    }
    let names_options = |seed: &Seed| !NamedOptions::of(&seed.text).options.is_empty();
    let are_needed = !searches.is_empty() || pool.seeds.iter().any(names_options);
    let options = match solver_options(&settings, are_needed, &targets, source) {
        // Nobody asked for them, and a solver need not list its options.
        Err(_) if !settings.asks_for_options() => {
            settings.configurations = 0;
            Vec::new()
        }
        options => options?,
    };
    Ok(Prepared { settings, targets, strategies, pool, given: seeds, options })
}

/// Fills in the default strategies, and checks the names of the chosen ones.
fn choose_strategies(settings: &mut Settings) -> Result<(), ConfigError> {
    if settings.strategies.is_empty() {
        settings.strategies = strategies::default_names().map(str::to_owned).collect();
    }
    Ok(settings.strategies.iter().try_for_each(|name| strategies::check_name(name))?)
}

/// Whether the checker of proofs that the settings name can be used on a solver.
fn try_proof_checker(settings: &Settings, targets: &[Target]) -> Result<(), ConfigError> {
    let Some(command) = &settings.proof_checker else { return Ok(()) };
    let checker = ProofChecker::of_command(command)?;
    let prints =
        |target: &Target| target.profile.at(&target.version).ask.proof_formats.contains_key(checker.format());
    match targets.iter().any(prints) {
        true => Ok(()),
        false => Err(ConfigError::NoProofs(command.clone())),
    }
}

/// Adapts the settings to strategies that vary options themselves: they need measurements if they are guided, and as much time as they
/// take. For the other strategies, no options are varied unless the user asked for it.
fn apply_option_searches(settings: &mut Settings, searches: &[&OptionSearch]) {
    if searches.is_empty() {
        return;
    }
    if !settings.asks_for_options() {
        settings.configurations = 0;
    }
    settings.shares.options = 100;
    settings.coverage |= searches.iter().any(|search| search.guided);
}

/// How strategies vary options that decide it themselves.
fn option_searches(strategies: &[Arc<dyn Strategy>]) -> Vec<&OptionSearch> {
    let searches = strategies.iter().filter_map(|strategy| strategy.option_search());
    searches.filter(|search| search.configurations > 0).collect()
}

/// The named solvers; else all available ones, with Z3 and cvc5 installed if there are fewer than two.
fn find_solvers(settings: &mut Settings, source: &dyn SolverSource) -> Result<Vec<Target>, InstallError> {
    if !settings.solvers.is_empty() {
        return settings.solvers.iter().map(|spec| source.resolve(spec)).collect();
    }
    let available = install::Settings { install_missing: false, ..source.settings().clone() };
    let mut targets: Vec<Target> = Vec::new();
    let names = install::entries(&available.profiles).into_iter().map(|entry| entry.name);
    for name in names.chain(available.blocks.keys().cloned()) {
        if let Ok(target) = install::resolve(&name, &available)
            && targets.iter().all(|known| known.id != target.id)
        {
            targets.push(target);
        }
    }
    for name in USUAL_SOLVERS {
        if targets.len() < 2 && targets.iter().all(|target| target.name != name) {
            targets.push(source.resolve(name)?);
        }
    }
    // A resumed campaign continues with the same solvers.
    settings.solvers = targets.iter().map(|target| target.id.clone()).collect();
    Ok(targets)
}

/// The options of each solver, with what was learned about them; none if neither the campaign nor a strategy nor a seed needs them.
fn solver_options(
    settings: &Settings,
    are_needed: bool,
    targets: &[Target],
    source: &dyn SolverSource,
) -> Result<Vec<SolverOptions>, ConfigError> {
    let ids: Vec<String> = targets.iter().map(|target| target.id.clone()).collect();
    let correlations = Correlations::read_for(&ids, &settings.correlations)?;
    if settings.configurations == 0 && !are_needed {
        return Ok(Vec::new());
    }
    let options = |(target, correlations): (&Target, Option<Correlations>)| {
        let correlations = correlations.or_else(|| Correlations::built_in(&target.name));
        Ok(SolverOptions { space: Space::of_solver(target, source.settings())?, correlations })
    };
    targets.iter().zip(correlations).map(options).collect()
}

/// A line for each kind of file that cannot be a seed, with an example.
pub fn unusable_notes(pool: &Pool) -> Vec<String> {
    let mut kinds: BTreeMap<String, Vec<&PathBuf>> = BTreeMap::new();
    for (path, why) in &pool.unusable {
        if *why != Unusable::Duplicate {
            kinds.entry(why.to_string()).or_default().push(path);
        }
    }
    let line = |(kind, paths): (String, Vec<&PathBuf>)| match paths.as_slice() {
        [only] => format!("{} is not used as a seed: it {kind}", only.display()),
        [first, ..] => {
            format!("{} files are not used as seeds; the first, {}, {kind}", paths.len(), first.display())
        }
        [] => kind,
    };
    kinds.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_default_to_all_and_must_exist() {
        let mut settings = Settings::default();
        choose_strategies(&mut settings).unwrap();
        assert!(settings.strategies.iter().any(|name| name == "typefuzz"));
        settings.strategies = vec!["seeds".to_owned(), "magic".to_owned()];
        let error = choose_strategies(&mut settings).unwrap_err();
        assert_eq!(error.to_string(), "there is no strategy `magic`");
    }

    #[test]
    fn files_that_are_no_seeds_are_summed_up_by_kind() {
        let unusable = vec![
            ("a".into(), Unusable::Empty),
            ("b".into(), Unusable::Binary),
            ("c".into(), Unusable::Empty),
            ("d".into(), Unusable::Duplicate),
        ];
        let notes = unusable_notes(&Pool { unusable, ..Pool::default() });
        assert_eq!(
            notes,
            [
                "2 files are not used as seeds; the first, a, is empty",
                "b is not used as a seed: it is not text"
            ]
        );
    }
}
