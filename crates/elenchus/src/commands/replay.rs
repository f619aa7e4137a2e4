//! `elenchus replay`: makes a finding's script again from its seed, and runs the solvers on it.

use crate::commands::place::PlaceArgs;
use crate::commands::subject::limits;
use crate::context::Context;
use crate::outcome::{Exit, Outcome};
use campaign::config::signature_files;
use campaign::config::time_limit;
use campaign::{remake, rerun};
use clap::Args;
use std::time::Duration;
use store::Store;

/// Arguments of `elenchus replay`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus replay wrong-unsat-3f9a
  elenchus replay 3f9a --solver z3@latest         test another release
  elenchus replay 3f9a --script > case.smt2

Exit code: 0 if the runs show no bug, 1 if they show one.")]
pub struct ReplayArgs {
    /// Name of the finding; the beginning of the name or of its number is enough
    id: String,
    #[command(flatten)]
    place: PlaceArgs,
    /// Run this solver instead of those of the finding; may be repeated
    #[arg(long = "solver", short, value_name = "SOLVER")]
    solvers: Vec<String>,
    /// Print the script and stop
    #[arg(long)]
    script: bool,
    /// Time limit for each run, such as 2s or 500ms
    #[arg(long, default_value = "20s", value_name = "TIME", value_parser = time_limit)]
    timeout: Duration,
}

/// Runs `elenchus replay`.
pub fn run(args: ReplayArgs) -> Outcome {
    let limits = limits(args.timeout);
    let place = args.place.open()?;
    let store = Store::open_existing(place.path())?;
    let listed = store.find(&args.id)?;
    let (finding, case, seed) = store.read(&listed)?;
    signature_files::require(&finding.signature_files, &listed.id)?;
    print!("{case}");
    if args.script {
        return Ok(Exit::Clean);
    }
    println!("; {}", remake(&finding, &case, seed));
    let context = Context::of_campaign(place.path())?;
    let mut show_command = |command: &str| println!("; {command}");
    let rerun = rerun(&finding, &case, args.solvers, limits, &context, &mut show_command)?;
    println!("{}", rerun.table(&finding).join("\n"));
    for bug in &rerun.bugs {
        println!("{}: {}", bug.class, bug.title());
    }
    match &rerun.refuted {
        Some(why) => println!("{}: {why}", finding.class),
        None if rerun.bugs.is_empty() => println!("no bug in these runs"),
        None => {}
    }
    Ok(if rerun.shows_bug() { Exit::Found } else { Exit::Clean })
}
