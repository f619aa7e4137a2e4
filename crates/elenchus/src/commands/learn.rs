//! `elenchus learn`: which options of a solver matter to which operations.

use crate::commands::learn_show::{self, ShowArgs};
use crate::commands::place::StoreArgs;
use crate::context::Context;
use crate::outcome::{Exit, Failure, Outcome};
use crate::print::StatusLine;
use crate::signals;
use campaign::config::milliseconds;
use campaign::jobs::{LearnDetail, learn_apart, learn_job};
use case::table::counted;
use clap::{Args, Subcommand};
use falcon::Correlations;
use falcon::learn::{LearnPlan, learn_into};
use falcon::present::correlated;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use triage::SolverSource;

/// Arguments of `elenchus learn`.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  elenchus learn --solver z3@5.4.0 --time 2h                 learn; a second call continues
  elenchus learn --solver z3@5.4.0 --operation str.len,bvadd,get-unsat-core --time 5m
  elenchus learn show z3@5.4.0.correlations.json             show the correlations as a heat map
  elenchus learn merge all.json one.json two.json            combine the results of several machines
  elenchus fuzz --solver z3@5.4.0 --correlations z3@5.4.0.correlations.json --guided
  elenchus learn --store postgres://me@host/fuzz --solver z3@5.4.0 --queue     let a machine of a campaign do it

Generates formulas with one to four operations, changes one option at a time, and records what changes: the answer, the functions \
of the solver that run, or the time. An effect that vanishes without an operation is due to that operation. A rejected option is a \
conflict, not an effect. A file holds for one release. It is written after every formula, so Ctrl-C loses nothing."
)]
pub struct LearnArgs {
    #[command(subcommand)]
    action: Option<Action>,
    /// The solver: NAME, NAME@RELEASE or a path
    #[arg(long, short, value_name = "SOLVER")]
    solver: Option<String>,
    /// Time limit, such as 10m or 2h
    #[arg(long, default_value = "10m", value_name = "TIME", value_parser = milliseconds)]
    time: u64,
    /// Correlations file to write; an existing one is continued [default: RELEASE.correlations.json]
    #[arg(long, value_name = "FILE", conflicts_with = "store")]
    out: Option<PathBuf>,
    #[command(flatten)]
    store: StoreArgs,
    /// Leave it to the machines that take part in the campaign: put it into the queue of the store
    #[arg(long, conflicts_with = "out")]
    queue: bool,
    /// Learn only about this operation, such as bvadd or get-unsat-core; may be repeated
    #[arg(long = "operation", value_name = "NAME", value_delimiter = ',')]
    operations: Vec<String>,
    /// Learn only about options whose name contains TEXT; may be repeated
    #[arg(long = "option", value_name = "TEXT", value_delimiter = ',')]
    options: Vec<String>,
    /// Seed of all random choices [default: 1; for a job of a store another one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Subcommand)]
enum Action {
    /// Show a correlations file as a heat map
    Show(ShowArgs),
    /// Merge correlations files of one release
    #[command(after_help = "Examples:
  elenchus learn merge all.json machine-1.json machine-2.json")]
    Merge {
        /// File to write
        out: PathBuf,
        /// Files to read
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

/// Runs `elenchus learn`.
pub fn run(args: LearnArgs) -> Outcome {
    match args.action {
        Some(Action::Show(args)) => learn_show::run(args),
        Some(Action::Merge { out, files }) => {
            if let Some(all) = Correlations::read_all(&files)? {
                all.write(&out)?;
                println!(
                    "Merged {} about {} into {}",
                    counted(all.formulas, "formula"),
                    all.solver,
                    out.display()
                );
            }
            Ok(Exit::Clean)
        }
        None => {
            let solver = args.solver.clone().ok_or_else(|| {
                Failure::new("no solver given").hint("name one: elenchus learn --solver z3@5.4.0 --time 10m")
            })?;
            match args.out.is_none() && args.store.is_named() {
                true => learn_for_all(&solver, args),
                false if args.queue => Err(Failure::new("no store is named").hint("name it with --store")),
                false => learn_about(&solver, args),
            }
        }
    }
}

/// Learns for all machines of a campaign, or lets one of them do it.
fn learn_for_all(spec: &str, args: LearnArgs) -> Outcome {
    let mut place = args.store.open()?;
    let detail = LearnDetail {
        time: Some(args.time),
        seed: args.seed,
        operations: args.operations,
        options: args.options,
    };
    if args.queue {
        println!("{}", place.queue(learn_job(spec, &detail))?);
        return Ok(Exit::Clean);
    }
    let context = Context::new()?;
    let target = context.resolve(spec)?;
    let stop = signals::stop_flag()?;
    let mut status = StatusLine::new();
    let learned = learn_apart(&target, &context, detail, &stop, &mut |learned| {
        status.show(|| format!("{}, {}", counted(learned.formulas, "formula"), counted(learned.runs, "run")));
    });
    status.clear();
    let learned = learned?;
    let all = place.add_correlations(&learned)?;
    println!(
        "Tried {} in {}; with those of others there are {} of operation and option. To see them: `elenchus learn show {}`",
        counted(learned.formulas, "formula"),
        counted(learned.runs, "run"),
        counted(correlated(&all, 0.0).len(), "correlated pair"),
        place.fetch_correlations(&target.id)?.display()
    );
    Ok(Exit::Clean)
}

fn learn_about(spec: &str, args: LearnArgs) -> Outcome {
    let context = Context::new()?;
    let target = context.resolve(spec)?;
    let plan = LearnPlan {
        time: Duration::from_millis(args.time),
        seed: args.seed.unwrap_or(1),
        ..LearnPlan::new(&target, context.settings(), &args.options, args.operations)?
    };
    let out = args.out.unwrap_or_else(|| format!("{}.correlations.json", target.id.replace('/', "_")).into());
    let mut learned = Correlations::open(&out, &target.id)?;
    eprintln!(
        "learning about {}: {}, {}; writing {}",
        target.id,
        counted(plan.operations.len(), "operation"),
        counted(plan.space.knobs.len(), "option"),
        out.display()
    );
    let stop = signals::stop_flag()?;
    let begun = Instant::now();
    let mut status = StatusLine::new();
    let mut progress = |learned: &Correlations| {
        status.show(|| {
            let (seconds, formulas) = (begun.elapsed().as_secs(), counted(learned.formulas, "formula"));
            format!("{seconds} s: {formulas}, {}", counted(learned.runs, "run"))
        });
    };
    let ended = learn_into(&out, &plan, &mut learned, &stop, &mut progress);
    status.clear();
    ended?;
    println!(
        "Tried {} in {} and found {} of operation and option. To see them: `elenchus learn show {}`",
        counted(learned.formulas, "formula"),
        counted(learned.runs, "run"),
        counted(correlated(&learned, 0.0).len(), "correlated pair"),
        out.display()
    );
    Ok(Exit::Clean)
}
