//! Measures what confinement costs: `cargo run --release -p elenchus-driver --example confinement_cost [-- SOLVER…]`.
//!
//! Confined and unconfined runs alternate, so that other load affects both equally. A fork server keeps the luck of its memory layout
//! for all its runs, so every round starts new runners. A figure is the median over all rounds of the median difference in a round;
//! the range beside it is that of the rounds. A range that includes zero shows no cost, nor does it show that there is none.

use solver::install::{self, Settings};
use solver::run::RunSettings;
use solver::{RunMode, RunRequest, Runner, Target, runner};
use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

/// How often both sides start anew.
const ROUNDS: usize = 10;

/// A mode, its pairs of runs in a round, and the pairs before the first measurement.
const MODES: [(RunMode, usize, usize); 2] = [(RunMode::OneShot, 40, 2), (RunMode::Fork, 300, 40)];

const SCRIPT: &str = "(set-logic QF_LIA)\n(declare-fun x () Int)\n(declare-fun y () Int)\n\
                      (assert (and (> x 2) (< y 10) (= (+ x y) 11)))\n(check-sat)\n";

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).peekable();
    // The running program is the driver of the cvc5 library.
    if arguments.next_if(|first| first == "__drive").is_some() {
        std::process::exit(solver::driver::drive(arguments));
    }
    let mut solvers: Vec<String> = arguments.map(|spec| spec.to_string_lossy().into_owned()).collect();
    if solvers.is_empty() {
        solvers = ["z3@5.4.0", "cvc5@1.4.2"].map(str::to_owned).to_vec();
    }
    for spec in &solvers {
        for (mode, pairs, warm) in MODES {
            if let Err(message) = measure(spec, mode, pairs, warm) {
                eprintln!("{spec}: {message}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn measure(spec: &str, mode: RunMode, pairs: usize, warm: usize) -> Result<(), Box<dyn Error>> {
    let target = install::resolve(spec, &Settings::from_environment()?)?;
    let mut usual = Vec::new();
    let mut added = Vec::new();
    for round in 0..ROUNDS {
        let (without, difference) = pairs_of_runs(&target, mode, round, pairs, warm)?;
        usual.push(without);
        added.push(difference);
    }
    let usual = median(&mut usual);
    let median = median(&mut added);
    let (low, high) = (added[0], added[added.len() - 1]);
    println!(
        "{spec} {mode}: {usual:.3} ms, confinement adds {median:+.3} ms ({low:+.3} to {high:+.3}), {:+.1} % ({:+.1} to {:+.1})",
        median / usual * 100.0,
        low / usual * 100.0,
        high / usual * 100.0
    );
    Ok(())
}

/// The median time of an unconfined run in milliseconds, and the median of what confinement adds.
fn pairs_of_runs(
    target: &Target,
    mode: RunMode,
    round: usize,
    pairs: usize,
    warm: usize,
) -> Result<(f64, f64), Box<dyn Error>> {
    let start = |unconfined| runner(target, mode, &RunSettings { unconfined, ..RunSettings::default() });
    let mut sides = [start(true)?, start(false)?];
    let (mut without, mut differences) = (Vec::new(), Vec::new());
    for pair in 0..warm + pairs {
        // Each side comes first half of the time, and starts first in half of the rounds.
        let first = (pair + round) % 2;
        let mut times = [0.0; 2];
        for side in [first, 1 - first] {
            times[side] = run(sides[side].as_mut())?;
        }
        if pair >= warm {
            without.push(times[0]);
            differences.push(times[1] - times[0]);
        }
    }
    Ok((median(&mut without), median(&mut differences)))
}

/// The median, after sorting.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The milliseconds of a run.
fn run(runner: &mut dyn Runner) -> Result<f64, Box<dyn Error>> {
    let begun = Instant::now();
    let seen = runner.run(&RunRequest::new(SCRIPT))?;
    let time = begun.elapsed();
    match seen.answers.len() {
        1 => Ok(time.as_secs_f64() * 1000.0),
        _ => Err(format!("no answer: {}", seen.outcome).into()),
    }
}
