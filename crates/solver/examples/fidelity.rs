//! Whether every run mode shows what the plain executable shows.
//!
//! `fidelity FOLDER… [--solver SPEC]… [--every N] [--limit SECONDS]` runs each script of the folders in a fresh process and in
//! the three warm modes, and compares answers and outcomes: crashes, refusals, and error messages. By default it tests an old
//! and the newest Z3 and cvc5.
//!
//! A script that runs out of time or memory in some mode is counted apart: the modes need different amounts of both. So is a
//! script whose fresh runs differ among themselves. All other differences are listed, and the exit code is 1 if there is one.

use solver::install::{self, Settings};
use solver::run::{Limits, RunSettings, Want};
use solver::{Observation, Outcome, RunError, RunMode, RunRequest, Runner, Target, runner};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

const SOLVERS: [&str; 4] = ["z3@4.8.7", "z3@5.4.0", "cvc5@1.0.3", "cvc5@1.4.2"];
const WARM: [RunMode; 3] = [RunMode::Session, RunMode::Fork, RunMode::Incremental];

/// A script whose fresh runs may differ is run this many times more.
const REPETITIONS: usize = 3;

type Failure = Box<dyn std::error::Error>;

#[derive(Default)]
struct Tally {
    same: usize,
    /// Not possible in this mode, so a fresh process ran it.
    fallback: usize,
    limit: usize,
    unstable: usize,
    different: usize,
}

struct Request {
    folders: Vec<PathBuf>,
    solvers: Vec<String>,
    every: usize,
    limit: Duration,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    // The running program is the driver of the cvc5 library.
    if arguments.next_if(|first| first == "__drive").is_some() {
        std::process::exit(solver::driver::drive(arguments.map(Into::into)));
    }
    match request(arguments).and_then(|request| compare_all(&request)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn request(mut words: impl Iterator<Item = String>) -> Result<Request, Failure> {
    let mut request =
        Request { folders: Vec::new(), solvers: Vec::new(), every: 1, limit: Duration::from_secs(4) };
    while let Some(word) = words.next() {
        match word.as_str() {
            "--solver" => request.solvers.push(words.next().ok_or("--solver SPEC")?),
            "--every" => request.every = words.next().ok_or("--every N")?.parse::<usize>()?.max(1),
            "--limit" => request.limit = Duration::from_secs(words.next().ok_or("--limit SECONDS")?.parse()?),
            _ => request.folders.push(PathBuf::from(word)),
        }
    }
    if request.solvers.is_empty() {
        request.solvers = SOLVERS.map(str::to_owned).to_vec();
    }
    if request.folders.is_empty() {
        return Err("expected folders with .smt2 files".into());
    }
    Ok(request)
}

fn compare_all(request: &Request) -> Result<usize, Failure> {
    let mut scripts = Vec::new();
    for folder in &request.folders {
        collect(folder, &mut scripts)?;
    }
    scripts.sort();
    let scripts: Vec<&PathBuf> = scripts.iter().step_by(request.every).collect();
    let mut different = 0;
    let mut tables = Vec::new();
    for spec in &request.solvers {
        let target = install::resolve(spec, &Settings::from_environment()?)?;
        let tallies = compare(&target, &scripts, request.limit)?;
        different += tallies.iter().map(|tally| tally.different).sum::<usize>();
        tables.push((target.id, tallies));
    }
    println!("\n{} scripts", scripts.len());
    println!(
        "{:12} {:12} {:>6} {:>8} {:>6} {:>9} {:>10}",
        "solver", "mode", "same", "fallback", "limit", "unstable", "different"
    );
    for (id, tallies) in tables {
        for (mode, tally) in WARM.iter().zip(tallies) {
            let Tally { same, fallback, limit, unstable, different } = tally;
            println!(
                "{id:12} {:12} {same:6} {fallback:8} {limit:6} {unstable:9} {different:10}",
                mode.to_string()
            );
        }
    }
    Ok(different)
}

fn collect(path: &Path, scripts: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if path.is_dir() {
        for entry in std::fs::read_dir(path)? {
            collect(&entry?.path(), scripts)?;
        }
    } else if path.extension().is_some_and(|extension| extension == "smt2") {
        scripts.push(path.to_owned());
    }
    Ok(())
}

fn compare(target: &Target, scripts: &[&PathBuf], limit: Duration) -> Result<[Tally; 3], Failure> {
    let mut plain = runner(target, RunMode::OneShot, &RunSettings::default())?;
    let mut warm = Vec::new();
    for mode in WARM {
        warm.push(runner(target, mode, &RunSettings::default())?);
    }
    let mut tallies: [Tally; 3] = Default::default();
    for path in scripts {
        let Ok(script) = std::fs::read_to_string(path) else { continue };
        let seen = run(plain.as_mut(), &script, limit)?;
        for (runner, tally) in warm.iter_mut().zip(&mut tallies) {
            let other = run(runner.as_mut(), &script, limit)?;
            if other.fallback.is_some() {
                tally.fallback += 1;
            } else if is_limit(&seen) || is_limit(&other) {
                tally.limit += 1;
            } else if shown(&seen) == shown(&other) {
                tally.same += 1;
            } else if varies(plain.as_mut(), &script, limit, &seen, &other)? {
                tally.unstable += 1;
            } else {
                tally.different += 1;
                println!("{} {} {}", target.id, runner.mode(), path.display());
                println!("  fresh: {}\n  warm:  {}", shown(&seen), shown(&other));
            }
        }
    }
    Ok(tallies)
}

fn run(runner: &mut dyn Runner, script: &str, limit: Duration) -> Result<Observation, RunError> {
    let limits = Limits { wall: limit, ..Limits::default() };
    let want = Want { check_models: true, ..Want::default() };
    runner.run(&RunRequest::new(script).limits(limits).want(want))
}

fn is_limit(seen: &Observation) -> bool {
    matches!(seen.outcome, Outcome::Timeout | Outcome::OutOfMemory | Outcome::OutputLimit)
}

/// The answers and the outcome in one line. Numbers count as equal: a warm process counts the lines of all its scripts.
fn shown(seen: &Observation) -> String {
    let answers: Vec<&str> = seen.answers.iter().map(|answer| answer.word()).collect();
    let outcome = seen.outcome.to_string();
    let words = outcome
        .split_whitespace()
        .map(|word| if word.trim_end_matches(':').parse::<u64>().is_ok() { "_" } else { word });
    format!("[{}] {}", answers.join(" "), words.collect::<Vec<_>>().join(" "))
}

/// Whether fresh runs differ from each other, or one of them shows what the warm run showed.
fn varies(
    plain: &mut dyn Runner,
    script: &str,
    limit: Duration,
    first: &Observation,
    warm: &Observation,
) -> Result<bool, RunError> {
    for _ in 0..REPETITIONS {
        let again = run(plain, script, limit)?;
        if shown(&again) != shown(first) || shown(&again) == shown(warm) {
            return Ok(true);
        }
    }
    Ok(false)
}
