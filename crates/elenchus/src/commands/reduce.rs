//! `elenchus reduce`: finds the smallest script that still shows the bug.

use crate::commands::findings::print_findings;
use crate::commands::subject::SubjectArgs;
use crate::commands::triage_steps::show_step;
use crate::context::Context;
use crate::outcome::{Exit, Failure, Outcome};
use crate::print::{self, StatusLine};
use crate::signals;
use campaign::config::milliseconds;
use campaign::place::Place;
use case::files::read_text;
use case::table::counted;
use clap::Args;
use reduce::Cost;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use store::{Store, Touched};
use triage::automatic::{record_reduced, reduce_all};
use triage::predicate::CommandRules;
use triage::{
    BackgroundReduction, REDUCED, ReductionPlan, ReductionSettings, SavedReduction, Version, plan_by_command,
    plan_reduction, reduce_and_save, size_text, untyped_note,
};

/// Arguments of `elenchus reduce`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus reduce bug.smt2 --keep 'z3@4.8.10 says unsat, cvc5 says sat'
  elenchus reduce crash.smt2 --keep 'z3@4.8.7 crashes'
  elenchus reduce bug.smt2 --cmd './check.sh'      exit code and output must stay the same
  elenchus reduce slow.smt2 --keep 'z3 is slow, cvc5 is fast'
  elenchus reduce wrong-unsat-3f9a                 a finding of a campaign
  elenchus reduce --all --time 1m                  all findings, each for up to a minute

Prints the smallest script. The best script so far is always in FILE.reduced.smt2 (or --output, or the folder of the finding). \
Ctrl-C stops and prints it. A smaller result of an earlier run is kept, if it still shows the bug.

Exit code: 0 when done, 1 when stopped early, 2 if the script does not show the bug.")]
pub struct ReduceArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    /// Reduce every finding of the campaign that is not reduced, and merge those of one bug
    #[arg(long, conflicts_with_all = ["subject", "predicate", "cmd", "output", "cold"])]
    all: bool,
    /// Command that tests candidates instead; it gets the path of a candidate as its last argument
    #[arg(long, value_name = "COMMAND", conflicts_with = "predicate")]
    cmd: Option<String>,
    /// With --cmd: compare only the exit code
    #[arg(long, requires = "cmd")]
    ignore_output: bool,
    /// With --cmd: the output must contain TEXT, and may change otherwise
    #[arg(long, value_name = "TEXT", requires = "cmd")]
    r#match: Option<String>,
    /// File for the best script
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Number of candidates to test in parallel [default: one per processor]
    #[arg(long, short, value_name = "N")]
    jobs: Option<usize>,
    /// Stop after this time with the best script so far, such as 30s or 5m [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    time: Option<u64>,
    /// Start a fresh process for every test
    #[arg(long)]
    cold: bool,
    /// Print a JSON object with sizes and counts instead of the script
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus reduce`.
pub fn run(args: ReduceArgs) -> Outcome {
    if args.all {
        return reduce_findings(&args);
    }
    let begun = Instant::now();
    let until = args.time.map(|time| begun + Duration::from_millis(time));
    let stop = Arc::default();
    signals::stop_once(&stop)?;
    let reduction = Arc::new(BackgroundReduction::new(stop, begun, until));
    let json = args.json;
    let mut line = StatusLine::new();
    let reduced =
        reduction.follow(move |reduction| reduce(&args, reduction), |doing| line.show(|| doing.to_owned()));
    line.clear();
    let reduced = reduced?;
    let SavedReduction { script, model, output, from, counts, stopped, note } = &reduced;
    let to = Cost::of(script);
    if json {
        println!(
            "{}",
            serde_json::json!({
                "from_bytes": from.bytes, "to_bytes": to.bytes, "tests": counts.tests,
                "refuted_by_model": counts.refuted, "accepted": counts.accepted,
                "seconds": begun.elapsed().as_secs_f64(), "stopped": stopped,
                "typed": untyped_note(script).is_none(), "output": output.display().to_string(),
                "script": script, "model": model,
            })
        );
    } else {
        print!("{script}");
    }
    eprintln!(
        "{} -> {} in {:.1} s: {}, {} ruled out by the known model; saved in {}",
        size_text(from.bytes),
        size_text(to.bytes),
        begun.elapsed().as_secs_f64(),
        counted(counts.tests, "test"),
        counted(counts.refuted, "candidate"),
        output.display()
    );
    if let Some(note) = note {
        eprintln!("note: {note}");
    }
    if *stopped {
        eprintln!("stopped early; this is the best script so far");
    }
    Ok(if *stopped { Exit::Found } else { Exit::Clean })
}

/// Reduces all findings of a campaign.
fn reduce_findings(args: &ReduceArgs) -> Outcome {
    let stop = signals::stop_flag()?;
    let mut place = args.subject.open()?;
    let context = Context::of_campaign(place.path())?.cancelled_by(&stop);
    let mut store = Store::open_existing(place.path())?;
    place.begin_work()?;
    let stopped = || stop.load(Ordering::Relaxed);
    let time = args.time.map_or(Duration::MAX, Duration::from_millis);
    let ended = reduce_all(&mut store, args.subject.limits(), time, &context, &stopped, &mut show_step);
    place.push(Touched::All)?;
    ended?;
    print_findings(&store, args.json)?;
    Ok(if stopped() { Exit::Found } else { Exit::Clean })
}

/// Reduces the script of the arguments, and saves the result.
fn reduce(args: &ReduceArgs, reduction: &BackgroundReduction) -> Result<SavedReduction, Failure> {
    let mut place = args.subject.open()?;
    let context = Context::of_campaign(place.path())?;
    let Planned { plan, output, finding } = plan(args, &place, &context, reduction)?;
    if let Some(note) = untyped_note(&plan.script) {
        print_above(&format!("note: {note}"));
    }
    print_above(&plan.basis);
    reduction.begin(Cost::of(&plan.script));
    if finding.is_some() {
        place.begin_work()?;
    }
    let reduced = reduce_and_save(plan, args.output.clone().unwrap_or(output), reduction)?;
    // The list shows what the finding itself claims, in its own folder.
    if let Some(id) = finding.filter(|_| args.output.is_none() && args.subject.predicate.is_none()) {
        let mut store = Store::open_existing(place.path())?;
        record_reduced(&mut store, &id, !reduced.stopped, args.subject.limits(), &context)?;
        place.push(Touched::Findings(&[id]))?;
    }
    Ok(reduced)
}

/// Prints a line above the progress.
fn print_above(line: &str) {
    print::status("");
    eprintln!("{line}");
}

/// A reduction, the usual file for the best script, and the finding that the script belongs to.
struct Planned {
    plan: ReductionPlan,
    output: PathBuf,
    finding: Option<String>,
}

fn plan(
    args: &ReduceArgs,
    place: &Place,
    context: &Context,
    reduction: &BackgroundReduction,
) -> Result<Planned, Failure> {
    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let settings = ReductionSettings { jobs: jobs.max(1), cold: args.cold, limits: args.subject.limits() };
    let path = Path::new(args.subject.name()?);
    let beside = path.with_extension("reduced.smt2");
    if let Some(command) = &args.cmd {
        let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        let rules = CommandRules { ignore_output: args.ignore_output, matching: args.r#match.clone() };
        reduction.say("running the command on the whole script");
        let plan = plan_by_command(read_text(path)?, &words, &rules, settings)?;
        return Ok(Planned { plan, output: beside, finding: None });
    }
    let subject = args.subject.read(place, Version::Case)?;
    // Installations show their own progress.
    subject.clauses(context)?;
    reduction.say("testing whether the whole script shows the bug");
    let plan = plan_reduction(&subject, settings, context)?;
    let output = subject.folder().map_or(beside, |folder| folder.join(REDUCED));
    Ok(Planned { plan, output, finding: subject.finding.map(|stored| stored.listed.id) })
}
