//! `elenchus corpus`: tools for folders of seeds.

use crate::context::Context;
use crate::outcome::{Exit, Outcome};
use crate::print::StatusLine;
use crate::signals;
use campaign::config::{duration, time_limit};
use campaign::corpus::{CorpusStats, MinimizeSettings, import, minimize};
use case::files::find_scripts;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;
use triage::SolverSource;

/// Arguments of `elenchus corpus`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus corpus stats benchmarks/
  elenchus corpus import downloads/ issues/ --out seeds
  elenchus corpus minimize seeds --solver z3@5.4.0 --out small-seeds")]
pub struct CorpusArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Show what scripts hold: logics, theories, operators, sizes, duplicates
    #[command(after_help = "Examples:
  elenchus corpus stats benchmarks/
  elenchus corpus stats benchmarks/ --json | jq .unused_operators")]
    Stats {
        /// Scripts, or folders with .smt2 files
        #[arg(required = true, value_name = "DIR")]
        files: Vec<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Import scripts as seeds: well-typed ones, without duplicates, named by their content
    #[command(after_help = "Examples:
  elenchus corpus import downloads/ issues/ --out seeds

Writes one flat folder. Comments, descriptions, `exit`, `echo` and options that redirect output are removed; `:status` and all else \
stays, also in scripts with several checks. Scripts that differ only in names and layout from another, or from one in the folder, are \
left out. No file is ever overwritten.")]
    Import {
        /// Scripts, or folders with .smt2 files
        #[arg(required = true, value_name = "SRC")]
        sources: Vec<PathBuf>,
        /// Folder for the seeds
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Keep the fewest seeds that reach the same functions of a solver
    #[command(after_help = "Examples:
  elenchus corpus minimize seeds --solver z3@5.4.0 --out small-seeds

Runs every seed and measures the functions that it reaches, in the release executable or in an instrumented build (see `elenchus \
learn`). Then it chooses seeds that reach all of them, runs these again to check it, and copies them to the folder of --out, which \
must have no scripts yet.")]
    Minimize {
        /// Folder with the seeds
        folder: PathBuf,
        /// Solver whose functions count: NAME, NAME@RELEASE, a path, or a name from the configuration
        #[arg(long, short, value_name = "SOLVER")]
        solver: String,
        /// Folder for the seeds that are kept
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Stop measuring after this time and leave out the rest, such as 90s or 10m
        #[arg(long, value_name = "TIME", value_parser = duration)]
        time: Option<Duration>,
        /// Time limit for each run, such as 2s or 500ms
        #[arg(long, default_value = "2s", value_name = "TIME", value_parser = time_limit)]
        timeout: Duration,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Runs `elenchus corpus`.
pub fn run(args: CorpusArgs) -> Outcome {
    let mut status = StatusLine::new();
    match args.action {
        Action::Stats { files, json } => {
            let files = find_scripts(&files)?;
            let stats = CorpusStats::of_files(&files, &mut |done, total| status.files(done, total));
            status.clear();
            match json {
                true => println!("{}", stats.json()),
                false => println!("{}", stats.text().join("\n")),
            }
        }
        Action::Import { sources, out, json } => {
            let imported = import(&sources, &out, &mut |done, total| status.files(done, total));
            status.clear();
            let imported = imported?;
            match json {
                true => println!("{}", imported.json()),
                false => println!("{}", imported.text().join("\n")),
            }
        }
        Action::Minimize { folder, solver, out, time, timeout, json } => {
            let target = Context::new()?.resolve(&solver)?;
            let settings = MinimizeSettings { folder: &folder, out: &out, target: &target, timeout, time };
            let stop = signals::stop_flag()?;
            let stopped = || stop.load(Ordering::Relaxed);
            let result = minimize(&settings, &stopped, &mut |step| status.show(|| step.to_string()));
            status.clear();
            let result = result?;
            match json {
                true => println!("{}", serde_json::json!(result)),
                false => println!("{}", result.text(&out).join("\n")),
            }
        }
    }
    Ok(Exit::Clean)
}
