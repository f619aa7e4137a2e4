//! Solvers that misbehave: each must become the right observation, and nothing of it may stay behind.
//!
//! This program is its own solver (see `animals`), so it has no test harness: `ELENCHUS_WILD=NAME` makes it an animal.

mod solvers;
mod traces;

use solver::run::{Exit, Limits, RunSettings};
use solver::{Observation, Outcome, Profile, RunMode, RunRequest, Target, runner};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use traces::Traces;

/// How many runs there are in all; what is left behind is counted afterwards.
const RUNS: usize = 10_000;

const SCRIPT: &str = "(check-sat)\n";

fn target(animal: &str) -> Target {
    let profile = "name = \"wild\"\n[start]\nfile = [\"{file}\"]\nstdin = [\"-\"]\n[session]\nkeeps = \"none\"\n\
                   get_ready = \"(ready)\"\n\
                   [incremental]\n[fork]\nstop = \"open\"\n";
    Target {
        env: vec![(solvers::MARK.to_owned(), animal.to_owned())],
        ..Target::executable(
            animal,
            std::env::current_exe().expect("a program knows itself"),
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

/// An animal, the limits it gets, what must be seen of it, and how many of the runs are its own.
struct Case {
    animal: &'static str,
    limits: Limits,
    right: fn(&Observation) -> bool,
    share: usize,
}

fn cases() -> Vec<Case> {
    let answered = |o: &Observation| o.outcome == Outcome::Answered && o.answers.len() == 1;
    vec![
        Case { animal: "deaf", limits: hasty(), right: |o| o.outcome == Outcome::Timeout, share: 4 },
        Case {
            animal: "parent",
            limits: limits(),
            right: |o| o.answers.len() == 1 && o.orphans > 0,
            share: 10,
        },
        Case { animal: "glutton", limits: limits(), right: |o| o.outcome == Outcome::OutOfMemory, share: 4 },
        Case {
            animal: "chatter",
            limits: limits(),
            right: |o| o.outcome == Outcome::OutputLimit && o.truncated && o.stdout.len() == 200_000,
            share: 10,
        },
        Case {
            animal: "stutterer",
            limits: hasty(),
            right: |o| o.outcome == Outcome::Timeout && o.answers.is_empty(),
            share: 4,
        },
        // A second run, with the preloaded library, says where it died.
        Case {
            animal: "stumbler",
            limits: limits(),
            right: |o| {
                let signature = o.outcome.detail().unwrap_or_default();
                signature.starts_with("SIGSEGV in ") && signature.contains("stumble")
            },
            share: 1,
        },
        Case {
            animal: "faller",
            limits: limits(),
            right: |o| {
                o.outcome == Outcome::Crash(case::Crash::signal(11))
                    && o.exit == Exit::Signal(11)
                    && o.answers.len() == 1
            },
            share: 20,
        },
        Case {
            animal: "grumbler",
            limits: limits(),
            right: |o| o.outcome == Outcome::Answered && o.exit == Exit::Code(1) && o.answers.len() == 1,
            share: 20,
        },
        Case { animal: "deserter", limits: limits(), right: answered, share: 16 },
        Case { animal: "scribbler", limits: limits(), right: answered, share: 6 },
        Case {
            animal: "hoarder",
            limits: limits(),
            right: |o| matches!(o.outcome, Outcome::OutputLimit | Outcome::Error { .. }),
            share: 4,
        },
        Case { animal: "unblocker", limits: limits(), right: answered, share: 2 },
    ]
}

fn check(what: &str, right: bool, observation: &Observation) {
    assert!(right, "{what}: {observation:#?}");
}

/// All one-shot animals, with their shares of `runs`.
fn one_shot_runs(scratch: &RunSettings, runs: usize) -> usize {
    let cases = cases();
    let total: usize = cases.iter().map(|case| case.share).sum();
    let mut done = 0;
    for case in cases {
        let mut runner = runner(&target(case.animal), RunMode::OneShot, scratch).expect("the runner starts");
        for _ in 0..(runs * case.share).div_ceil(total) {
            let observation =
                runner.run(&RunRequest::new(SCRIPT).limits(case.limits)).expect("the run is made");
            check(case.animal, (case.right)(&observation), &observation);
            done += 1;
        }
    }
    done
}

/// Sessions that are killed, hang or babble in the middle, and go on afterwards.
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

/// Fork servers whose children die, babble, or leave children of their own behind.
fn fork_runs(scratch: &RunSettings, runs: usize) -> usize {
    type Right = fn(&Observation) -> bool;
    let served = |o: &Observation| o.mode == RunMode::Fork;
    assert!(served(&fork_once(scratch, SCRIPT)), "the servant can be served");
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
        // The child that waits for the next script is gone then, and none of what this one left.
        ("(kill-siblings)\n(check-sat)", |o| o.outcome == Outcome::Answered && o.orphans == 0),
        (SCRIPT, |o| o.outcome == Outcome::Answered && o.mode == RunMode::Fork),
    ];
    let mut runner = runner(&target("servant"), RunMode::Fork, scratch).expect("the runner starts");
    for run in 0..runs {
        let (script, right) = table[run % table.len()];
        let observation = runner.run(&RunRequest::new(script).limits(limits())).expect("the run is made");
        check(script, right(&observation), &observation);
    }
    let observation = runner.run(&RunRequest::new("(hang)").limits(hasty())).expect("the run is made");
    check("hang", observation.outcome == Outcome::Timeout && observation.mode == RunMode::Fork, &observation);
    runs
}

fn fork_once(scratch: &RunSettings, script: &str) -> Observation {
    let mut runner = runner(&target("servant"), RunMode::Fork, scratch).expect("the runner starts");
    runner.run(&RunRequest::new(script).limits(limits())).expect("the run is made")
}

/// Runs 10,000 wild solvers and looks for what they left.
fn nothing_is_left_behind() {
    let scratch = std::env::temp_dir().join(format!("elenchus-wild-{}", std::process::id()));
    std::fs::create_dir(&scratch).expect("the folder for temporary files can be written");
    // All ways hand their supervisors on to each other; these end with the settings.
    let all_ways = |runs: usize| {
        let settings = RunSettings { scratch: Some(scratch.clone()), ..RunSettings::default() };
        one_shot_runs(&settings, runs * 3 / 5)
            + session_runs(&settings, runs / 5)
            + fork_runs(&settings, runs / 5)
    };
    // Once before measuring, so that what is made once for all runs is there.
    all_ways(100);
    let before = Traces::look();
    let done = all_ways(RUNS);
    let after = Traces::look();
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
    println!("{done} wild runs: nothing left behind, memory grew by {growth} KiB");
}

/// Kills a process that is running solvers in every way, and looks for them.
fn nothing_survives_a_killed_runner() {
    let scratch = std::env::temp_dir().join(format!("elenchus-killed-{}", std::process::id()));
    std::fs::create_dir(&scratch).expect("the folder for temporary files can be written");
    for (animal, mode) in
        [("deaf", "one-shot"), ("parent", "one-shot"), ("session", "session"), ("servant", "fork")]
    {
        let program = std::env::current_exe().expect("a program knows itself");
        let mut runner = std::process::Command::new(program)
            .args(["--run-forever", animal, mode])
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

/// The runner that gets killed: runs the same animal for ever.
fn run_forever(animal: &str, mode: &str, scratch: PathBuf) -> ! {
    let settings = RunSettings { scratch: Some(scratch), ..RunSettings::default() };
    let mode = RunMode::ALL.into_iter().find(|known| known.name() == mode).expect("a way is named");
    let mut runner = runner(&target(animal), mode, &settings).expect("the runner starts");
    let limits = Limits { wall: Duration::from_secs(3600), ..limits() };
    loop {
        let script = if mode == RunMode::OneShot { SCRIPT } else { "(hang)" };
        runner.run(&RunRequest::new(script).limits(limits)).expect("the run is made");
    }
}

fn main() {
    if let Ok(animal) = std::env::var(solvers::MARK) {
        solvers::behave(&animal);
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--run-forever", animal, mode, scratch] => run_forever(animal, mode, scratch.into()),
        // What test runners ask of programs without a harness.
        ["--list", ..] => println!("wild: test"),
        _ => {
            nothing_survives_a_killed_runner();
            nothing_is_left_behind();
        }
    }
}
