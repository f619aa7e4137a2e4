//! `elenchus cluster`: groups scripts that probably show the same bug.

use crate::commands::subject::limits;
use crate::context::Context;
use crate::outcome::{Exit, Failure, Outcome};
use crate::print::StatusLine;
use campaign::config::{duration, time_limit};
use case::table::counted;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;
use triage::cluster::{AllFacts, FactsSettings, Item, clusters_json, clusters_text, examine_all};

/// Arguments of `elenchus cluster`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus cluster elenchus-out
  elenchus cluster kept-bugs --reduce 0 --no-bisect      faster, less precise

A folder of a campaign stands for all its findings. The first line of any other script states what it shows:
  ; elenchus: z3@4.8.10 says unsat, cvc5 says sat

Every script is first reduced, and its releases are bisected. Crashes with the same message form a group. So do wrong answers of the \
same class that appear and disappear with the same releases, if they share most operators, or the solver's functions that only \
the failing script reaches.

Exit code: 0, or 2 if no script could be used.")]
pub struct ClusterArgs {
    /// Folders of campaigns, scripts, or folders with .smt2 files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Time limit for reducing each script, such as 10s or 1m; 0 to skip the reduction
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = duration)]
    reduce: Duration,
    /// Do not test other releases
    #[arg(long)]
    no_bisect: bool,
    /// Do not compare the functions that the solver reaches
    #[arg(long)]
    no_functions: bool,
    /// Time limit for each run, such as 2s or 500ms
    #[arg(long, default_value = "5s", value_name = "TIME", value_parser = time_limit)]
    timeout: Duration,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus cluster`.
pub fn run(args: ClusterArgs) -> Outcome {
    let settings = FactsSettings {
        limits: limits(args.timeout),
        reduce: args.reduce,
        bisect: !args.no_bisect,
        functions: !args.no_functions,
    };
    let context = Context::new()?;
    let items = Item::find(&args.files)?;
    let mut status = StatusLine::new();
    let found = examine_all(&items, &settings, &context, &mut |done, total| status.files(done, total));
    status.clear();
    match args.json {
        true => println!("{}", clusters_json(&found)),
        false => println!("{}", clusters_text(&found).join("\n")),
    }
    let AllFacts { facts, left_out } = found;
    if !args.json {
        left_out.iter().for_each(|(name, why)| eprintln!("{name}: {why}"));
    }
    if facts.is_empty() {
        return Err(Failure::new(format!("none of {} could be used", counted(left_out.len(), "script")))
            .hint(
                "name the folder of a campaign, or scripts that begin with `; elenchus: CLAIMS` and show it",
            ));
    }
    Ok(Exit::Clean)
}
