//! `elenchus reduce`: the smallest script that still shows what is wrong.

use crate::commands::subject::SubjectArgs;
use crate::context::Context;
use crate::files::read_text;
use crate::outcome::{Exit, Failure, Outcome};
use clap::Args;
use reduce::{Abort, Progress, Watcher};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use triage::predicate::CommandRules;
use triage::{REDUCED, ReductionPlan, ReductionSettings, Version, plan_by_command, plan_reduction};

/// Arguments of `elenchus reduce`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus reduce bug.smt2 --keep 'z3@4.8.10 says unsat, cvc5 says sat'
  elenchus reduce crash.smt2 --keep 'z3@4.8.7 crashes'
  elenchus reduce bug.smt2 --cmd './check.sh'      exit code and output must stay as they are
  elenchus reduce slow.smt2 --keep 'z3 is slow, cvc5 is fast'
  elenchus reduce wrong-unsat-3f9a                 a finding of a campaign

The smallest script is printed, and kept in FILE.reduced.smt2 (or --output, or the folder of the finding) from the first
success on: whatever happens, the best so far is there. Ctrl-C stops and prints it.

Exit code: 0 when it is done, 1 when it was stopped early, 2 when the script does not show the bug.")]
pub struct ReduceArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    /// A command that decides instead: it is run with the path of a candidate as its last argument
    #[arg(long, value_name = "COMMAND", conflicts_with = "predicate")]
    cmd: Option<String>,
    /// With --cmd: only the exit code has to stay the same
    #[arg(long, requires = "cmd")]
    ignore_output: bool,
    /// With --cmd: the output has to hold this text, and may change otherwise
    #[arg(long, value_name = "TEXT", requires = "cmd")]
    r#match: Option<String>,
    /// Where the best script is kept
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How many candidates are tested at once
    #[arg(long, short, value_name = "N")]
    jobs: Option<usize>,
    /// Start a fresh process for every test
    #[arg(long)]
    cold: bool,
    /// Print one JSON object with sizes and counts instead of the script
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus reduce`.
pub fn run(args: ReduceArgs) -> Outcome {
    let jobs =
        args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1);
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, stop.clone())
            .map_err(|error| Failure::new(format!("cannot handle signals: {error}")))?;
    }
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
        return Err(Failure::new(reason.clone()).hint(format!("the best so far is in {}", output.display())));
    }
    write_whole(&output, &outcome.script).map_err(|Abort(reason)| Failure::new(reason))?;
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
        "{} -> {} in {:.1} s: {} tests, {} candidates ruled out by the known model; saved in {}",
        bytes(from.bytes),
        bytes(to.bytes),
        begun.elapsed().as_secs_f64(),
        outcome.counts.tests,
        outcome.counts.refuted,
        output.display()
    );
    if outcome.stopped {
        eprintln!("stopped early: this is the best so far");
    }
    Ok(if outcome.stopped { Exit::Found } else { Exit::Clean })
}

/// The reduction and the file for the best script.
fn plan(args: &ReduceArgs, jobs: usize) -> Result<(ReductionPlan, PathBuf), Failure> {
    let settings = ReductionSettings { jobs, cold: args.cold, limits: args.subject.limits()? };
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

/// Why a script is reduced as plain text, if it is.
fn untyped_note(script: &str) -> Option<String> {
    let mut arena = smt::Arena::default();
    let errors = smt::parse_script(&mut arena, script).err()?;
    let first = errors.first()?;
    let (line, _) = first.position(script);
    Some(format!(
        "the script is reduced as plain text, because our parser rejects it (line {line}: {})",
        first.message
    ))
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
        eprint!("\r\x1b[K{from} -> {now}, {} tests, {}", progress.counts.tests, progress.pass);
    }

    fn improved(&mut self, script: &str, _: Option<&str>) -> Result<(), Abort> {
        write_whole(&self.output, script)
    }

    fn confirm(&mut self, script: &str) -> Result<bool, Abort> {
        (self.confirm)(script)
    }
}

/// Writes a file completely or not at all.
fn write_whole(path: &Path, text: &str) -> Result<(), Abort> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let building = path.with_file_name(format!(".{name}.unfinished"));
    let written = std::fs::File::create(&building)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_data()))
        .and_then(|()| std::fs::rename(&building, path));
    written.map_err(|error| Abort(format!("cannot write {}: {error}", path.display())))
}

/// A size for people.
fn bytes(count: usize) -> String {
    if count < 10_000 { format!("{count} B") } else { format!("{} kB", count / 1000) }
}
