//! Misbehaving solvers: each must give the right observation, and nothing may be left behind.
//!
//! This program is its own solver (see `solvers`), so it has no test harness: `ELENCHUS_MISBEHAVE=NAME` makes it a solver.

mod solvers;
mod traces;

use solver::run::{Exit, Limits, RunSettings};
use solver::{Observation, Outcome, Profile, RunMode, RunRequest, Target, runner};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use traces::Traces;

/// The number of runs, after which we count what is left behind.
const RUNS: usize = 10_000;

const SCRIPT: &str = "(check-sat)\n";

fn target(solver: &str) -> Target {
    let profile = "name = \"misbehaving\"\n[start]\nfile = [\"{file}\"]\nstdin = [\"-\"]\n[session]\nkeeps = \"none\"\n\
                   prepare = \"(ready)\"\n\
                   [incremental]\n[fork]\nstop = \"open\"\n";
    Target {
        env: vec![(solvers::MARK.to_owned(), solver.to_owned())],
        ..Target::executable(
            solver,
            std::env::current_exe().expect("the path of this program is known"),
            Arc::new(Profile::parse(profile).expect("the profile is valid")),
        )
    }
}

fn limits() -> Limits {
    Limits {
        wall: Duration::from_secs(20),
        memory: 96 << 20,
        output: 200_000,
        file: 1 << 20,
        ..Limits::default()
    }
}

fn hasty() -> Limits {
    Limits { wall: Duration::from_millis(30), ..limits() }
}

/// A solver, its limits, whether an observation is right, and its share of the runs.
struct Case {
    solver: &'static str,
    limits: Limits,
    right: fn(&Observation) -> bool,
    share: usize,
}

fn cases() -> Vec<Case> {
    let answered = |o: &Observation| o.outcome == Outcome::Answered && o.answers.len() == 1;
    vec![
        Case {
            solver: "ignores-sigterm",
            limits: hasty(),
            right: |o| o.outcome == Outcome::Timeout,
            share: 4,
        },
        Case {
            solver: "leaves-children",
            limits: limits(),
            right: |o| o.answers.len() == 1 && o.orphans > 0,
            share: 10,
        },
        Case {
            solver: "eats-memory",
            limits: limits(),
            right: |o| o.outcome == Outcome::OutOfMemory,
            share: 4,
        },
        Case {
            solver: "prints-endlessly",
            limits: limits(),
            right: |o| o.outcome == Outcome::OutputLimit && o.truncated && o.stdout.len() == 200_000,
            share: 10,
        },
        Case {
            solver: "never-flushes-line",
            limits: hasty(),
            right: |o| o.outcome == Outcome::Timeout && o.answers.is_empty(),
            share: 4,
        },
        // A second run, with the preloaded library, says where it died.
        Case {
            solver: "segfaults-in-function",
            limits: limits(),
            right: |o| {
                let signature = o.outcome.detail().unwrap_or_default();
                signature.starts_with("SIGSEGV in ") && signature.contains("read_invalid_address")
            },
            share: 1,
        },
        Case {
            solver: "segfaults",
            limits: limits(),
            right: |o| {
                o.outcome == Outcome::Crash(case::Crash::signal(11))
                    && o.exit == Exit::Signal(11)
                    && o.answers.len() == 1
            },
            share: 20,
        },
        Case {
            solver: "exits-with-error",
            limits: limits(),
            right: |o| o.outcome == Outcome::Answered && o.exit == Exit::Code(1) && o.answers.len() == 1,
            share: 20,
        },
        Case { solver: "closes-input", limits: limits(), right: answered, share: 16 },
        Case { solver: "writes-files", limits: limits(), right: answered, share: 6 },
        Case {
            solver: "writes-endless-file",
            limits: limits(),
            right: |o| matches!(o.outcome, Outcome::OutputLimit | Outcome::Error { .. }),
            share: 4,
        },
        Case { solver: "unblocks-output", limits: limits(), right: answered, share: 2 },
    ]
}

fn check(what: &str, right: bool, observation: &Observation) {
    assert!(right, "{what}: {observation:#?}");
}

/// Runs all one-shot solvers by their shares of `runs`.
fn one_shot_runs(scratch: &RunSettings, runs: usize) -> usize {
    let cases = cases();
    let total: usize = cases.iter().map(|case| case.share).sum();
    let mut done = 0;
    for case in cases {
        let mut runner = runner(&target(case.solver), RunMode::OneShot, scratch).expect("the runner starts");
        for _ in 0..(runs * case.share).div_ceil(total) {
            let observation =
                runner.run(&RunRequest::new(SCRIPT).limits(case.limits)).expect("the run is made");
            check(case.solver, (case.right)(&observation), &observation);
            done += 1;
        }
    }
    done
}

/// Sessions that are killed, hang or print without end, and continue afterwards.
fn session_runs(scratch: &RunSettings, runs: usize) -> usize {
    type Right = fn(&Observation) -> bool;
    let table: [(&str, Right); 5] = [
        ("(check-sat)", |o| o.outcome == Outcome::Answered && o.exit == Exit::Running),
        ("(check-sat)\n(die)", |o| o.outcome == Outcome::Interrupted { signal: 9 } && o.answers.len() == 1),
        ("(check-sat)", |o| o.outcome == Outcome::Answered && o.exit == Exit::Running),
        ("(check-sat)\n(babble)", |o| o.outcome == Outcome::OutputLimit),
        ("(check-sat)\n(check-sat)", |o| o.outcome == Outcome::Answered && o.answers.len() == 2),
    ];
    let mut done = 0;
    for mode in [RunMode::Session, RunMode::Incremental] {
        let mut runner = runner(&target("session"), mode, scratch).expect("the runner starts");
        for run in 0..runs / 2 {
            let (script, right) = table[run % table.len()];
            let observation = runner.run(&RunRequest::new(script).limits(limits())).expect("the run is made");
            check(script, right(&observation), &observation);
            done += 1;
        }
        let observation = runner.run(&RunRequest::new("(hang)").limits(hasty())).expect("the run is made");
        check("hang", observation.outcome == Outcome::Timeout, &observation);
    }
    done
}

/// Fork servers whose children die, print without end, or leave processes behind.
fn fork_runs(scratch: &RunSettings, runs: usize) -> usize {
    type Right = fn(&Observation) -> bool;
    let forked = |o: &Observation| o.mode == RunMode::Fork;
    assert!(forked(&fork_once(scratch, SCRIPT)), "the solver can be a fork server");
    let table: [(&str, Right); 9] = [
        (SCRIPT, |o| o.outcome == Outcome::Answered && o.exit == Exit::Code(0) && o.mode == RunMode::Fork),
        ("(check-sat)\n(die)", |o| o.outcome == Outcome::Interrupted { signal: 9 } && o.answers.len() == 1),
        ("(check-sat)\n(babble)", |o| o.outcome == Outcome::OutputLimit),
        ("(leave)\n(check-sat)", |o| o.outcome == Outcome::Answered && o.orphans == 1),
        ("(scribble)\n(check-sat)", |o| o.outcome == Outcome::Answered),
        (SCRIPT, |o| o.outcome == Outcome::Answered && o.mode == RunMode::Fork),
        ("(name-descriptors)", |o| {
            o.stdout.contains("pipe:") && !o.stdout.contains("socket:") && !o.stdout.contains("pidfd")
        }),
        // This kills the child that waits for the next script, and leaves nothing behind.
        ("(kill-siblings)\n(check-sat)", |o| o.outcome == Outcome::Answered && o.orphans == 0),
        (SCRIPT, |o| o.outcome == Outcome::Answered && o.mode == RunMode::Fork),
    ];
    let mut runner = runner(&target("file-reader"), RunMode::Fork, scratch).expect("the runner starts");
    for run in 0..runs {
        let (script, right) = table[run % table.len()];
        let observation = runner.run(&RunRequest::new(script).limits(limits())).expect("the run is made");
        check(script, right(&observation), &observation);
    }
    let observation = runner.run(&RunRequest::new("(hang)").limits(hasty())).expect("the run is made");
    check("hang", observation.outcome == Outcome::Timeout && observation.mode == RunMode::Fork, &observation);
    runs
}

/// A solver that misbehaves before it is warm has the limits of a run.
fn warm_up_is_limited(scratch: &RunSettings) {
    type Right = fn(&Observation) -> bool;
    let table: [(&str, Limits, Right); 2] = [
        ("eats-memory", limits(), |o| o.outcome == Outcome::OutOfMemory),
        ("ignores-sigterm", hasty(), |o| o.outcome == Outcome::Timeout),
    ];
    for (solver, limits, right) in table {
        let start = Instant::now();
        let mut runner = runner(&target(solver), RunMode::Fork, scratch).expect("the runner starts");
        let observation = runner.run(&RunRequest::new(SCRIPT).limits(limits)).expect("the run is made");
        check(solver, right(&observation), &observation);
        assert!(start.elapsed() < Duration::from_secs(8), "{solver} took {:?}", start.elapsed());
    }
}

/// Solvers that take too much of the machine.
fn greedy_runs(scratch: &RunSettings) {
    type Right = fn(&Observation) -> bool;
    let table: [(&str, Right); 2] = [
        ("fills-folder", |o| o.outcome == Outcome::OutputLimit),
        ("forks-many", |o| o.outcome == Outcome::OutOfMemory),
    ];
    for (solver, right) in table {
        for mode in [RunMode::OneShot, RunMode::Fork] {
            let mut runner = runner(&target(solver), mode, scratch).expect("the runner starts");
            let observation = runner.run(&RunRequest::new(SCRIPT).limits(limits())).expect("the run is made");
            check(solver, right(&observation), &observation);
        }
    }
}

fn fork_once(scratch: &RunSettings, script: &str) -> Observation {
    let mut runner = runner(&target("file-reader"), RunMode::Fork, scratch).expect("the runner starts");
    runner.run(&RunRequest::new(script).limits(limits())).expect("the run is made")
}

/// Runs 10,000 misbehaving solvers and checks that nothing is left.
fn nothing_is_left_behind() {
    let scratch = std::env::temp_dir().join(format!("elenchus-misbehaving-{}", std::process::id()));
    std::fs::create_dir(&scratch).expect("the folder for temporary files can be written");
    // All modes share their supervisors, which end with the settings.
    let all_modes = |runs: usize| {
        let settings = RunSettings { scratch: Some(scratch.clone()), ..RunSettings::default() };
        one_shot_runs(&settings, runs * 3 / 5)
            + session_runs(&settings, runs / 5)
            + fork_runs(&settings, runs / 5)
    };
    let settings = RunSettings { scratch: Some(scratch.clone()), ..RunSettings::default() };
    warm_up_is_limited(&settings);
    greedy_runs(&settings);
    drop(settings);
    // A first round creates what all runs share.
    all_modes(100);
    let before = Traces::now();
    let done = all_modes(RUNS);
    let after = Traces::now();
    assert!(done >= RUNS, "{done} runs");
    assert_eq!(after.descriptors, before.descriptors, "open file descriptors");
    assert_eq!(after.children, Vec::<i32>::new(), "children, zombies among them");
    assert_eq!(traces::marked_processes(solvers::MARK), Vec::<i32>::new(), "solvers that outlived their run");
    let left: Vec<PathBuf> = std::fs::read_dir(&scratch)
        .expect("the folder is there")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    assert_eq!(left, Vec::<PathBuf>::new(), "temporary files");
    std::fs::remove_dir(&scratch).expect("the folder is empty");
    let growth = after.resident_kib.saturating_sub(before.resident_kib);
    assert!(growth < 4096, "memory grew by {growth} KiB over {done} runs");
    println!("{done} runs: nothing left behind, memory grew by {growth} KiB");
}

/// Kills a process that runs solvers in each mode, and checks that they are gone.
fn nothing_survives_a_killed_runner() {
    let scratch = std::env::temp_dir().join(format!("elenchus-killed-{}", std::process::id()));
    std::fs::create_dir(&scratch).expect("the folder for temporary files can be written");
    for (solver, mode) in [
        ("ignores-sigterm", "one-shot"),
        ("leaves-children", "one-shot"),
        ("session", "session"),
        ("file-reader", "fork"),
    ] {
        let program = std::env::current_exe().expect("the path of this program is known");
        let mut runner = std::process::Command::new(program)
            .args(["--run-forever", solver, mode])
            .arg(&scratch)
            .spawn()
            .expect("a second program can be started");
        traces::wait_until("the solver runs", || !traces::marked_processes(solvers::MARK).is_empty());
        runner.kill().expect("the runner can be killed");
        runner.wait().expect("the runner can be waited for");
        traces::wait_until("no solver is left", || traces::marked_processes(solvers::MARK).is_empty());
        traces::wait_until("no temporary file is left", || {
            std::fs::read_dir(&scratch).is_ok_and(|mut entries| entries.next().is_none())
        });
    }
    std::fs::remove_dir(&scratch).expect("the folder is empty");
    println!("killed runners: no solver and no file left behind");
}

/// The runner that is killed: runs the same solver for ever.
fn run_forever(solver: &str, mode: &str, scratch: PathBuf) -> ! {
    let settings = RunSettings { scratch: Some(scratch), ..RunSettings::default() };
    let mode = RunMode::ALL.into_iter().find(|known| known.name() == mode).expect("a mode is named");
    let mut runner = runner(&target(solver), mode, &settings).expect("the runner starts");
    let limits = Limits { wall: Duration::from_secs(3600), ..limits() };
    loop {
        let script = if mode == RunMode::OneShot { SCRIPT } else { "(hang)" };
        runner.run(&RunRequest::new(script).limits(limits)).expect("the run is made");
    }
}

fn main() {
    if let Ok(solver) = std::env::var(solvers::MARK) {
        solvers::behave(&solver);
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--run-forever", solver, mode, scratch] => run_forever(solver, mode, scratch.into()),
        // Test runners ask this of programs without a harness.
        ["--list", ..] => println!("misbehaving: test"),
        _ => {
            nothing_survives_a_killed_runner();
            nothing_is_left_behind();
        }
    }
}
