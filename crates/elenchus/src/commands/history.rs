//! `elenchus history`: collecting formulas that once broke a solver, and learning from them.

use crate::commands::history_stats::{self, StatsArgs};
use crate::commands::history_strategy::DEFAULT_LIBRARY;
use crate::files::{Progress, find_scripts};
use crate::outcome::{Exit, Failure, Outcome};
use clap::{Args, Subcommand};
use history::{CollectSettings, Collected, Event, Formula, Limits, SystemClock};
use smt::Signatures;
use std::io::IsTerminal;
use std::path::PathBuf;
use strategies::histfuzz::{Library, Miner, RuleSettings, Source};

/// Arguments of `elenchus history`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus history collect --repo Z3Prover/z3 --repo cvc5/cvc5
  elenchus history mine elenchus-history elenchus-out
  elenchus history stats
  elenchus fuzz --strategy histfuzz --time 10m")]
pub struct HistoryArgs {
    #[command(subcommand)]
    command: HistoryCommand,
}

/// What can be done with history.
#[derive(Subcommand)]
enum HistoryCommand {
    /// Collect formulas from closed issues that speak of a bug
    Collect(CollectArgs),
    /// Learn a library from formulas
    Mine(MineArgs),
    /// Show what a library holds
    Stats(StatsArgs),
}

/// Arguments of `elenchus history collect`.
#[derive(Args)]
#[command(
    after_help = "A token in GITHUB_TOKEN or GH_TOKEN raises the limit on requests from 60 to 5,000 an hour; limits are
waited out. Formulas go to OUT/OWNER/NAME/ISSUE-N.smt2. A run that was interrupted goes on where it was, and a later run asks
only for what has changed since.

Examples:
  elenchus history collect --repo Z3Prover/z3 --repo cvc5/cvc5
  elenchus history collect --repo bitwuzla/bitwuzla --out formulas"
)]
struct CollectArgs {
    /// A repository, as owner/name; may be repeated
    #[arg(long = "repo", value_name = "OWNER/NAME", required = true)]
    repositories: Vec<String>,
    /// The folder for the formulas
    #[arg(long, value_name = "DIR", default_value = "elenchus-history")]
    out: PathBuf,
    /// The URL of the API
    #[arg(long, value_name = "URL", default_value = "https://api.github.com")]
    api: String,
    /// Also fetch attachments from this host, besides GitHub's own and the API's; may be repeated
    #[arg(long = "attachment-host", value_name = "HOST[:PORT]")]
    attachment_hosts: Vec<String>,
    /// Print the counts as JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `elenchus history mine`.
#[derive(Args)]
#[command(
    after_help = "A folder with an index.tsv has the formulas that its column `file` lists, with `solver` and `options` if
there are such columns. The folder of a campaign has what the campaign found. Any other folder has all its .smt2 files, which may
say `; solver: NAME` and `; options: WORDS` in their first comments.

Examples:
  elenchus history mine elenchus-history
  elenchus history mine elenchus-history elenchus-out --normal seeds
  elenchus history mine formulas --support 10 --out mine.txt"
)]
struct MineArgs {
    /// Formulas that broke solvers: files, folders, folders of campaigns
    #[arg(required = true, value_name = "PATH")]
    formulas: Vec<PathBuf>,
    /// Formulas that are not known to have broken anything: their skeletons serve the variant n; may be repeated
    #[arg(long, value_name = "PATH")]
    normal: Vec<PathBuf>,
    /// The library to write
    #[arg(long, value_name = "FILE", default_value = DEFAULT_LIBRARY)]
    out: PathBuf,
    /// Keep rules that so many formulas follow at the least
    #[arg(long, value_name = "N", default_value_t = RuleSettings::default().support)]
    support: u32,
    /// Keep rules that more than this part of the formulas with the antecedent follows
    #[arg(long, value_name = "PART", default_value_t = RuleSettings::default().confidence)]
    confidence: f64,
    /// The most abstract forms in a rule
    #[arg(long, value_name = "N", default_value_t = RuleSettings::default().longest)]
    longest: usize,
    /// Keep formulas that the type checker refuses too
    #[arg(long)]
    ill_formed: bool,
    /// Print the counts as JSON
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus history`.
pub fn run(args: HistoryArgs) -> Outcome {
    match args.command {
        HistoryCommand::Collect(args) => collect(args),
        HistoryCommand::Mine(args) => mine(args),
        HistoryCommand::Stats(args) => history_stats::run(args),
    }
}

fn collect(args: CollectArgs) -> Outcome {
    let token = ["GITHUB_TOKEN", "GH_TOKEN"].into_iter().find_map(|name| std::env::var(name).ok());
    let settings = CollectSettings {
        repositories: args.repositories,
        api: args.api,
        token: token.filter(|token| !token.is_empty()),
        attachment_hosts: args.attachment_hosts,
        out: args.out,
        page: 100,
        limits: Limits::default(),
    };
    let person = std::io::stderr().is_terminal();
    let mut report = |event: &Event| match event {
        Event::Issue(progress) if person => {
            let Collected { issues, formulas, .. } = progress.so_far;
            eprint!(
                "\r{} #{}: {issues} issues, {formulas} formulas\x1b[K",
                progress.repository, progress.issue
            );
        }
        Event::Issue(_) => {}
        Event::Skipped { issue, item, reason } => {
            let clear = if person { "\r\x1b[K" } else { "" };
            eprintln!("{clear}warning: {issue}: skipped {item}: {reason}");
        }
    };
    let collected = history::collect(&settings, &mut SystemClock, &mut report);
    if person {
        eprint!("\r\x1b[K");
    }
    let collected = collected.map_err(|error| Failure::new(error.to_string()).hint(error.hint()))?;
    let Collected { issues, bugs, formulas, skipped, requests, waited } = collected;
    if args.json {
        let json = serde_json::json!({
            "issues": issues, "bugs": bugs, "formulas": formulas, "skipped": skipped, "requests": requests,
            "waited_seconds": waited,
        });
        println!("{json}");
    } else {
        println!(
            "{formulas} formulas of {bugs} bugs among {issues} new or changed issues are in {}",
            settings.out.display()
        );
        println!("`elenchus history mine {}` learns from them", settings.out.display());
    }
    Ok(Exit::Clean)
}

fn read(paths: &[PathBuf]) -> Result<Vec<Formula>, Failure> {
    let mut all = Vec::new();
    for path in paths {
        if path.is_dir() && !history::is_catalogued(path) {
            all.extend(find_scripts(std::slice::from_ref(path))?);
        } else {
            all.push(path.clone());
        }
    }
    history::read(&all).map_err(|error| {
        Failure::new(error.to_string()).hint("give files, folders with .smt2 files, or folders of campaigns")
    })
}

fn mine(args: MineArgs) -> Outcome {
    let formulas = read(&args.formulas)?;
    if formulas.is_empty() {
        return Err(Failure::new("there is no formula to learn from")
            .hint("give folders with .smt2 files, or collect some: elenchus history collect --help"));
    }
    let normal = read(&args.normal)?;
    let mut progress = Progress::new(formulas.len() + normal.len());
    let mut miner = Miner::new(Signatures::standard(), args.ill_formed);
    for formula in &formulas {
        let options = formula.options.clone();
        miner.add(&Source { text: &formula.text, solver: formula.solver.as_deref(), options });
        progress.step();
    }
    for formula in &normal {
        miner.add_normal(&formula.text);
        progress.step();
    }
    progress.clear();
    let settings = RuleSettings {
        support: args.support,
        confidence: args.confidence,
        longest: args.longest.clamp(2, 12),
    };
    let library = miner.finish(&settings);
    std::fs::write(&args.out, library.write()).map_err(|error| {
        Failure::new(format!("{} cannot be written: {error}", args.out.display()))
            .hint("name another file with --out")
    })?;
    if args.json {
        println!("{}", history_stats::json(&library));
    } else {
        println!("{}", summary(&library));
        println!("the library is in {}; `elenchus history stats` shows more", args.out.display());
    }
    Ok(Exit::Clean)
}

fn summary(library: &Library) -> String {
    format!(
        "{} formulas ({} refused by the type checker): {} skeletons, {} atoms of {} forms, {} rules",
        library.origins.formulas,
        library.origins.ill_formed,
        library.skeletons.len(),
        library.atoms.len(),
        library.forms.len(),
        library.rules.len()
    )
}
