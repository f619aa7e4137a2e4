//! `elenchus bisect`: finds the releases that show a bug.

use crate::commands::subject::SubjectArgs;
use crate::context::Context;
use crate::outcome::{Exit, Outcome};
use case::table::align;
use clap::Args;
use triage::Version;
use triage::releases::{Effort, Probe, bisect};

/// Arguments of `elenchus bisect`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus bisect bug.smt2 --keep 'z3@4.8.10 says unsat, cvc5 says sat'
  elenchus bisect wrong-unsat-3f9a --all

Installs releases of the suspect solver as needed. Bisection tests few of them; --all tests every release, which also finds a bug \
that was fixed and came back.")]
pub struct BisectArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    /// Test every release
    #[arg(long)]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus bisect`.
pub fn run(args: BisectArgs) -> Outcome {
    let context = Context::of_campaign(&args.subject.out)?;
    let subject = args.subject.read(Version::Reduced)?;
    let limits = args.subject.limits();
    let established = subject.establish(&subject.clauses(&context)?, limits)?;
    let effort = if args.all { Effort::All } else { Effort::Bisect };
    let found = bisect(&subject.script, &established, limits, effort, &context, &mut |probe| {
        if !args.json {
            eprintln!("{:16} {:8} {}", probe.release, probe.state.word(), probe.did());
        }
    })?;
    if let Some(folder) = subject.folder() {
        found.save(folder, &subject.script)?;
    }
    if args.json {
        println!("{}", serde_json::json!(found));
    } else {
        let row = |probe: &Probe| vec![probe.release.clone(), probe.state.word().to_owned(), probe.did()];
        let rows: Vec<Vec<String>> = found.probes.iter().map(row).collect();
        println!("{}\n{}: {}", align(&rows).join("\n"), found.solver, found.sentence());
    }
    Ok(Exit::Clean)
}
