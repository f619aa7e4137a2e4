//! Measures what confinement costs: `cargo run --release -p solver --example confinement_cost [-- SOLVER…]`.
//!
//! Confined and unconfined runs alternate, so that other load affects both equally. The figures are medians of the time from the
//! request to the result, and of the differences between the two runs of a pair.

use solver::install::{self, Settings};
use solver::run::RunSettings;
use solver::{RunMode, RunRequest, Runner, runner};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// A mode, its runs on each side, and the scripts before the first measurement.
const MODES: [(RunMode, usize, usize); 2] = [(RunMode::OneShot, 400, 5), (RunMode::Fork, 4000, 50)];

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
        for (mode, runs, warm) in MODES {
            if let Err(message) = measure(spec, mode, runs, warm) {
                eprintln!("{spec}: {message}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn measure(spec: &str, mode: RunMode, runs: usize, warm: usize) -> Result<(), Box<dyn std::error::Error>> {
    let target = install::resolve(spec, &Settings::from_environment()?)?;
    let start = |unconfined| runner(&target, mode, &RunSettings { unconfined, ..RunSettings::default() });
    let mut sides = [(start(true)?, Vec::new()), (start(false)?, Vec::new())];
    for round in 0..warm + runs {
        // Each side comes first half of the time: the first run of a pair finds other caches.
        let order = if round % 2 == 0 { [0, 1] } else { [1, 0] };
        for side in order {
            let (runner, times) = &mut sides[side];
            let time = run(runner.as_mut())?.as_secs_f64() * 1000.0;
            if round >= warm {
                times.push(time);
            }
        }
    }
    let [(_, off), (_, on)] = &sides;
    let differences: Vec<f64> = on.iter().zip(off).map(|(on, off)| on - off).collect();
    let (off, differences) = (sorted(off), sorted(&differences));
    let usual = off[off.len() / 2];
    // An interval that holds the true median with a probability of 95 %, by the order of the differences.
    let (middle, reach) = (runs / 2, (runs as f64).sqrt() as usize);
    let [low, median, high] = [middle - reach, middle, middle + reach].map(|index| differences[index]);
    println!(
        "{spec} {mode}: {usual:.3} ms, confinement adds {median:+.4} ms (95 %: {low:+.4} to {high:+.4}), \
         {:+.2} % ({:+.2} to {:+.2})",
        median / usual * 100.0,
        low / usual * 100.0,
        high / usual * 100.0
    );
    Ok(())
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

fn run(runner: &mut dyn Runner) -> Result<Duration, Box<dyn std::error::Error>> {
    let begun = Instant::now();
    let seen = runner.run(&RunRequest::new(SCRIPT))?;
    let time = begun.elapsed();
    match seen.answers.len() {
        1 => Ok(time),
        _ => Err(format!("no answer: {}", seen.outcome).into()),
    }
}
