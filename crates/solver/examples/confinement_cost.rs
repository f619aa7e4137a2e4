//! Measures what confinement costs: `cargo run --release -p solver --example confinement_cost [-- SOLVER…]`.
//!
//! Confined and unconfined runs alternate, so that other load affects both equally. The figures are medians of the time from the
//! request to the result.

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
        for (runner, times) in &mut sides {
            let time = run(runner.as_mut())?;
            if round >= warm {
                times.push(time);
            }
        }
    }
    let [off, on] = sides.map(|(_, mut times)| {
        times.sort();
        times[times.len() / 2].as_secs_f64() * 1000.0
    });
    println!(
        "{spec} {mode}: {off:.3} ms without, {on:.3} ms with confinement: {:+.3} ms, {:+.1} %",
        on - off,
        (on / off - 1.0) * 100.0
    );
    Ok(())
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
