//! Measures the cost of function coverage of release executables: `coverage [SOLVER…] [--runs N]`.
//!
//! Runs a small script with and without breakpoints, in one-shot and in fork mode. The figures are medians of the solver's CPU
//! time, so that other load matters little.

use solver::coverage::{Breakpoints, Coverage};
use solver::install::{Settings, resolve};
use solver::run::RunSettings;
use solver::{RunMode, RunRequest, runner};
use std::error::Error;
use std::time::Duration;

const SCRIPT: &str = "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n\
                      (assert (and (< x y) (> (+ x (* 2 y)) 7) (distinct y 4)))\n(check-sat)\n";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).peekable();
    // The running program is the driver of the cvc5 library.
    if arguments.next_if(|first| first == "__drive").is_some() {
        std::process::exit(solver::driver::drive(arguments));
    }
    let (mut solvers, mut runs) = (Vec::new(), 60);
    let mut arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--runs" => runs = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(runs),
            _ => solvers.push(argument),
        }
    }
    if solvers.is_empty() {
        solvers = ["z3@latest", "cvc5@latest"].map(str::to_owned).to_vec();
    }
    let settings = Settings::from_environment()?;
    for spec in &solvers {
        let target = resolve(spec, &settings)?;
        for mode in [RunMode::OneShot, RunMode::Fork] {
            let mut plain = runner(&target, mode, &RunSettings::default())?;
            let mut watched = Breakpoints::beyond_start(&target, mode, &RunSettings::default())?;
            let request = RunRequest::new(SCRIPT);
            let (mut without, mut with, mut counts) = (Vec::new(), Vec::new(), Vec::new());
            // The first runs start the servers.
            plain.run(&request)?;
            watched.run(&request)?;
            for _ in 0..runs {
                let seen = plain.run(&request)?;
                without.push((seen.cpu, seen.wall));
                let (seen, reached) = watched.run(&request)?;
                with.push((seen.cpu, seen.wall));
                counts.push(reached.count());
            }
            let (least, most) = (counts.iter().min().unwrap_or(&0), counts.iter().max().unwrap_or(&0));
            let (plain, watching) = (median(&mut without), median(&mut with));
            println!(
                "{} {mode}: {least}–{most} of {} functions; {:.1} ms CPU ({:.1} ms wall) plain, {:.1} ({:.1}) watched: {:+.1} ms CPU a script",
                target.id,
                watched.points(),
                milliseconds(plain.0),
                milliseconds(plain.1),
                milliseconds(watching.0),
                milliseconds(watching.1),
                milliseconds(watching.0) - milliseconds(plain.0),
            );
        }
    }
    Ok(())
}

fn median(times: &mut [(Duration, Duration)]) -> (Duration, Duration) {
    let middle = times.len() / 2;
    times.sort();
    let cpu = times[middle].0;
    times.sort_by_key(|(_, wall)| *wall);
    (cpu, times[middle].1)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
