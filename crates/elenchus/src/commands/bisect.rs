//! `elenchus bisect`: finds the releases that show a bug.

use crate::commands::findings::print_findings;
use crate::commands::subject::SubjectArgs;
use crate::commands::triage_steps::show_step;
use crate::context::Context;
use crate::outcome::{Exit, Outcome};
use crate::signals;
use clap::Args;
use std::sync::atomic::Ordering;
use store::{Store, Touched};
use triage::Version;
use triage::automatic::bisect_all;
use triage::releases::{Effort, bisect};

/// Arguments of `elenchus bisect`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus bisect bug.smt2 --keep 'z3@4.8.10 says unsat, cvc5 says sat'
  elenchus bisect wrong-unsat-3f9a --every-release
  elenchus bisect --all

Installs releases of the suspect solver as needed. Bisection tests few of them; --every-release also finds a bug that was fixed and \
came back.")]
pub struct BisectArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    /// Do it for every finding of the campaign that it has not been done for
    #[arg(long, conflicts_with_all = ["subject", "predicate", "every_release"])]
    all: bool,
    /// Test every release
    #[arg(long)]
    every_release: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus bisect`.
pub fn run(args: BisectArgs) -> Outcome {
    let limits = args.subject.limits();
    let mut place = args.subject.open()?;
    if args.all {
        let stop = signals::stop_flag()?;
        let context = Context::of_campaign(place.path())?.cancelled_by(&stop);
        let mut store = Store::open_existing(place.path())?;
        place.begin_work()?;
        let ended =
            bisect_all(&mut store, limits, &context, &|| stop.load(Ordering::Relaxed), &mut show_step);
        place.push(Touched::All)?;
        ended?;
        print_findings(&store, args.json)?;
        return Ok(Exit::Clean);
    }
    let context = Context::of_campaign(place.path())?;
    let subject = args.subject.read(&place, Version::Reduced)?;
    let established = subject.establish(&subject.clauses(&context)?, limits)?;
    let effort = if args.every_release { Effort::All } else { Effort::Bisect };
    let found = bisect(&subject.script, &established, limits, effort, &context, &mut |probe| {
        if !args.json {
            eprintln!("{:16} {:8} {}", probe.release, probe.state.word(), probe.did());
        }
    })?;
    if let Some(stored) = &subject.finding {
        place.begin_work()?;
        found.save(&stored.folder, &subject.script)?;
        place.push(Touched::Findings(std::slice::from_ref(&stored.listed.id)))?;
    }
    if args.json {
        println!("{}", serde_json::json!(found));
    } else {
        println!("{}", found.lines().join("\n"));
    }
    Ok(Exit::Clean)
}
