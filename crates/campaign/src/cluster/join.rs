//! Joins a campaign of a common store, or starts it.

use super::allotment::turns;
use super::contradictions::contradictions;
use super::requirements::Requirements;
use super::{JoinError, Notes, Sharing};
use crate::config::{FuzzConfig, Prepared, prepare, prepare_with_seeds, signature_files};
use crate::engine::require_parts;
use crate::seeds::Pool;
use crate::settings::{Settings, settings_text};
use crate::units::{SeedUse, UnitNumbers};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use store::StoreError;
use store::shared::{
    Member, NewCampaign, SharedCampaign, SharedSeed, SharedStore, StrategyEntry, WorkKind, open, shown,
};
use strategies::Seed;
use triage::SolverSource;

/// How long to try to reach the store at the start, and the pause between attempts.
const PATIENCE: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_secs(1);

/// What a user wants of a shared campaign.
pub struct Request<'a> {
    /// The URL of the store.
    pub url: &'a str,
    /// The name of the campaign.
    pub campaign: &'a str,
    /// What the command line sets.
    pub flags: &'a FuzzConfig,
    /// What the command line or the configuration file sets.
    pub config: &'a FuzzConfig,
    /// The configuration file.
    pub file: Option<PathBuf>,
    /// The name of this machine.
    pub machine: String,
    /// The kinds of work that this process takes.
    pub work: Vec<WorkKind>,
}

/// A process that takes part in a campaign.
pub struct Joined {
    /// The part of this process, with all that it needs.
    pub prepared: Prepared,
    /// What it shares.
    pub sharing: Sharing,
    /// Whether this process has started the campaign.
    pub is_new: bool,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// Joins a campaign, or starts it if the store has none with this name.
pub fn join(request: &Request<'_>, source: &dyn SolverSource) -> Result<Joined, JoinError> {
    let mut common = reach(request.url)?;
    let name = request.campaign;
    let (prepared, campaign, is_new, notes) = match patiently(|| common.campaign(name))? {
        Some(campaign) => {
            let (prepared, notes) = fit(request, &campaign, common.as_mut(), source)?;
            (prepared, campaign, false, notes)
        }
        None => {
            let (prepared, new) = begin(request, source)?;
            let campaign = patiently(|| common.create(&new))?;
            // Another process may have been faster.
            if campaign.settings == new.settings && campaign.requirements == new.requirements {
                (prepared, campaign, true, Vec::new())
            } else {
                let (prepared, notes) = fit(request, &campaign, common.as_mut(), source)?;
                (prepared, campaign, false, notes)
            }
        }
    };
    let member = Member {
        machine: request.machine.clone(),
        process: std::process::id(),
        workers: prepared.settings.jobs as u32,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        work: request.work.clone(),
    };
    let member = patiently(|| common.enter(campaign.id, &member))?;
    let sharing = Sharing {
        store: common,
        campaign: campaign.id,
        member,
        identity: format!("{} {} {}", campaign.name, campaign.seed, campaign.started),
        turns: campaign.strategies.iter().map(|strategy| strategy.turns).collect(),
        notes: Notes::default(),
    };
    Ok(Joined { prepared, sharing, is_new, notes })
}

/// Opens the store. It may just be starting again.
fn reach(url: &str) -> Result<Box<dyn SharedStore>, StoreError> {
    patiently(|| open(url))
}

/// Tries until it works, or trying again cannot help.
fn patiently<T>(mut attempt: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
    let until = Instant::now() + PATIENCE;
    loop {
        match attempt() {
            Err(error) if !error.is_lasting() && Instant::now() < until => {
                tracing::info!("the store: {error}");
                std::thread::sleep(PAUSE);
            }
            done => return done,
        }
    }
}

/// A new campaign, and what this process needs for it.
fn begin(request: &Request<'_>, source: &dyn SolverSource) -> Result<(Prepared, NewCampaign), JoinError> {
    let config = request.config;
    if signature_files::given().is_empty() {
        signature_files::load(&config.signatures)?;
    }
    let mut settings = config.settings(signature_files::given().to_vec())?;
    settings.config = request.file.clone();
    signature_files::require(&settings.signature_files, "the campaign")?;
    let mut prepared = prepare(settings, false, source)?;
    let settings = &mut prepared.settings;
    settings.repeatable = settings.cases.is_some();
    // Other machines may have another newest release.
    for (spec, target) in settings.solvers.iter_mut().zip(&prepared.targets) {
        if target.id.contains('@') {
            spec.clone_from(&target.id);
        }
    }
    let Prepared { settings, targets, strategies, pool, given, .. } = &prepared;
    require_parts(pool, targets, strategies)?;
    let uses = strategies.iter().map(|strategy| SeedUse::of(strategy.as_ref())).collect();
    let numbers = UnitNumbers::new(pool.seeds.len(), uses);
    let turns = turns(&numbers, strategies, settings.budget, settings.cases);
    let entries = strategies.iter().zip(turns);
    let common = Settings { seeds: Vec::new(), config: None, jobs: 1, time: None, ..settings.clone() };
    let requirements = Requirements::new(settings, targets, strategies, given);
    let new = NewCampaign {
        name: request.campaign.to_owned(),
        seed: settings.seed,
        settings: settings_text(&common),
        requirements: serde_json::to_string(&requirements).unwrap_or_default(),
        strategies: entries
            .map(|(strategy, turns)| StrategyEntry { name: strategy.name().to_owned(), turns })
            .collect(),
        seeds: given.iter().map(shared_seed).collect(),
    };
    Ok((in_this_process(prepared, request), new))
}

/// Makes this process fit a campaign, or says why it does not.
fn fit(
    request: &Request<'_>,
    campaign: &SharedCampaign,
    common: &mut dyn SharedStore,
    source: &dyn SolverSource,
) -> Result<(Prepared, Vec<String>), JoinError> {
    let differ = |differences: Vec<String>| match differences.is_empty() {
        true => Ok(()),
        false => Err(JoinError::Differs { campaign: campaign.name.clone(), differences }),
    };
    let unreadable = crate::config::ConfigError::Settings;
    let decided: Settings = serde_json::from_str(&campaign.settings).map_err(unreadable)?;
    let required: Requirements = serde_json::from_str(&campaign.requirements).map_err(unreadable)?;
    if required.version != env!("CARGO_PKG_VERSION") {
        let own = env!("CARGO_PKG_VERSION");
        let version = &required.version;
        differ(vec![format!("the version of elenchus of the campaign is {version}, and here it is {own}")])?;
    }
    let seeds = patiently(|| common.seeds(campaign.id))?;
    let pool = Pool { seeds: seeds.into_iter().map(own_seed).collect(), unusable: Vec::new() };
    differ(contradictions(request.flags, &decided, &pool)?)?;
    let file_differs = contradictions(request.config, &decided, &pool)?;
    let notes =
        file_differs.into_iter().map(|one| format!("the configuration file does not count: {one}")).collect();
    signature_files::require(&decided.signature_files, "the campaign")?;
    let settings = here(request, decided)?;
    if settings.repeatable
        && !request.flags.solvers.is_empty()
        && settings.solvers.len() < required.solvers.len()
    {
        return Err(JoinError::NeedsAllSolvers(campaign.name.clone()));
    }
    let lacks = |spec: &String| {
        let error = source.resolve(spec).err()?;
        Some(format!("this machine lacks {spec}: {error}"))
    };
    differ(settings.solvers.iter().filter_map(lacks).collect())?;
    let prepared = prepare_with_seeds(settings, pool, source)?;
    let Prepared { settings, targets, strategies, given, .. } = &prepared;
    differ(required.differences(&Requirements::new(settings, targets, strategies, given)))?;
    Ok((in_this_process(prepared, request), notes))
}

/// The settings of a campaign with what a machine decides for itself.
fn here(request: &Request<'_>, decided: Settings) -> Result<Settings, JoinError> {
    let Request { flags, config, file, .. } = request;
    let own = config.settings(decided.signature_files.clone())?;
    let is_free = !decided.repeatable;
    let mut settings = Settings { jobs: own.jobs, time: own.time, config: file.clone(), ..decided };
    settings.timeout = flags.timeout.filter(|_| is_free).unwrap_or(settings.timeout);
    settings.memory = flags.memory.filter(|_| is_free).unwrap_or(settings.memory);
    settings.history.library = own.history.library;
    if !flags.solvers.is_empty() {
        settings.solvers.clone_from(&flags.solvers);
    }
    Ok(settings)
}

/// What is different for a process that shares a campaign: others reduce what it finds, and the store says when its work ends.
fn in_this_process(mut prepared: Prepared, request: &Request<'_>) -> Prepared {
    prepared.settings.shared = Some(format!("campaign {} of {}", request.campaign, shown(request.url)));
    prepared.settings.triage = false;
    prepared.settings.cases = None;
    prepared
}

fn shared_seed(seed: &Seed) -> SharedSeed {
    SharedSeed {
        hash: format!("{:016x}", seed.hash),
        name: seed.name.clone(),
        facts: "{}".to_owned(),
        text: seed.text.to_string(),
    }
}

fn own_seed(seed: SharedSeed) -> Seed {
    Seed::new(seed.name, seed.text)
}
