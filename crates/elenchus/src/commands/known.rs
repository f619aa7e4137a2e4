//! `elenchus known`: manages the list of bugs that have been reported.

use crate::commands::place::StoreArgs;
use crate::commands::subject::{SubjectArgs, limits};
use crate::context::Context;
use crate::outcome::{Exit, Failure, Outcome};
use campaign::config::{DEFAULT_OUT, time_limit};
use campaign::place::Place;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::time::Duration;
use triage::known::KnownBug;
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
that release on, the same signature is a new bug. A campaign in a common store has a list of its own there.")]
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
  elenchus known list
  elenchus known list --store postgres://me@host/fuzz")]
    List {
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Remove an entry from the list
    #[command(after_help = "Examples:
  elenchus known remove 2")]
    Remove {
        /// Number of the entry, as `elenchus known list` shows it
        number: usize,
        #[command(flatten)]
        store: StoreArgs,
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
        #[command(flatten)]
        store: StoreArgs,
    },
}

/// Runs `elenchus known`.
pub fn run(args: KnownArgs) -> Outcome {
    let list = &args.list;
    match args.action {
        Action::Add { subject, link } => {
            let mut place = subject.place.open()?;
            let context = Context::new()?;
            let read = subject.read(&place, Version::Reduced)?;
            let bug = KnownBug::new(read, link, subject.limits(), place.path(), &context)?;
            println!("Added {} ({})", bug.signature, bug.link);
            place.change_known(list, &mut |known| {
                known.add(bug.clone());
                Ok(())
            })?;
        }
        Action::List { store } => {
            for (number, bug) in lists_of(&store)?.known(list)?.entries.iter().enumerate() {
                let fixed =
                    bug.fixed_in.as_ref().map_or(String::new(), |release| format!(", fixed in {release}"));
                println!("{}. {} ({}){fixed}", number + 1, bug.signature, bug.link);
            }
        }
        Action::Remove { number, store } => {
            let mut removed = None;
            lists_of(&store)?.change_known(list, &mut |known| {
                removed = Some(known.remove(number)?);
                Ok(())
            })?;
            if let Some(bug) = removed {
                println!("Removed {} ({})", bug.signature, bug.link);
            }
        }
        Action::Check { solver, timeout, store } => {
            let mut place = lists_of(&store)?;
            let mut checked = place.known(list)?;
            let target = Context::new()?.resolve(&solver)?;
            checked.check(&target, limits(timeout), &mut |bug, probe| {
                println!("{}: {} ({})", bug.link, probe.state.word(), probe.did());
            })?;
            place.change_known(list, &mut |known| {
                known.take_repairs(&checked);
                Ok(())
            })?;
        }
    }
    Ok(Exit::Clean)
}

/// Where the list is: in a common store, or in a file.
fn lists_of(store: &StoreArgs) -> Result<Place, Failure> {
    match store.is_named() {
        true => Ok(Place::common(store.open()?)),
        false => Ok(Place::folder(DEFAULT_OUT.into())),
    }
}
