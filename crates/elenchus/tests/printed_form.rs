//! What we print means what was read: solvers answer the printed form of real scripts as they answer the original.
//!
//! Needs the shared corpus, and solvers that are installed into the user's cache if they are not there; where either cannot
//! be had, the test says so and ends.

use smt::{Arena, parse_script};
use solver::install::{self, Settings};
use solver::run::{Limits, RunSettings};
use solver::{Answer, Observation, Outcome, RunMode, RunRequest, Target, runner};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How many scripts are tried.
const SAMPLE: usize = 300;

/// A solver that needs longer is not asked further: it is the same question twice that matters, not a hard one.
const PATIENCE: Duration = Duration::from_secs(2);

/// A sample of the corpus, the same on every machine.
fn sample(corpus: &Path) -> Vec<PathBuf> {
    let files = testing::scripts(corpus);
    let step = (files.len() / SAMPLE).max(1);
    files.into_iter().step_by(step).take(SAMPLE).collect()
}

fn target(spec: &str) -> Option<Target> {
    let mut settings = Settings::from_environment().expect("the environment is usable");
    settings.driver = env!("CARGO_BIN_EXE_elenchus").into();
    match install::resolve(spec, &settings) {
        Ok(target) => Some(target),
        Err(error) => {
            testing::skip(format_args!("{spec} is not available: {error}"));
            None
        }
    }
}

fn printed(source: &str) -> Option<String> {
    let mut arena = Arena::default();
    let script = parse_script(&mut arena, source).ok()?;
    Some(arena.script_text(&script))
}

/// Whether a run gave at least one answer of weight, and nothing went wrong.
fn decided(seen: &Observation) -> bool {
    let weighty = |answer: &Answer| matches!(answer, Answer::Sat | Answer::Unsat);
    seen.outcome == Outcome::Answered && seen.answers.iter().any(weighty)
}

/// What is wrong with the answer to the printed form; running out of time or saying `unknown` is not.
fn difference(original: &Observation, printed: &Observation) -> Option<String> {
    if let Some(at) = original.contradicts(printed) {
        return Some(format!("question {at}: {:?} became {:?}", original.answers, printed.answers));
    }
    match &printed.outcome {
        Outcome::Answered if printed.answers.len() != original.answers.len() => {
            Some(format!("{} answers became {}", original.answers.len(), printed.answers.len()))
        }
        Outcome::Answered | Outcome::Timeout | Outcome::OutOfMemory => None,
        outcome => Some(format!("{outcome:?}\n{}{}", printed.stdout, printed.stderr)),
    }
}

fn answers_are_the_same(spec: &str) {
    let Some(corpus) = testing::corpus("corpus") else { return };
    let files = sample(&corpus);
    let Some(target) = target(spec) else { return };
    let mut solver = runner(&target, RunMode::Fork, &RunSettings::default()).expect("the solver starts");
    let limits = Limits { wall: PATIENCE, ..Limits::default() };
    let mut ask = |script: &str| {
        solver.run(&RunRequest::new(script).limits(limits)).expect("this machine can run the solver")
    };
    let (mut compared, mut wrong) = (0, Vec::new());
    for file in &files {
        let source = std::fs::read(file).expect("a file of the corpus can be read");
        let source = String::from_utf8_lossy(&source);
        let original = ask(&source);
        if !decided(&original) {
            continue;
        }
        let Some(text) = printed(&source) else {
            wrong.push(format!("{}: answered by {}, refused by us", file.display(), target.id));
            continue;
        };
        compared += 1;
        if let Some(difference) = difference(&original, &ask(&text)) {
            wrong.push(format!("{}: {difference}", file.display()));
        }
    }
    println!("{}: {compared} of {} scripts decided and compared", target.id, files.len());
    assert!(wrong.is_empty(), "{} of {compared} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared * 3 > files.len(), "only {compared} of {} scripts were decided", files.len());
}

#[test]
fn z3_answers_the_printed_form_as_the_original() {
    answers_are_the_same("z3@5.4.0");
}

#[test]
fn cvc5_answers_the_printed_form_as_the_original() {
    answers_are_the_same("cvc5@1.4.2");
}
