//! `elenchus fuzz`: the main job, from nothing to findings.

use crate::commands::fuzz_config::{self, FuzzTable, mebibytes, milliseconds};
use crate::commands::history_strategy::{self, HistoryFlags};
use crate::commands::known::{self, NewOnly};
use crate::commands::learn::correlations_failure;
use crate::context::Context;
use crate::outcome::{Exit, Failure, Outcome};
use crate::signature_files;
use crate::view::{self, JsonLines, Live, Plain};
use campaign::{Event, Listener, Plan, Pool, Settings, Unusable};
use clap::Args;
use console::Term;
use falcon::{Correlations, SolverOptions, Space};
use smt::Signatures;
use solver::Target;
use solver::install::{self, Settings as InstallSettings};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{SystemTime, UNIX_EPOCH};
use store::{Campaign, Store};
use strategies::{History, Strategy, StrategyContext, by_name};
use triage::known::KnownBugs;
use triage::{Evaluated, ModelJudge, NoOpinion, SolverSource};

/// How many configurations a case is tried under, if only the way of choosing them is named.
const GUIDED_CONFIGURATIONS: u64 = 12;

/// The folder of a campaign, if none is named.
pub const DEFAULT_OUT: &str = "elenchus-out";

/// Arguments of `elenchus fuzz`.
#[derive(Args)]
pub struct FuzzArgs {
    /// Seed scripts, or folders of .smt2 files; the built-in seeds if there are none
    seeds: Vec<PathBuf>,
    /// A solver: NAME, NAME@RELEASE, a path, or a name from the configuration; may be repeated
    #[arg(long = "solver", short, value_name = "SOLVER")]
    solvers: Vec<String>,
    /// A strategy, such as typefuzz, opfuzz, swap, diver, valfuzz, histfuzz or seeds; NAME+valfuzz mutates the constants of what
    /// NAME makes; may be repeated [default: all]
    #[arg(long = "strategy", value_name = "NAME", value_delimiter = ',')]
    strategies: Vec<String>,
    /// Stop after this time, such as 90s, 10m or 1h30m; over all resumptions
    #[arg(long, value_parser = milliseconds)]
    time: Option<u64>,
    /// Stop after so many cases, over all resumptions
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// How many workers [default: one for each processor]
    #[arg(long, short, value_name = "N")]
    jobs: Option<usize>,
    /// The number from which all random choices follow; with --jobs 1 it fixes every case [default: random]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The most time that a run of a solver gets; a case gets less where its seed has shown to need less [default: 2s]
    #[arg(long, value_parser = milliseconds)]
    timeout: Option<u64>,
    /// Memory limit for each run of a solver [default: 2GB]
    #[arg(long, value_parser = mebibytes)]
    memory: Option<u64>,
    /// The folder for the database and the findings [default: elenchus-out]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the last campaign in the folder, with its settings
    #[arg(long)]
    resume: bool,
    /// Print one JSON object a line instead of the view
    #[arg(long)]
    json: bool,
    /// The configuration file [default: elenchus.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// How many cases a strategy makes of a seed before the next seed has its turn; up to eight times as
    /// many in later rounds [default: 3]
    #[arg(long, value_name = "N")]
    budget: Option<u64>,
    #[command(flatten)]
    history: HistoryFlags,
    /// Start every solver anew for every script, instead of keeping it warm
    #[arg(long)]
    cold: bool,
    /// Do not ask a part of the cases between push and pop of a solver that stays
    #[arg(long)]
    no_incremental: bool,
    /// Do not ask for models and evaluate them
    #[arg(long)]
    no_models: bool,
    /// Do not let solvers check their own models
    #[arg(long)]
    no_own_checks: bool,
    /// Ask for unsatisfiable cores and check them in one unsat case of N, 0 for none [default: 16; if given without N: 1]
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    cores: Option<u64>,
    /// Do not report slow answers as candidates
    #[arg(long)]
    no_performance: bool,
    /// Try every case under so many configurations of each solver too, with options that keep the question [if given: 3]
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "3")]
    configurations: Option<u64>,
    /// Set only options that are relevant to the case, by a file that `elenchus learn` wrote; may be repeated
    #[arg(long, value_name = "FILE")]
    correlations: Vec<PathBuf>,
    /// Search for configurations that reach more of the solver, instead of drawing them
    #[arg(long)]
    guided: bool,
    /// Measure which functions of the solvers are reached, and keep cases that reach new ones as seeds in OUT/corpus
    #[arg(long)]
    coverage: bool,
}

/// Runs `elenchus fuzz`.
pub fn run(args: FuzzArgs) -> Outcome {
    let default_config = Path::new("elenchus.toml");
    let config = args.config.clone().or_else(|| default_config.is_file().then(|| default_config.to_owned()));
    let table = config.as_deref().map(fuzz_config::read).transpose()?.unwrap_or_default();
    let out = args.out.clone().or(table.out.clone()).unwrap_or_else(|| DEFAULT_OUT.into());
    let mut store = Store::open(&out)?;
    let from = if args.resume { Some(last_campaign(&store)?) } else { None };
    let mut settings = match &from {
        Some(campaign) => resumed(campaign, &args)?,
        None => fresh(&args, &table)?,
    };
    signature_files::require(&settings.signature_files, "the campaign")?;
    choose_strategies(&mut settings)?;
    let history = settings.strategies.iter().any(|name| strategies::uses_history(name));
    let mut history =
        if history { history_strategy::history(&settings.history)? } else { History::built_in() };
    let targets = find_solvers(&mut settings, config.as_deref())?;
    if from.is_none() {
        settings.history.prefer = targets.iter().map(|target| target.name.clone()).collect();
    }
    history.settings.solvers = settings.history.prefer.clone();
    let context = StrategyContext::new(Signatures::standard()).with_history(history);
    let strategies: Vec<Arc<dyn Strategy>> =
        settings.strategies.iter().filter_map(|name| by_name(name, &context)).map(Arc::from).collect();
    let pool = if !settings.seeds.is_empty() {
        Pool::read(&settings.seeds)
    } else if strategies.iter().any(|strategy| strategy.own_seed().is_none()) {
        Pool::built_in()
    } else {
        Pool::default()
    };
    if settings.configurations == 0 && (settings.guided || !settings.correlations.is_empty()) {
        settings.configurations = GUIDED_CONFIGURATIONS;
    }
    let spaces = if settings.configurations > 0 { spaces_of(&targets)? } else { Vec::new() };
    let correlations = learned(&targets, &settings.correlations)?;
    let options = spaces
        .into_iter()
        .zip(correlations)
        .map(|(space, correlations)| SolverOptions { space, correlations })
        .collect();

    let interrupt = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // The first signal asks for a clean end; the next one, with the flag set, kills.
        signal_hook::flag::register_conditional_default(signal, interrupt.clone())
            .and_then(|_| signal_hook::flag::register(signal, interrupt.clone()))
            .map_err(|error| Failure::new(format!("signals cannot be handled: {error}")))?;
    }

    // A limit on the size of files then shows as an error that is told, not as a sudden death.
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)))
        .map_err(|error| Failure::new(format!("signals cannot be handled: {error}")))?;

    let term = Term::stdout();
    let live = !args.json && term.is_term();
    let mut shown = if args.json {
        Shown::Json(JsonLines::default())
    } else if live {
        Shown::Live(Box::new(Live::new(term)))
    } else {
        Shown::Plain(Plain::default())
    };
    for note in unusable_notes(&pool) {
        shown.listener().event(&Event::Note(note));
    }
    let seed = settings.seed;
    let folder = out.display().to_string();
    let models = settings.models;
    let judges = || -> Box<dyn ModelJudge> {
        if models { Box::new(Evaluated::default()) } else { Box::new(NoOpinion) }
    };
    let plan = Plan { settings, targets, strategies, pool, judges: &judges, options };
    let known = KnownBugs::read(Path::new(known::FILE))?;
    let mut listener = NewOnly { known: &known, listener: shown.listener() };
    let ended = campaign::run(plan, &mut store, from.as_ref(), &interrupt, &mut listener);
    if let Shown::Live(live) = &mut shown {
        live.finish();
    }
    let summary = ended?;
    if args.json {
        println!("{}", view::summary_json(&summary, &folder, seed));
    } else {
        println!("{}", view::summary(&summary, &folder, seed).join("\n"));
    }
    let news = |finding: &&store::Listed| finding.bug && known.repeated(finding).is_none();
    let bugs = summary.snapshot.findings.iter().any(|finding| news(&finding));
    Ok(if bugs { Exit::Found } else { Exit::Clean })
}

/// The view that was chosen.
enum Shown {
    Live(Box<Live>),
    Plain(Plain),
    Json(JsonLines),
}

impl Shown {
    fn listener(&mut self) -> &mut dyn Listener {
        match self {
            Shown::Live(live) => live.as_mut(),
            Shown::Plain(plain) => plain,
            Shown::Json(json) => json,
        }
    }
}

fn last_campaign(store: &Store) -> Result<Campaign, Failure> {
    store.last_campaign()?.ok_or_else(|| {
        Failure::new(format!("there is no campaign to resume in {}", store.folder().display()))
            .hint("leave out --resume to begin one")
    })
}

/// The settings of the campaign to go on with; limits and workers may be given anew.
fn resumed(campaign: &Campaign, args: &FuzzArgs) -> Result<Settings, Failure> {
    if !args.seeds.is_empty() || args.seed.is_some() || !args.strategies.is_empty() {
        return Err(Failure::new("a resumed campaign keeps its seeds, strategies and seed number")
            .hint("leave them out, or begin a new campaign without --resume"));
    }
    let mut settings: Settings = serde_json::from_str(&campaign.settings).map_err(|error| {
        Failure::new(format!("the settings of the campaign cannot be read: {error}"))
            .hint("begin a new campaign without --resume; all findings are kept")
    })?;
    settings.time = args.time.or(settings.time);
    settings.cases = args.cases.or(settings.cases);
    settings.jobs = args.jobs.unwrap_or(settings.jobs);
    settings.timeout = args.timeout.unwrap_or(settings.timeout);
    settings.memory = args.memory.unwrap_or(settings.memory);
    if !args.solvers.is_empty() {
        settings.solvers = args.solvers.clone();
    }
    Ok(settings)
}

/// The settings of a new campaign: the command line goes before the configuration file.
fn fresh(args: &FuzzArgs, table: &FuzzTable) -> Result<Settings, Failure> {
    let usual = Settings::default();
    let time = |text: &Option<String>| text.as_deref().map(milliseconds).transpose().map_err(Failure::new);
    let either =
        |line: &Vec<String>, file: &Vec<String>| if line.is_empty() { file.clone() } else { line.clone() };
    let memory = table.memory.as_deref().map(mebibytes).transpose().map_err(Failure::new)?;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(Settings {
        seeds: absolute(if args.seeds.is_empty() { &table.seeds } else { &args.seeds }),
        solvers: either(&args.solvers, &table.solvers),
        strategies: either(&args.strategies, &table.strategies),
        seed: args.seed.or(table.seed).unwrap_or_else(any_seed),
        jobs: args.jobs.or(table.jobs).unwrap_or(processors),
        timeout: args.timeout.or(time(&table.timeout)?).unwrap_or(usual.timeout),
        memory: args.memory.or(memory).unwrap_or(usual.memory),
        time: args.time.or(time(&table.time)?),
        cases: args.cases.or(table.cases),
        budget: args.budget.or(table.budget).unwrap_or(usual.budget).max(1),
        models: !args.no_models && table.models.unwrap_or(usual.models),
        own_checks: !args.no_own_checks && table.own_checks.unwrap_or(usual.own_checks),
        cores: args.cores.or(table.cores).unwrap_or(usual.cores),
        performance: !args.no_performance && table.performance.unwrap_or(usual.performance),
        warm: !args.cold && table.warm.unwrap_or(usual.warm),
        incremental: !args.no_incremental && table.incremental.unwrap_or(usual.incremental),
        configurations: args.configurations.or(table.configurations).unwrap_or(usual.configurations),
        correlations: absolute(&args.correlations),
        guided: args.guided,
        coverage: args.coverage,
        history: args.history.settings(&table.history)?,
        signature_files: signature_files::given().to_vec(),
        fingerprint: 0,
    })
}

/// Paths that still mean the same when the campaign is resumed from another folder.
fn absolute(paths: &[PathBuf]) -> Vec<PathBuf> {
    paths.iter().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone())).collect()
}

/// A seed number nobody chose. Small enough to be typed.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
    (now ^ u64::from(std::process::id()).rotate_left(20)) % 1_000_000_000
}

/// Fills in the default strategies, and checks the names of those that were chosen.
fn choose_strategies(settings: &mut Settings) -> Result<(), Failure> {
    let known: Vec<&str> = strategies::names().collect();
    if settings.strategies.is_empty() {
        settings.strategies = known.iter().map(|name| (*name).to_owned()).collect();
    }
    match settings.strategies.iter().find(|name| !strategies::is_known(name)) {
        Some(name) => Err(Failure::new(format!("no strategy is called `{name}`")).hint(format!(
            "choose among {}, valfuzz:PRESET such as valfuzz:relc3, or any of them followed by +valfuzz",
            known.join(", ")
        ))),
        None => Ok(()),
    }
}

/// The solvers that were named; else those that are there, completed to two by installing Z3 and cvc5.
fn find_solvers(settings: &mut Settings, config: Option<&Path>) -> Result<Vec<Target>, Failure> {
    let context = Context::with_config(config)?;
    let places = context.settings();
    if !settings.solvers.is_empty() {
        return settings.solvers.iter().map(|spec| Ok(context.resolve(spec)?)).collect();
    }
    let present = InstallSettings { install_missing: false, ..places.clone() };
    let mut targets: Vec<Target> = Vec::new();
    let names = install::entries(&places.profiles).into_iter().map(|entry| entry.name);
    for name in names.chain(places.blocks.keys().cloned()) {
        if let Ok(target) = install::resolve(&name, &present)
            && targets.iter().all(|known| known.id != target.id)
        {
            targets.push(target);
        }
    }
    for name in ["z3", "cvc5"] {
        if targets.len() < 2 && targets.iter().all(|target| target.name != name) {
            targets.push(context.resolve(name)?);
        }
    }
    // What was chosen is what a resumed campaign goes on with.
    settings.solvers = targets.iter().map(|target| target.id.clone()).collect();
    Ok(targets)
}

/// What the files say about each solver. A file about no chosen solver is a mistake.
fn learned(targets: &[Target], files: &[PathBuf]) -> Result<Vec<Option<Correlations>>, Failure> {
    let mut found: Vec<Option<Correlations>> = targets.iter().map(|_| None).collect();
    for file in files {
        let read = Correlations::read(file).map_err(correlations_failure)?;
        let Some(place) = targets.iter().position(|target| target.id == read.solver) else {
            let ids: Vec<&str> = targets.iter().map(|target| target.id.as_str()).collect();
            return Err(Failure::new(format!(
                "{} is about {}, which is none of {}",
                file.display(),
                read.solver,
                ids.join(", ")
            ))
            .hint("learn about the release that is fuzzed: elenchus learn --solver SOLVER"));
        };
        match &mut found[place] {
            Some(known) => known.merge(&read).map_err(correlations_failure)?,
            none => *none = Some(read),
        }
    }
    Ok(found)
}

/// The options of each solver that may be set without changing the question.
pub fn spaces_of(targets: &[Target]) -> Result<Vec<Space>, Failure> {
    let places = InstallSettings::from_environment()?;
    let space = |target: &Target| {
        let options = solver::options::catalogue(target, &places)?;
        Ok(falcon::space_of(&options, &target.profile.at(&target.version).options))
    };
    targets.iter().map(space).collect()
}

/// A line for each kind of file that cannot be a seed, with an example.
fn unusable_notes(pool: &Pool) -> Vec<String> {
    let mut kinds: BTreeMap<String, Vec<&PathBuf>> = BTreeMap::new();
    for (path, why) in &pool.unusable {
        let kind = match why {
            Unusable::Duplicate => continue,
            other => other.to_string(),
        };
        kinds.entry(kind).or_default().push(path);
    }
    let line = |(kind, paths): (String, Vec<&PathBuf>)| match paths.as_slice() {
        [only] => format!("{} is not used as a seed: it {kind}", only.display()),
        [first, ..] => format!(
            "{} files are not used as seeds, the first is {}: it {kind}",
            paths.len(),
            first.display()
        ),
        [] => kind,
    };
    kinds.into_iter().map(line).collect()
}
