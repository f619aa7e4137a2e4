//! Whether every run mode shows what the plain executable shows.
//!
//! `fidelity FOLDER… [--solver SPEC]… [--every N] [--limit SECONDS] [--jobs N]` runs each script of the folders in a fresh process
//! and in the three warm modes, and compares answers and outcomes: crashes, refusals, and error messages. By default it tests an
//! old and the newest Z3 and cvc5.
//!
//! These are counted apart: scripts that run out of time or memory, scripts whose fresh runs differ among themselves, and
//! `unknown` in one mode only. All other differences are listed, and the exit code is 1 if there is one.

mod compare;

use compare::{Tally, WARM, compare};
use solver::install::{self, Settings};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

const SOLVERS: [&str; 4] = ["z3@4.8.7", "z3@5.4.0", "cvc5@1.0.3", "cvc5@1.4.2"];

type Failure = Box<dyn std::error::Error>;

struct Request {
    folders: Vec<PathBuf>,
    solvers: Vec<String>,
    every: usize,
    limit: Duration,
    jobs: usize,
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
    let mut request = Request {
        folders: Vec::new(),
        solvers: Vec::new(),
        every: 1,
        limit: Duration::from_secs(4),
        jobs: 1,
    };
    while let Some(word) = words.next() {
        match word.as_str() {
            "--solver" => request.solvers.push(words.next().ok_or("--solver SPEC")?),
            "--every" => request.every = words.next().ok_or("--every N")?.parse::<usize>()?.max(1),
            "--limit" => request.limit = Duration::from_secs(words.next().ok_or("--limit SECONDS")?.parse()?),
            "--jobs" => request.jobs = words.next().ok_or("--jobs N")?.parse::<usize>()?.max(1),
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
    let scripts = request.folders.iter().flat_map(|folder| testing::scripts(folder));
    let scripts: Vec<PathBuf> = scripts.step_by(request.every).collect();
    let mut different = 0;
    let mut tables = Vec::new();
    for spec in &request.solvers {
        let target = install::resolve(spec, &Settings::from_environment()?)?;
        let (tallies, differences) = compare(&target, &scripts, request.limit, request.jobs)?;
        for difference in &differences {
            println!("{} {} {}", target.id, difference.mode, difference.script.display());
            println!("  fresh: {}\n  warm:  {}", difference.fresh, difference.warm);
        }
        different += differences.len();
        tables.push((target.id, tallies));
    }
    println!("\n{} scripts", scripts.len());
    println!(
        "{:12} {:12} {:>6} {:>8} {:>6} {:>9} {:>8} {:>10}",
        "solver", "mode", "same", "fallback", "limit", "unstable", "unknown", "different"
    );
    for (id, tallies) in tables {
        for (mode, tally) in WARM.iter().zip(tallies) {
            let Tally { same, fallback, limit, unstable, unknown, different } = tally;
            println!(
                "{id:12} {:12} {same:6} {fallback:8} {limit:6} {unstable:9} {unknown:8} {different:10}",
                mode.to_string()
            );
        }
    }
    Ok(different)
}
