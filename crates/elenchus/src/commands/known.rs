//! `elenchus known`: manages the list of bugs that have been reported.

use crate::commands::subject::{SubjectArgs, limits};
use crate::context::Context;
use crate::outcome::{Exit, Outcome};
use campaign::config::time_limit;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::time::Duration;
use triage::known::{KnownBug, KnownBugs};
use triage::{SolverSource, Version};

/// The file of the list, in the current folder.
pub const FILE: &str = "elenchus-known.json";

/// Arguments of `elenchus known`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus known add crash-3f9a --link https://github.com/Z3Prover/z3/issues/1
  elenchus known list
  elenchus known check --solver z3@latest

The list is in elenchus-known.json. `elenchus fuzz` does not report known bugs, and they do not affect its exit code; `elenchus \
findings` shows their links. An entry holds until a release no longer shows the bug, which `elenchus known check` records. From \
that release on, the same signature is a new bug.")]
pub struct KnownArgs {
    #[command(subcommand)]
    action: Action,
    /// File with the list
    #[arg(long, global = true, value_name = "FILE", default_value = FILE)]
    list: PathBuf,
}

#[derive(Subcommand)]
enum Action {
    /// Add a finding, or a script with --keep, to the list
    #[command(after_help = "Examples:
  elenchus known add crash-3f9a --link https://github.com/Z3Prover/z3/issues/1
  elenchus known add bug.smt2 --keep 'z3 crashes' --link https://github.com/Z3Prover/z3/issues/1")]
    Add {
        #[command(flatten)]
        subject: SubjectArgs,
        /// Where the bug was reported
        #[arg(long, value_name = "URL")]
        link: String,
    },
    /// Print the list
    #[command(after_help = "Examples:
  elenchus known list")]
    List,
    /// Remove an entry from the list
    #[command(after_help = "Examples:
  elenchus known remove 2")]
    Remove {
        /// Number of the entry, as `elenchus known list` shows it
        number: usize,
    },
    /// Run all known bugs on a release, and record which ones it no longer shows
    #[command(after_help = "Examples:
  elenchus known check --solver z3@latest")]
    Check {
        /// Release to test: NAME, NAME@RELEASE, a path, or a name from the configuration
        #[arg(long, short, value_name = "SOLVER")]
        solver: String,
        /// Time limit for each run, such as 2s or 500ms
        #[arg(long, default_value = "10s", value_name = "TIME", value_parser = time_limit)]
        timeout: Duration,
    },
}

/// Runs `elenchus known`.
pub fn run(args: KnownArgs) -> Outcome {
    let mut known = KnownBugs::read(&args.list)?;
    match args.action {
        Action::Add { subject, link } => {
            let context = Context::new()?;
            let read = subject.read(Version::Reduced)?;
            let bug = KnownBug::new(read, link, subject.limits(), &subject.out, &context)?;
            println!("Added {} ({})", bug.signature, bug.link);
            known.add(bug);
            known.write(&args.list)?;
        }
        Action::List => {
            for (number, bug) in known.entries.iter().enumerate() {
                let fixed =
                    bug.fixed_in.as_ref().map_or(String::new(), |release| format!(", fixed in {release}"));
                println!("{}. {} ({}){fixed}", number + 1, bug.signature, bug.link);
            }
        }
        Action::Remove { number } => {
            let removed = known.remove(number)?;
            println!("Removed {} ({})", removed.signature, removed.link);
            known.write(&args.list)?;
        }
        Action::Check { solver, timeout } => {
            let target = Context::new()?.resolve(&solver)?;
            known.check(&target, limits(timeout), &mut |bug, probe| {
                println!("{}: {} ({})", bug.link, probe.state.word(), probe.did());
            })?;
            known.write(&args.list)?;
        }
    }
    Ok(Exit::Clean)
}
