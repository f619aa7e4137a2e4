//! `elenchus fuzz`: runs a campaign.

use crate::commands::fuzz_shared::SharedFuzz;
use crate::commands::{known, serve};
use crate::context::Context;
use crate::outcome::{Exit, Failure, Outcome};
use crate::signals;
use crate::view::{Switches, View};
use campaign::config::{
    FuzzConfig, HistoryConfig, Resolved, StrategySettings, mebibytes, milliseconds, prepare, release_notes,
    resolve, unpinned, unusable_notes,
};
use campaign::{Controls, NewOnly};
use clap::Args;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use strategies::histfuzz::Variant;
use triage::SolverSource;
use triage::known::KnownBugs;

/// The largest seed that every reader of JSON reads exactly.
const LARGEST_SEED: u64 = (1 << 53) - 1;

/// Arguments of `elenchus fuzz`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus fuzz                                            fuzz all available solvers until Ctrl-C
  elenchus fuzz --solver z3@4.8.10 --solver cvc5 --time 10m
  elenchus fuzz seeds/ --strategy typefuzz,opfuzz --seed 7 --jobs 1 --cases 1000
  elenchus fuzz --resume                                   continue the last campaign
  elenchus fuzz --resume --time 1h                         continue it for another hour
  elenchus fuzz --solver z3 --strategy grammar --guided --time 1h
  elenchus fuzz --store postgres://me@host/fuzz            on every machine that takes part

Without --solver, all available solvers are fuzzed; Z3 and cvc5 are installed if there are fewer than two. Findings go to \
OUT/findings, one folder each: `elenchus findings` lists them, `elenchus show ID` explains one.

On a terminal, a live view shows the state: q stops, p pauses, ? explains it.

Exit code: 0 if this run found no new bug, 1 if it found one, 2 if it tested nothing, for usage errors and for problems of the \
environment. Bugs of earlier runs in the same folder and known bugs (`elenchus known`) do not count.")]
pub struct FuzzArgs {
    /// Seed scripts, or folders with .smt2 files [default: built-in seeds]
    seeds: Vec<PathBuf>,
    /// Solver: NAME, NAME@RELEASE, a path, or a name from the configuration; may be repeated
    #[arg(long = "solver", short, value_name = "SOLVER")]
    solvers: Vec<String>,
    /// Strategy; may be repeated [default: all but approximate, exhaustive, falcon and command]
    ///
    /// seeds: the seeds unchanged. typefuzz: replaces terms by generated terms of the same sort. opfuzz: replaces operators. swap:
    /// swaps expressions. diver: mutates freely, but stays true under a known model. storm: combines parts of a seed that are true
    /// under a known model. incremental: asserts, assumes and retracts parts of a seed. approximate: makes weaker and stronger
    /// formulas of seeds. fusion: fuses seeds of the same status. grammar: generates formulas from scratch. enumerate: enumerates
    /// small terms. exhaustive: makes all small formulas of a theory, in order. valfuzz: replaces constants. histfuzz: recombines formulas that once broke a solver. falcon: generates formulas
    /// and varies the options of solvers. command: runs a program that prints scripts, as in command:'./gen --seed {seed}'.
    /// NAME+valfuzz replaces constants in the cases of NAME. A variant
    /// and settings may follow a name, as in diver:published:tries=10; `elenchus strategy show NAME` lists them.
    #[arg(long = "strategy", value_name = "NAME")]
    strategies: Vec<String>,
    /// Stop after this time, such as 90s, 10m or 1h30m; with --resume, counted from now on
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    time: Option<u64>,
    /// Stop after N cases; with --resume, after N more
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// Number of workers [default: one per processor]
    #[arg(long, short, value_name = "N")]
    jobs: Option<usize>,
    /// Seed of all random choices; with --jobs 1 and --cases it determines every case [default: random]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=LARGEST_SEED))]
    seed: Option<u64>,
    /// Time limit for each run of a solver; may be lowered for seeds that need less [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    timeout: Option<u64>,
    /// Memory limit for each run of a solver [default: 2GB]
    #[arg(long, value_name = "SIZE", value_parser = mebibytes)]
    memory: Option<u64>,
    /// Folder for the database and the findings [default: elenchus-out]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Continue the last campaign in the folder, with its settings
    #[arg(long)]
    resume: bool,
    /// Take part in a campaign of several machines, or start it: postgres://USER@HOST/DATABASE, or sqlite:FILE for the processes of one
    /// machine; also from ELENCHUS_STORE (docs/cluster.md)
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    /// Name of the campaign in the store; also from ELENCHUS_CAMPAIGN [default: main]
    #[arg(long, value_name = "NAME")]
    campaign: Option<String>,
    /// Kinds of work to take in a campaign of several machines: fuzz, reduce, bisect, report, regress, learn [default: all]
    #[arg(long, value_name = "WORK", value_delimiter = ',')]
    only: Vec<String>,
    /// Show the campaign in a browser while it runs: serve pages on an address [without ADDR: 127.0.0.1:7171]
    #[arg(long, value_name = "ADDR", num_args = 0..=1, require_equals = true, default_missing_value = serve::ADDRESS)]
    serve: Option<SocketAddr>,
    /// Print events as JSON, one object per line
    #[arg(long)]
    json: bool,
    /// Configuration file [default: elenchus.toml, if it exists]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Cases of a strategy on a seed before it moves to the next seed; later turns are up to eight times as long [default: 3]
    #[arg(long, value_name = "N")]
    budget: Option<u64>,
    #[command(flatten)]
    history: HistoryFlags,
    /// Give every run the whole time limit, instead of less where a case was fast or the cases of its seed rarely end in time
    #[arg(long)]
    fixed_timeout: bool,
    /// Start a new process for every script, instead of keeping solvers warm
    #[arg(long)]
    cold: bool,
    /// Do not run cases a second time between push and pop of a running process
    #[arg(long)]
    no_incremental: bool,
    /// Do not ask for models and evaluate them
    #[arg(long)]
    no_models: bool,
    /// Do not make solvers check their own models
    #[arg(long)]
    no_own_checks: bool,
    /// Check the unsat core of every Nth unsat case; 0 for none [default: 16; without N: 1]
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    cores: Option<u64>,
    /// Check proofs with this command, such as carcara, or 'ethos --include=Cpc.eo'
    ///
    /// One unsat case in four is asked for a proof. The name of the program tells the format of the proof: docs/proofs.md.
    #[arg(long, value_name = "COMMAND")]
    proofs: Option<String>,
    /// Oracle besides answers, models and the solvers' own checks, or none; may be repeated [default: all, as time permits]
    ///
    /// `elenchus oracle list` explains them.
    #[arg(long = "oracle", value_name = "NAME", value_delimiter = ',')]
    oracles: Vec<String>,
    /// Do not report slow answers as candidates
    #[arg(long)]
    no_performance: bool,
    /// Report a solver that answers unknown as a candidate if the answer follows from one that it gave (strategy approximate)
    #[arg(long)]
    incompleteness: bool,
    /// Do not reduce findings and merge those that are one bug; `elenchus triage` does it later
    #[arg(long)]
    no_triage: bool,
    /// Also run cases with N sets of solver options each that leave the question unchanged [default: 1, as time permits; 0 with --cases; without N: 3]
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "3")]
    configurations: Option<u64>,
    /// Prefer options that are relevant to the case, according to a file of `elenchus learn`; may be repeated [default: what comes
    /// with the program about Z3 and cvc5]
    #[arg(long, value_name = "FILE")]
    correlations: Vec<PathBuf>,
    /// Search for options that reach more of the solver's code, instead of drawing them at random
    #[arg(long)]
    guided: bool,
    /// Measure which functions of the solvers are reached, and keep cases that reach new ones as seeds in OUT/corpus
    #[arg(long)]
    coverage: bool,
}

/// The settings of histfuzz.
#[derive(Args)]
struct HistoryFlags {
    /// histfuzz: library to use [default: elenchus-history.txt if it exists, else the built-in library]
    #[arg(long = "history", value_name = "FILE")]
    library: Option<PathBuf>,
    /// histfuzz: full, r (random atoms) or n (skeletons of ordinary formulas, random atoms) [default: full]
    #[arg(long = "history-variant", value_name = "NAME")]
    variant: Option<Variant>,
    /// histfuzz: ignore rules that fewer than N formulas follow [default: 10, less for a small library]
    #[arg(long = "history-support", value_name = "N")]
    support: Option<u32>,
    /// histfuzz: ignore rules with at most this confidence [default: 0.5]
    #[arg(long = "history-confidence", value_name = "SHARE")]
    confidence: Option<f64>,
    /// histfuzz: also use formulas that the type checker rejects
    #[arg(long = "history-ill-formed")]
    ill_formed: bool,
    /// histfuzz: set the options of the original bug reports in one case of eight
    #[arg(long = "history-options")]
    options: bool,
    /// histfuzz: do not prefer atoms that led to findings in this campaign
    #[arg(long = "history-unweighted")]
    unweighted: bool,
}

impl FuzzArgs {
    /// What the command line sets.
    fn config(self) -> FuzzConfig {
        let unless = |flag: bool| flag.then_some(false);
        let when = |flag: bool| flag.then_some(true);
        FuzzConfig {
            seeds: self.seeds,
            solvers: self.solvers,
            strategies: self.strategies.iter().flat_map(|names| strategies::split_names(names)).collect(),
            strategy_settings: StrategySettings::new(),
            time: self.time,
            cases: self.cases,
            jobs: self.jobs,
            seed: self.seed,
            timeout: self.timeout,
            memory: self.memory,
            out: self.out,
            json: when(self.json),
            // The command line loads its files for every command.
            signatures: Vec::new(),
            budget: self.budget,
            models: unless(self.no_models),
            own_checks: unless(self.no_own_checks),
            cores: self.cores,
            proofs: self.proofs,
            oracles: self.oracles,
            tactics: None,
            forms: None,
            performance: unless(self.no_performance),
            incompleteness: when(self.incompleteness),
            triage: unless(self.no_triage),
            shares: None,
            history: HistoryConfig {
                library: self.history.library,
                variant: self.history.variant.map(|variant| variant.to_string()),
                support: self.history.support,
                confidence: self.history.confidence,
                ill_formed: when(self.history.ill_formed),
                options: when(self.history.options),
                weighted: unless(self.history.unweighted),
            },
            warm: unless(self.cold),
            fixed_timeout: self.fixed_timeout.then_some(true),
            incremental: unless(self.no_incremental),
            configurations: self.configurations,
            correlations: self.correlations,
            guided: when(self.guided),
            coverage: when(self.coverage),
            store: self.store,
            campaign: self.campaign,
            only: self.only,
        }
    }
}

/// Runs `elenchus fuzz`.
pub fn run(args: FuzzArgs) -> Outcome {
    let (resume, file, pages) = (args.resume, args.config.clone(), args.serve);
    let flags = args.config();
    if let Some(shared) = SharedFuzz::of(&flags, file.clone(), pages)? {
        return shared.run();
    }
    let Resolved { config, settings, mut store, resumed } = resolve(&flags, file, resume)?;
    let out = config.folder();
    let context = Context::with_config(settings.config.as_deref())?;
    let prepared = prepare(settings, resume, &context)?;
    let switches = Switches::default();
    let mut view = View::new(config.json == Some(true), &switches);
    if view.is_live() {
        signals::stop_once_on_terminal(&switches.stop)?;
    } else {
        signals::stop_once(&switches.stop)?;
    }
    signals::ignore_file_size_limit()?;
    let known = KnownBugs::read(Path::new(known::FILE))?;
    view.notes(unusable_notes(&prepared.pool));
    if !resume {
        let chosen = unpinned(&prepared.targets, &config.solvers, context.settings());
        view.notes(release_notes(&chosen, context.settings()));
    }
    let server = pages.map(|address| serve::start(&out, address)).transpose()?;
    view.notes(server.iter().map(serve::link).collect());
    let seed = prepared.settings.seed;
    let mut listener = NewOnly::new(&known, view.listener());
    let controls = Controls { interrupt: &switches.stop, pause: &switches.pause };
    let plan = prepared.plan(context.settings());
    let ended = campaign::run(plan, &mut store, resumed.as_ref(), controls, &mut listener);
    view.finish();
    let summary = ended?;
    view.summary(&summary, &out.display().to_string(), seed);
    if summary.tested_nothing() {
        return Err(Failure::new("nothing was tested").hint(summary.why_nothing()));
    }
    Ok(if summary.has_new_bug(&known, &out) { Exit::Found } else { Exit::Clean })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cli;
    use crate::commands::Command;
    use campaign::config::keys::{Flag, KEYS, Key, Kind};
    use clap::{CommandFactory, Parser};
    use std::collections::BTreeSet;

    /// Flags that say what to do now rather than how a campaign runs.
    const ACTIONS: [&str; 5] = ["config", "resume", "serve", "help", "version"];

    #[test]
    fn every_flag_has_a_key() {
        let command = Cli::command();
        let fuzz = command.find_subcommand("fuzz").unwrap();
        let flags = fuzz.get_arguments().chain(command.get_arguments()).filter_map(|arg| arg.get_long());
        let flags: BTreeSet<&str> = flags.filter(|flag| !ACTIONS.contains(flag)).collect();
        let of_key = |key: &Key| match key.flag {
            Flag::Sets(flag) | Flag::Clears(flag) => Some(flag),
            Flag::None | Flag::Positional => None,
        };
        let keys: BTreeSet<&str> = KEYS.iter().filter_map(of_key).collect();
        assert_eq!(flags, keys);
    }

    /// What the command line sets.
    fn by_flags(arguments: &[String]) -> FuzzConfig {
        let line = ["elenchus", "fuzz"].into_iter().map(str::to_owned).chain(arguments.to_vec());
        match Cli::parse_from(line).command {
            Command::Fuzz(args) => args.config(),
            _ => unreachable!(),
        }
    }

    /// What a key of a file sets.
    fn by_file(key: &Key, value: &str) -> FuzzConfig {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("elenchus.toml");
        std::fs::write(&file, format!("[{}]\n{} = {value}\n", key.table, key.name)).unwrap();
        FuzzConfig::read(&file).unwrap()
    }

    #[test]
    fn flags_and_keys_set_the_same() {
        for key in KEYS.iter().filter(|key| key.name != "signatures") {
            // A path of a file is relative to it, unless it is absolute.
            let (value, written) = match key.kind {
                Kind::Number => ("7", "7"),
                Kind::Share => ("0.25", "0.25"),
                Kind::Time => ("1h30m", "\"1h30m\""),
                Kind::Size => ("2GB", "\"2GB\""),
                Kind::Choice(_) => ("full", "\"full\""),
                Kind::Text => ("/x", "\"/x\""),
                _ => ("/x", "[\"/x\"]"),
            };
            let (arguments, written) = match (key.flag, key.kind) {
                (Flag::None, _) => continue,
                (Flag::Positional, _) => (value.to_owned(), written),
                (Flag::Clears(flag), _) => (format!("--{flag}"), "false"),
                (Flag::Sets(flag), Kind::Boolean) => (format!("--{flag}"), "true"),
                (Flag::Sets(flag), _) => (format!("--{flag}={value}"), written),
            };
            assert_eq!(by_flags(&[arguments]), by_file(key, written), "{}", key.name);
        }
    }
}
