//! `elenchus history`: collects formulas that once broke a solver, and learns from them.

use crate::commands::history_stats::{self, StatsArgs};
use crate::outcome::{Exit, Failure, Outcome};
use crate::print::StatusLine;
use campaign::config::{DEFAULT_LIBRARY, DEFAULT_OUT, read_library};
use case::files::replace;
use case::table::counted;
use clap::{Args, Subcommand};
use history::{CollectSettings, Collected, Event, Formula, Limits, MinePlan, SystemClock};
use std::path::PathBuf;
use strategies::histfuzz::{Library, RuleSettings, built_in};

/// Arguments of `elenchus history`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus history collect --repo Z3Prover/z3 --repo cvc5/cvc5
  elenchus history mine elenchus-history elenchus-out
  elenchus history update
  elenchus history stats
  elenchus fuzz --strategy histfuzz --time 10m")]
pub struct HistoryArgs {
    #[command(subcommand)]
    command: HistoryCommand,
}

/// What can be done with history.
#[derive(Subcommand)]
enum HistoryCommand {
    /// Collect formulas from closed issues about bugs
    Collect(CollectArgs),
    /// Mine a library from formulas
    Mine(MineArgs),
    /// Add the findings of campaigns, or other formulas, to a library
    Update(UpdateArgs),
    /// Show what a library holds
    Stats(StatsArgs),
}

/// Arguments of `elenchus history collect`.
#[derive(Args)]
#[command(
    after_help = "A token in GITHUB_TOKEN or GH_TOKEN raises the limit from 60 to 5,000 requests per hour; at the limit the \
command waits. Formulas go to OUT/OWNER/NAME/ISSUE-N.smt2. Running the command again continues an interrupted collection, or \
fetches only what has changed since.

Examples:
  elenchus history collect --repo Z3Prover/z3 --repo cvc5/cvc5
  elenchus history collect --repo bitwuzla/bitwuzla --out formulas"
)]
struct CollectArgs {
    /// Repository to collect from; may be repeated
    #[arg(long = "repo", value_name = "OWNER/NAME", required = true)]
    repositories: Vec<String>,
    /// Folder for the formulas
    #[arg(long, value_name = "DIR", default_value = "elenchus-history")]
    out: PathBuf,
    /// URL of the API
    #[arg(long, value_name = "URL", default_value = "https://api.github.com")]
    api: String,
    /// Also fetch attachments from this host, besides GitHub's own hosts and that of the API; may be repeated
    #[arg(long = "attachment-host", value_name = "HOST[:PORT]")]
    attachment_hosts: Vec<String>,
    /// Print the counts as JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `elenchus history mine`.
#[derive(Args)]
#[command(
    after_help = "A folder with an index.tsv provides the formulas that the column `file` lists; the columns `solver` and \
`options` are optional. The folder of a campaign provides its findings. Any other folder provides all its .smt2 files, whose first \
comments may state `; solver: NAME` and `; options: WORDS`.

Examples:
  elenchus history mine elenchus-history
  elenchus history mine elenchus-history elenchus-out --normal seeds
  elenchus history mine formulas --support 10 --out mine.txt"
)]
struct MineArgs {
    /// Formulas that broke solvers: files, folders, or folders of campaigns
    #[arg(required = true, value_name = "PATH")]
    formulas: Vec<PathBuf>,
    /// Ordinary formulas, whose skeletons the variant `n` uses; may be repeated
    #[arg(long, value_name = "PATH")]
    normal: Vec<PathBuf>,
    /// Library to write
    #[arg(long, value_name = "FILE", default_value = DEFAULT_LIBRARY)]
    out: PathBuf,
    #[command(flatten)]
    choices: MineChoices,
    /// Print the counts as JSON
    #[arg(long)]
    json: bool,
}

/// What to keep of formulas.
#[derive(Args)]
struct MineChoices {
    /// Keep only rules that at least N formulas follow
    #[arg(long, value_name = "N", default_value_t = RuleSettings::default().support)]
    support: u32,
    /// Keep only rules with a confidence above SHARE
    #[arg(long, value_name = "SHARE", default_value_t = RuleSettings::default().confidence)]
    confidence: f64,
    /// Maximum number of abstract forms in a rule
    #[arg(long, value_name = "N", default_value_t = RuleSettings::default().longest)]
    longest: usize,
    /// Also use formulas that the type checker rejects
    #[arg(long)]
    ill_formed: bool,
}

/// Arguments of `elenchus history update`.
#[derive(Args)]
#[command(
    after_help = "Formulas that the library has are skipped, so the command can be repeated after every campaign. The result is \
what mining all formulas at once gives.

Examples:
  elenchus history update
  elenchus history update elenchus-out nightly-out --library team.txt"
)]
struct UpdateArgs {
    /// Folders of campaigns, or other formulas that broke solvers
    #[arg(value_name = "PATH", default_value = DEFAULT_OUT)]
    formulas: Vec<PathBuf>,
    /// Library to update; begins with the built-in library if the file does not exist
    #[arg(long, value_name = "FILE", default_value = DEFAULT_LIBRARY)]
    library: PathBuf,
    #[command(flatten)]
    choices: MineChoices,
    /// Print the counts as JSON
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus history`.
pub fn run(args: HistoryArgs) -> Outcome {
    match args.command {
        HistoryCommand::Collect(args) => collect(args),
        HistoryCommand::Mine(args) => mine(args),
        HistoryCommand::Update(args) => update(args),
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
    let mut status = StatusLine::new();
    let mut report = |event: &Event| match event {
        Event::Issue(progress) => {
            let Collected { issues, formulas, .. } = progress.so_far;
            let (issues, formulas) = (counted(issues, "issue"), counted(formulas, "formula"));
            status.show(|| format!("{} #{}: {issues}, {formulas}", progress.repository, progress.issue));
        }
        Event::Skipped { issue, item, reason } => {
            status.clear();
            eprintln!("warning: {issue}: skipped {item}: {reason}");
        }
    };
    let collected = history::collect(&settings, &mut SystemClock, &mut report);
    status.clear();
    let Collected { issues, bugs, formulas, skipped, requests, waited } = collected?;
    if args.json {
        let json = serde_json::json!({
            "issues": issues, "bugs": bugs, "formulas": formulas, "skipped": skipped, "requests": requests,
            "waited_seconds": waited,
        });
        println!("{json}");
    } else {
        println!(
            "Collected {} of {} from {} into {}. To learn from them: `elenchus history mine {}`",
            counted(formulas, "formula"),
            counted(bugs, "bug"),
            counted(issues, "new or changed issue"),
            settings.out.display(),
            settings.out.display()
        );
    }
    Ok(Exit::Clean)
}

fn mine(args: MineArgs) -> Outcome {
    let formulas = history::read(&args.formulas)?;
    if formulas.is_empty() {
        return Err(Failure::new("no formulas to learn from")
            .hint("name folders with .smt2 files, or collect some: elenchus history collect --help"));
    }
    let normal = history::read(&args.normal)?;
    let library = mine_with_progress(args.choices, Library::default(), &formulas, &normal);
    replace(&args.out, &library.write())?;
    if args.json {
        println!("{}", history::counts(&library, None));
    } else {
        println!("{}", library.summary());
        println!("Wrote {0}. For details: `elenchus history stats {0}`", args.out.display());
    }
    Ok(Exit::Clean)
}

fn update(args: UpdateArgs) -> Outcome {
    let formulas = history::read(&args.formulas)?;
    let before = match args.library.is_file() {
        true => read_library(&args.library)?,
        false => (*built_in()).clone(),
    };
    let known = before.formulas.len();
    let library = mine_with_progress(args.choices, before, &formulas, &[]);
    let new = library.formulas.len() - known;
    if new > 0 {
        replace(&args.library, &library.write())?;
    }
    if args.json {
        let mut counts = history::counts(&library, None);
        counts["new_formulas"] = new.into();
        println!("{counts}");
    } else if new == 0 {
        println!("Nothing to add: {} found, none of them new.", counted(formulas.len(), "formula"));
    } else {
        println!("Added {new} of {}. Now {}", counted(formulas.len(), "formula"), library.summary());
        println!("Wrote {}, which `elenchus fuzz` uses in this folder.", args.library.display());
    }
    Ok(Exit::Clean)
}

fn mine_with_progress(
    choices: MineChoices,
    library: Library,
    formulas: &[Formula],
    normal: &[Formula],
) -> Library {
    let MineChoices { support, confidence, longest, ill_formed } = choices;
    let rules = RuleSettings { support, confidence, longest: longest.clamp(2, 12) };
    let plan = MinePlan { library, formulas, normal, ill_formed, rules };
    let mut status = StatusLine::new();
    let library = history::mine(plan, &mut |done, total| status.files(done, total));
    status.clear();
    library
}
