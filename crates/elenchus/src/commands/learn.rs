//! `elenchus learn`: which options of a solver matter to which operations.

use crate::commands::fuzz::spaces_of;
use crate::commands::fuzz_config::milliseconds;
use crate::commands::learn_show::{self, ShowArgs};
use crate::commands::solve::target;
use crate::outcome::{Exit, Failure, Outcome};
use clap::{Args, Subcommand};
use falcon::learn::{Correlations, CorrelationsError, LearnError, LearnPlan, learn};
use smt::Signatures;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use strategies::grammar::operations;

/// Arguments of `elenchus learn`.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  elenchus learn --solver z3@5.4.0 --time 2h                 learn, and go on learning when called again
  elenchus learn --solver z3@5.4.0 --operation str.len,bvadd,get-unsat-core --time 5m
  elenchus learn show z3@5.4.0.correlations.json             the correlations as a heat map
  elenchus learn show FILE --html map.html --min 0.5
  elenchus learn merge all.json one.json two.json            what several machines learned
  elenchus fuzz --solver z3@5.4.0 --strategy grammar --correlations z3@5.4.0.correlations.json --guided

Makes formulas of one to four operations, changes one option after the other, and notes what then differs: the answer, the functions of
the solver that are run, or the time. What is gone when an operation is left out was due to that operation. What is refused is a
conflict, not an effect. The file is for one release; it is written after every formula, so that Ctrl-C loses nothing."
)]
pub struct LearnArgs {
    #[command(subcommand)]
    action: Option<Action>,
    /// The solver: NAME, NAME@RELEASE or a path
    #[arg(long, short, value_name = "SOLVER")]
    solver: Option<String>,
    /// How long, such as 10m or 2h
    #[arg(long, default_value = "10m", value_parser = milliseconds)]
    time: u64,
    /// The file to write; one that is there is gone on with [default: RELEASE.correlations.json]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Only this operation, such as bvadd or get-unsat-core; may be repeated
    #[arg(long = "operation", value_name = "NAME", value_delimiter = ',')]
    operations: Vec<String>,
    /// Only options whose name contains this; may be repeated
    #[arg(long = "option", value_name = "TEXT", value_delimiter = ',')]
    options: Vec<String>,
    /// The number from which all random choices follow
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
}

#[derive(Subcommand)]
enum Action {
    /// Show what was learned
    Show(ShowArgs),
    /// Put together what was learned about one release
    Merge {
        /// The file to write
        out: PathBuf,
        /// The files to read
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

/// Runs `elenchus learn`.
pub fn run(args: LearnArgs) -> Outcome {
    match args.action {
        Some(Action::Show(args)) => learn_show::run(args),
        Some(Action::Merge { out, files }) => merge(&out, &files),
        None => {
            let solver = args.solver.clone().ok_or_else(|| {
                Failure::new("no solver is named")
                    .hint("name one: elenchus learn --solver z3@5.4.0 --time 10m")
            })?;
            learn_about(&solver, args)
        }
    }
}

/// An error of a file of correlations as the failure of a command.
pub fn correlations_failure(error: CorrelationsError) -> Failure {
    let hint = match &error {
        CorrelationsError::Io(..) => "check the path and its permissions",
        CorrelationsError::Invalid(..) => "learn again into a new file: elenchus learn --out FILE",
        CorrelationsError::Other { .. } => {
            "correlations hold for one release; learn about the other one on its own"
        }
    };
    Failure::new(error.to_string()).hint(hint)
}

fn merge(out: &Path, files: &[PathBuf]) -> Outcome {
    let mut all: Option<Correlations> = None;
    for file in files {
        let read = Correlations::read(file).map_err(correlations_failure)?;
        match &mut all {
            Some(all) => all.merge(&read).map_err(correlations_failure)?,
            none => *none = Some(read),
        }
    }
    if let Some(all) = all {
        all.write(out).map_err(correlations_failure)?;
        println!("{}: {} formulas about {}", out.display(), all.formulas, all.solver);
    }
    Ok(Exit::Clean)
}

fn learn_about(spec: &str, args: LearnArgs) -> Outcome {
    let target = target(spec)?;
    let all = spaces_of(std::slice::from_ref(&target))?.pop().unwrap_or_default();
    let wanted =
        |name: &str| args.options.is_empty() || args.options.iter().any(|part| name.contains(part.as_str()));
    let space = all.restricted(|knob| wanted(&knob.name));
    if space.knobs.is_empty() {
        return Err(Failure::new(format!("{} has no such option that keeps the question", target.id))
            .hint(format!("see its options: elenchus solver options {}", target.id)));
    }
    let theories = target.profile.at(&target.version).theories;
    let known = operations(&Signatures::standard(), Some(&target.name), &theories);
    if let Some(unknown) = args.operations.iter().find(|name| !known.contains(name)) {
        return Err(Failure::new(format!("{} has no operation {unknown}", target.id))
            .hint("operations are operators of SMT-LIB, forall, exists, push, pop and the get- commands"));
    }
    let out = args.out.unwrap_or_else(|| format!("{}.correlations.json", target.id.replace('/', "_")).into());
    let mut learned = if out.exists() {
        let learned = Correlations::read(&out).map_err(correlations_failure)?;
        if learned.solver != target.id {
            let (found, wanted) = (learned.solver, target.id);
            return Err(correlations_failure(CorrelationsError::Other { found, wanted }));
        }
        learned
    } else {
        Correlations::new(&target.id)
    };
    let plan = LearnPlan {
        target: &target,
        operations: if args.operations.is_empty() { known } else { args.operations },
        space,
        time: Duration::from_millis(args.time),
        seed: args.seed,
    };
    eprintln!(
        "learning about {}: {} operations, {} options; the file is {}",
        target.id,
        plan.operations.len(),
        plan.space.knobs.len(),
        out.display()
    );
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, stop.clone())
            .map_err(|error| Failure::new(format!("signals cannot be handled: {error}")))?;
    }
    let begun = Instant::now();
    let mut failed = None;
    let mut told = Instant::now();
    let every = Duration::from_millis(if std::io::stderr().is_terminal() { 500 } else { 10_000 });
    let mut tell = |learned: &Correlations| {
        if let Err(error) = learned.write(&out) {
            failed = Some(error);
        }
        if told.elapsed() >= every {
            told = Instant::now();
            let end = if std::io::stderr().is_terminal() { "\r" } else { "\n" };
            let line = format!(
                "{} s: {} formulas, {} runs",
                begun.elapsed().as_secs(),
                learned.formulas,
                learned.runs
            );
            let _ = write!(std::io::stderr(), "{line}{end}");
        }
    };
    let ended = learn(&plan, &mut learned, &stop, &mut tell);
    if let Some(error) = failed {
        return Err(correlations_failure(error));
    }
    ended.map_err(|error| match error {
        LearnError::Cover(error) => Failure::new(error.to_string()).hint(error.hint()),
        LearnError::Run(error) => error.into(),
    })?;
    learned.write(&out).map_err(correlations_failure)?;
    let pairs = learn_show::correlated(&learned, 0.0).len();
    println!(
        "{}: {} formulas in {} runs; {pairs} pairs of operation and option correlate. `elenchus learn show {}` shows them.",
        out.display(),
        learned.formulas,
        learned.runs,
        out.display()
    );
    Ok(Exit::Clean)
}
