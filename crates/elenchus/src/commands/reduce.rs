//! `elenchus reduce`: finds the smallest script that still shows the bug.

use crate::commands::subject::SubjectArgs;
use crate::context::Context;
use crate::files::{read_text, replace};
use crate::outcome::{Exit, Failure, Outcome};
use crate::signals;
use case::table::counted;
use clap::Args;
use reduce::{Abort, Progress, Watcher};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use triage::predicate::CommandRules;
use triage::{
    REDUCED, ReductionPlan, ReductionSettings, Version, plan_by_command, plan_reduction, untyped_note,
};

/// Arguments of `elenchus reduce`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus reduce bug.smt2 --keep 'z3@4.8.10 says unsat, cvc5 says sat'
  elenchus reduce crash.smt2 --keep 'z3@4.8.7 crashes'
  elenchus reduce bug.smt2 --cmd './check.sh'      exit code and output must stay the same
  elenchus reduce slow.smt2 --keep 'z3 is slow, cvc5 is fast'
  elenchus reduce wrong-unsat-3f9a                 a finding of a campaign

Prints the smallest script. The best script so far is always in FILE.reduced.smt2 (or --output, or the folder of the finding). \
Ctrl-C stops and prints it.

Exit code: 0 when done, 1 when stopped early, 2 if the script does not show the bug.")]
pub struct ReduceArgs {
    #[command(flatten)]
    subject: SubjectArgs,
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
    /// Start a fresh process for every test
    #[arg(long)]
    cold: bool,
    /// Print a JSON object with sizes and counts instead of the script
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus reduce`.
pub fn run(args: ReduceArgs) -> Outcome {
    let jobs =
        args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1);
    let stop = signals::stop_flag()?;
    let begun = Instant::now();
    let (mut plan, output) = plan(&args, jobs)?;
    if let Some(note) = untyped_note(&plan.script) {
        eprintln!("note: {note}");
    }
    eprintln!("{}", plan.basis);
    let mut saver =
        Saver { output: output.clone(), confirm: plan.confirm, stop, shown: Instant::now(), drawn: false };
    let outcome = reduce::reduce(&plan.script, plan.model, &mut plan.testers, &mut saver);
    saver.clear();
    // Stopping a solver takes a moment, so all stop at the same time.
    std::thread::scope(|scope| {
        for tester in plan.testers.drain(..) {
            scope.spawn(move || drop(tester));
        }
    });
    if let Some(Abort(reason)) = &outcome.aborted {
        return Err(
            Failure::new(reason.clone()).hint(format!("the best script so far is in {}", output.display()))
        );
    }
    replace(&output, &outcome.script)?;
    let (from, to) = outcome.cost;
    if args.json {
        println!(
            "{}",
            serde_json::json!({
                "from_bytes": from.bytes, "to_bytes": to.bytes, "tests": outcome.counts.tests,
                "refuted_by_model": outcome.counts.refuted, "accepted": outcome.counts.accepted,
                "seconds": begun.elapsed().as_secs_f64(), "stopped": outcome.stopped,
                "typed": outcome.typed, "output": output.display().to_string(),
                "script": outcome.script, "model": outcome.model,
            })
        );
    } else {
        print!("{}", outcome.script);
    }
    eprintln!(
        "{} -> {} in {:.1} s: {}, {} ruled out by the known model; saved in {}",
        bytes(from.bytes),
        bytes(to.bytes),
        begun.elapsed().as_secs_f64(),
        counted(outcome.counts.tests, "test"),
        counted(outcome.counts.refuted, "candidate"),
        output.display()
    );
    if outcome.stopped {
        eprintln!("stopped early; this is the best script so far");
    }
    Ok(if outcome.stopped { Exit::Found } else { Exit::Clean })
}

/// The reduction and the file for the best script.
fn plan(args: &ReduceArgs, jobs: usize) -> Result<(ReductionPlan, PathBuf), Failure> {
    let settings = ReductionSettings { jobs, cold: args.cold, limits: args.subject.limits() };
    let path = Path::new(&args.subject.subject);
    let (plan, output) = match &args.cmd {
        Some(command) => {
            let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
            let rules = CommandRules { ignore_output: args.ignore_output, matching: args.r#match.clone() };
            (plan_by_command(read_text(path)?, &words, &rules, settings)?, beside(path))
        }
        None => {
            let subject = args.subject.read(Version::Case)?;
            let output = subject.folder().map_or_else(|| beside(path), |folder| folder.join(REDUCED));
            (plan_reduction(&subject, settings, &Context::new()?)?, output)
        }
    };
    Ok((plan, args.output.clone().unwrap_or(output)))
}

fn beside(path: &Path) -> PathBuf {
    path.with_extension("reduced.smt2")
}

/// Saves the best script, shows progress, and confirms in fresh processes.
struct Saver {
    output: PathBuf,
    confirm: triage::Confirm,
    stop: Arc<AtomicBool>,
    shown: Instant,
    drawn: bool,
}

impl Saver {
    fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            eprint!("\r\x1b[K");
        }
    }
}

impl Watcher for Saver {
    fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn progress(&mut self, progress: &Progress<'_>) {
        if !std::io::stderr().is_terminal() || self.shown.elapsed() < Duration::from_millis(150) {
            return;
        }
        self.shown = Instant::now();
        self.drawn = true;
        let (from, now) = (bytes(progress.from.bytes), bytes(progress.now.bytes));
        eprint!("\r\x1b[K{from} -> {now}, {}, {}", counted(progress.counts.tests, "test"), progress.pass);
    }

    fn improved(&mut self, script: &str, _: Option<&str>) -> Result<(), Abort> {
        replace(&self.output, script).map_err(|failure| Abort(failure.message))
    }

    fn confirm(&mut self, script: &str) -> Result<bool, Abort> {
        (self.confirm)(script)
    }
}

/// A size for people.
fn bytes(count: usize) -> String {
    if count < 10_000 { format!("{count} B") } else { format!("{} kB", count / 1000) }
}
