//! `elenchus reduce`: the smallest script that still shows what is wrong.

use crate::commands::model::read_text;
use crate::commands::solve::run_failure;
use crate::commands::subject::{Subject, SubjectArgs};
use crate::outcome::{Exit, Failure, Outcome};
use clap::Args;
use reduce::{Abort, Need, Progress, Tester, Watcher};
use solver::run::{Limits, RunSettings};
use solver::{Answer, RunMode, RunRequest, runner};
use std::io::{IsTerminal, Write};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use triage::predicate::{
    Basis, Claim, CommandRules, CommandTester, Established, Plain, Predicate, SolverTester, Times,
    command_target, test_limit, warmed,
};

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
            .map_err(|error| Failure::new(format!("signals cannot be watched: {error}")))?;
    }
    let begun = Instant::now();
    let mut plan = match &args.cmd {
        Some(command) => by_command(&args, command, jobs)?,
        None => by_claims(&args, jobs)?,
    };
    if let Some(note) = unread(&plan.script) {
        eprintln!("note: {note}");
    }
    eprintln!("{}", plan.basis);
    let mut keeper = Keeper {
        output: plan.output.clone(),
        confirm: plan.confirm,
        stop,
        shown: Instant::now(),
        drawn: false,
    };
    let outcome = reduce::reduce(&plan.script, plan.model, &mut plan.testers, &mut keeper);
    keeper.clear();
    // Every solver takes a moment to go, and none has to wait for another.
    std::thread::scope(|scope| {
        for tester in plan.testers.drain(..) {
            scope.spawn(move || drop(tester));
        }
    });
    if let Some(Abort(reason)) = &outcome.aborted {
        return Err(
            Failure::new(reason.clone()).hint(format!("the best so far is in {}", plan.output.display()))
        );
    }
    write_whole(&plan.output, &outcome.script).map_err(|Abort(reason)| Failure::new(reason))?;
    let (from, to) = outcome.cost;
    if args.json {
        println!(
            "{}",
            serde_json::json!({
                "from_bytes": from.bytes, "to_bytes": to.bytes, "tests": outcome.counts.tests,
                "refuted_by_model": outcome.counts.refuted, "accepted": outcome.counts.accepted,
                "seconds": begun.elapsed().as_secs_f64(), "stopped": outcome.stopped,
                "typed": outcome.typed, "output": plan.output.display().to_string(),
                "script": outcome.script, "model": outcome.model,
            })
        );
    } else {
        print!("{}", outcome.script);
    }
    eprintln!(
        "{} -> {} in {:.1} s: {} tests, {} candidates refused by the model in hand; kept in {}",
        bytes(from.bytes),
        bytes(to.bytes),
        begun.elapsed().as_secs_f64(),
        outcome.counts.tests,
        outcome.counts.refuted,
        plan.output.display()
    );
    if outcome.stopped {
        eprintln!("stopped early: this is the best so far");
    }
    Ok(if outcome.stopped { Exit::Found } else { Exit::Clean })
}

/// Asks about a script in fresh processes.
type Confirm = Box<dyn FnMut(&str) -> Result<bool, Abort>>;

/// Everything that a reduction needs.
struct Plan {
    script: String,
    model: Option<String>,
    basis: String,
    testers: Vec<Box<dyn Tester>>,
    confirm: Confirm,
    output: PathBuf,
}

fn by_claims(args: &ReduceArgs, jobs: usize) -> Result<Plan, Failure> {
    let subject = args.subject.read(false)?;
    let limits = args.subject.limits()?;
    let clauses = subject.clauses()?;
    let slow = clauses.iter().any(|(clause, _)| matches!(clause.claim, Claim::Slow(_)));
    let mode = if args.cold || slow { RunMode::OneShot } else { RunMode::Fork };
    let (established, warmed) = std::thread::scope(|scope| {
        // What the testers need is started beside the first runs.
        let warmed =
            (mode == RunMode::Fork).then(|| scope.spawn(|| warmed(&subject.script, &clauses, limits)));
        let established = subject.establish(&clauses, limits);
        let joined = warmed.map(|warmed| warmed.join().unwrap_or_else(|panic| resume_unwind(panic)));
        (established, joined)
    });
    let (established, warmed) = (established?, warmed.transpose().map_err(run_failure)?);
    let says = |answer| clauses.iter().any(|(clause, _)| clause.claim == Claim::Says(answer));
    if established.basis == Basis::Answers
        && subject.finding.is_some()
        && !(says(Answer::Sat) && says(Answer::Unsat))
    {
        return Err(Failure::new(format!(
            "nothing shows any more that it is wrong that {}",
            subject.predicate
        ))
        .hint("name a solver that says otherwise with --keep 'A says unsat, B says sat'"));
    }
    let refuted = matches!(established.basis, Basis::RefutedModel { .. });
    let mut testers: Vec<Box<dyn Tester>> = Vec::with_capacity(jobs);
    if let Some(warmed) = warmed {
        testers.push(Box::new(SolverTester::with_warmed(&established.participants, warmed, refuted)));
    }
    while testers.len() < jobs {
        testers.push(Box::new(
            SolverTester::new(&established.participants, mode, refuted).map_err(run_failure)?,
        ));
    }
    let mut plain = Plain::new(&established.participants, limits, refuted).map_err(run_failure)?;
    let confirm = Box::new(move |script: &str| plain.confirms(script));
    let (model, basis) = match established.basis {
        Basis::Model { model, from } => {
            (Some(model), format!("the model of {from} satisfies the script by our own evaluation"))
        }
        Basis::RefutedModel { by, .. } => {
            (None, format!("the model of {by} is refuted by our own evaluation"))
        }
        Basis::Core(found) => {
            (None, format!("the model of {} satisfies the core by our own evaluation", found.from))
        }
        Basis::Itself => (None, format!("shown: {}", subject.predicate)),
        Basis::Times(times) => (None, told(&subject.predicate, &times)),
        Basis::Answers => (None, "nothing but the answers tells who is wrong".to_owned()),
    };
    let output = args.output.clone().unwrap_or_else(|| place_for(&subject, &args.subject.subject));
    Ok(Plan { script: subject.script, model, basis, testers, confirm, output })
}

/// What was measured, and what candidates have to show.
fn told(predicate: &Predicate, times: &Times) -> String {
    let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
    format!(
        "shown: {predicate}: {} of CPU time against {}; a candidate has to take at least {}, and at most {} with the others",
        seconds(times.slow),
        seconds(times.fast),
        seconds(times.at_least),
        seconds(times.at_most)
    )
}

fn by_command(args: &ReduceArgs, command: &str, jobs: usize) -> Result<Plan, Failure> {
    let path = Path::new(&args.subject.subject);
    let script = read_text(path)?;
    let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    let mut target = command_target(&words)
        .ok_or_else(|| Failure::new("the command is empty").hint("give a program, as in --cmd ./check.sh"))?;
    // Commands are run in a folder of their own.
    if target.program.components().count() > 1
        && let Ok(absolute) = std::path::absolute(&target.program)
    {
        target.program = absolute;
    }
    let limits = args.subject.limits()?;
    let rules = CommandRules { ignore_output: args.ignore_output, matching: args.r#match.clone() };
    let once = || {
        runner(&target, RunMode::OneShot, &RunSettings::default())
            .and_then(|mut runner| runner.run(&RunRequest::new(&script).limits(limits)))
            .map_err(run_failure)
    };
    let (first, second) = (once()?, once()?);
    if !CommandTester::same(&rules, &first, &second) {
        return Err(Failure::new("two runs of the command on the same script differ").hint(
            "compare only the exit code with --ignore-output, or a part of the output with --match TEXT",
        ));
    }
    let wall = test_limit(first.wall.max(second.wall), limits.wall);
    let tester = |limits: Limits| {
        CommandTester::new(&target, limits, rules.clone(), first.clone()).map_err(run_failure)
    };
    let mut testers: Vec<Box<dyn Tester>> = Vec::with_capacity(jobs);
    for _ in 0..jobs {
        testers.push(Box::new(tester(Limits { wall, ..limits })?));
    }
    let mut cold = tester(limits)?;
    let confirm = Box::new(move |script: &str| Ok(cold.test(script, Need::Everything)?.is_some()));
    let output = args.output.clone().unwrap_or_else(|| beside(path));
    let basis = format!("to be kept: exit {:?} of {command}", first.exit);
    Ok(Plan { script, model: None, basis, testers, confirm, output })
}

/// Reduces what was established for a while, in this thread alone.
pub fn reduced_quickly(
    script: &str,
    established: &Established,
    patience: Duration,
) -> Result<String, Failure> {
    let refuted = matches!(established.basis, Basis::RefutedModel { .. });
    let tester = SolverTester::new(&established.participants, RunMode::Fork, refuted).map_err(run_failure)?;
    let mut testers: Vec<Box<dyn Tester>> = vec![Box::new(tester)];
    let plain = Plain::new(&established.participants, Limits::default(), refuted).map_err(run_failure)?;
    let mut hurried = Hurried { until: Instant::now() + patience, plain };
    let model = match &established.basis {
        Basis::Model { model, .. } => Some(model.clone()),
        _ => None,
    };
    let outcome = reduce::reduce(script, model, &mut testers, &mut hurried);
    match outcome.aborted {
        Some(Abort(reason)) => Err(Failure::new(reason)),
        None => Ok(outcome.script),
    }
}

/// Stops when the time is over.
struct Hurried {
    until: Instant,
    plain: Plain,
}

impl Watcher for Hurried {
    fn should_stop(&self) -> bool {
        Instant::now() >= self.until
    }

    fn improved(&mut self, _: &str, _: Option<&str>) -> Result<(), Abort> {
        Ok(())
    }

    fn confirm(&mut self, script: &str) -> Result<bool, Abort> {
        self.plain.confirms(script)
    }
}

/// Where the best script goes: the folder of a finding, or beside the file.
fn place_for(subject: &Subject, named: &str) -> PathBuf {
    match &subject.finding {
        Some((_, _, folder)) => folder.join("reduced.smt2"),
        None => beside(Path::new(named)),
    }
}

fn beside(path: &Path) -> PathBuf {
    path.with_extension("reduced.smt2")
}

/// Why a script is changed as plain text only, if it is.
fn unread(script: &str) -> Option<String> {
    let mut arena = smt::Arena::default();
    let errors = smt::parse_script(&mut arena, script).err()?;
    let first = errors.first()?;
    let (line, _) = first.position(script);
    Some(format!(
        "the script is changed as plain text, without types, since our reader does not take it (line {line}: {})",
        first.message
    ))
}

/// Keeps the best script on disk, shows how it goes, and asks fresh processes.
struct Keeper {
    output: PathBuf,
    confirm: Confirm,
    stop: Arc<AtomicBool>,
    shown: Instant,
    drawn: bool,
}

impl Keeper {
    fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            eprint!("\r\x1b[K");
        }
    }
}

impl Watcher for Keeper {
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

/// Writes a file so that it is there whole or not at all.
fn write_whole(path: &Path, text: &str) -> Result<(), Abort> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let building = path.with_file_name(format!(".{name}.unfinished"));
    let written = std::fs::File::create(&building)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_data()))
        .and_then(|()| std::fs::rename(&building, path));
    written.map_err(|error| Abort(format!("{} cannot be written: {error}", path.display())))
}

/// A number of bytes for people.
fn bytes(count: usize) -> String {
    if count < 10_000 { format!("{count} B") } else { format!("{} kB", count / 1000) }
}
