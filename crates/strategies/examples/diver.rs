//! DIVER without solvers in the loop: satisfiable mutants per second, the effect of weights and fresh variables, and whether
//! every mutant is true under its witness: `diver FOLDER [--every N] [--mutants N] [--tries N] [--solver SPEC]`.
//!
//! A solver (Z3 by default) provides a model of each seed once. Every variant of DIVER then has the same number of tries per
//! seed. All mutants are parsed again and judged with their witnesses, outside the measured time.

mod common {
    pub mod clock;
}

use common::clock::cpu_time;
use semantics::model::StringDialect;
use semantics::{Model, Verdict, validate};
use smt::{Arena, Scope, Signatures, parse_in_scope};
use solver::install::{Settings, resolve};
use solver::run::{Limits, RunSettings, Want};
use solver::{Answer, RunMode, RunRequest, runner};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use strategies::{Case, Diver, DiverSettings, Expectation, Learned, Random, Seed};

/// The command line.
struct Options {
    folder: PathBuf,
    every: usize,
    mutants: usize,
    tries: u64,
    solver: String,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).peekable();
    // The cvc5 library is driven by the running program.
    if arguments.next_if(|first| first == "__drive").is_some() {
        std::process::exit(solver::driver::drive(arguments));
    }
    let Some(options) = options(arguments.map(|argument| argument.to_string_lossy().into_owned())) else {
        eprintln!("usage: diver FOLDER [--every N] [--mutants N] [--tries N] [--solver SPEC]");
        return ExitCode::from(2);
    };
    match measure(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn options(mut arguments: impl Iterator<Item = String>) -> Option<Options> {
    let mut options = Options {
        folder: PathBuf::new(),
        every: 4,
        mutants: 600,
        tries: 1500,
        solver: "z3@latest".to_owned(),
    };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--every" => options.every = arguments.next()?.parse().ok().filter(|every| *every > 0)?,
            "--mutants" => options.mutants = arguments.next()?.parse().ok()?,
            "--tries" => options.tries = arguments.next()?.parse().ok()?,
            "--solver" => options.solver = arguments.next()?,
            _ => options.folder = PathBuf::from(argument),
        }
    }
    (!options.folder.as_os_str().is_empty()).then_some(options)
}

fn measure(options: &Options) -> Result<bool, Box<dyn Error>> {
    let (seeds, read) = seeds_with_models(options)?;
    println!(
        "{} of {read} seeds have a model from {} that the evaluator confirms",
        seeds.len(),
        options.solver
    );
    let usual = DiverSettings::default();
    let one = DiverSettings { steps: 1, even: false, balance: false, ..usual.clone() };
    let variants = [
        ("weighted, fresh variables", one.clone()),
        ("uniform, fresh variables", DiverSettings { weighted: false, ..one.clone() }),
        ("weighted, no fresh variables", DiverSettings { complicate: false, ..one }),
        ("as published", DiverSettings::as_published()),
    ];
    let mut first = None;
    for (name, settings) in variants {
        let result = with_tries(&seeds, &settings, options.tries);
        println!(
            "{name}: {} satisfiable mutants in {} tries ({:.1} %), {} with fresh variables, {:.2} CPU-s: {:.0} tries and {:.0} \
             satisfiable mutants a CPU-s, {} contradictions",
            result.satisfiable,
            result.tries,
            100.0 * result.satisfiable as f64 / result.tries.max(1) as f64,
            result.complicated,
            result.seconds,
            result.tries as f64 / result.seconds,
            result.satisfiable as f64 / result.seconds,
            result.contradictions,
        );
        let weighted = *first.get_or_insert(result.satisfiable);
        println!(
            "  the first variant has {:.2} times as many",
            weighted as f64 / result.satisfiable.max(1) as f64
        );
    }
    Ok(whole_cases(&seeds, &usual, options.mutants))
}

/// The counts of one variant.
#[derive(Default)]
struct Sum {
    tries: u64,
    satisfiable: u64,
    complicated: u64,
    contradictions: u64,
    seconds: f64,
}

/// Gives each seed the same number of tries.
fn with_tries(seeds: &[Seed], settings: &DiverSettings, tries: u64) -> Sum {
    let diver = Diver::new(Signatures::standard(), settings.clone());
    let mut sum = Sum::default();
    for seed in seeds {
        let Ok(mut mutator) = diver.open_satisfiable(seed, Random::from_parts(&[1, seed.hash])) else {
            continue;
        };
        let begin = cpu_time().unwrap_or_default();
        while mutator.tally().tries < tries && mutator.next_mutant().is_some() {}
        sum.seconds += (cpu_time().unwrap_or_default() - begin).as_secs_f64();
        let tally = mutator.tally();
        sum.tries += tally.tries;
        sum.satisfiable += tally.satisfiable;
        sum.complicated += tally.complicated;
        sum.contradictions += tally.contradictions;
    }
    sum
}

/// Makes whole cases as a campaign does, and judges each from its text. Returns whether all are true under their witnesses.
fn whole_cases(seeds: &[Seed], settings: &DiverSettings, mutants: usize) -> bool {
    let diver = Diver::new(Signatures::standard(), settings.clone());
    let (mut made, mut bytes, mut seconds) = (0u64, 0u64, 0.0);
    let mut exceptions = Vec::new();
    for seed in seeds {
        let Ok(mut mutator) = diver.open_satisfiable(seed, Random::from_parts(&[2, seed.hash])) else {
            continue;
        };
        for _ in 0..mutants {
            let begin = cpu_time().unwrap_or_default();
            let case = mutator.next_mutant();
            seconds += (cpu_time().unwrap_or_default() - begin).as_secs_f64();
            let Some(case) = case else { break };
            made += 1;
            bytes += case.text.len() as u64;
            if let Err(why) = judged(&case) {
                exceptions.push(format!("{}: {why}\n{}\n{:?}", seed.name, case.text, case.expectation));
            }
        }
    }
    println!(
        "whole cases: {made} of {} bytes on average, {:.0} a CPU-s; {} are not true under their witnesses",
        bytes / made.max(1),
        made as f64 / seconds,
        exceptions.len()
    );
    exceptions.iter().take(3).for_each(|exception| println!("{exception}"));
    exceptions.is_empty()
}

/// Whether a case is true under its witness, both parsed from their text.
fn judged(case: &Case) -> Result<(), String> {
    let Expectation::Sat { model } = &case.expectation else { return Err("there is no witness".to_owned()) };
    let mut arena = Arena::default();
    let mut scope = Scope::default();
    let script =
        parse_in_scope(&mut arena, &mut scope, &case.text).map_err(|errors| format!("{errors:?}"))?;
    let model =
        Model::read(&mut arena, &scope, model, StringDialect::Standard).map_err(|error| error.to_string())?;
    match validate(&arena, &script, &model) {
        Verdict::Valid => Ok(()),
        other => Err(format!("{other:?}")),
    }
}

/// The seeds with a model that DIVER can use, and the number of seeds read.
fn seeds_with_models(options: &Options) -> Result<(Vec<Seed>, usize), Box<dyn Error>> {
    let target = resolve(&options.solver, &Settings::from_environment()?)?;
    let mut solver = runner(&target, RunMode::Fork, &RunSettings::default())?;
    let limits = Limits { wall: Duration::from_secs(2), ..Limits::default() };
    let want = Want { model: true, ..Want::default() };
    let diver = Diver::new(Signatures::standard(), DiverSettings::default());
    let files: Vec<PathBuf> = files(&options.folder).into_iter().step_by(options.every).collect();
    let mut fit = Vec::new();
    for path in &files {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let mut seed = Seed::new(path.display().to_string(), text);
        let seen = solver.run(&RunRequest::new(&seed.text).limits(limits).want(want))?;
        if seen.answer() != Some(Answer::Sat) {
            continue;
        }
        let text = seen.model().unwrap_or_default().to_owned();
        seed.learned.push(Learned { question: 0, solver: target.name.clone(), sat: Some(true), text });
        if diver.open_satisfiable(&seed, Random::new(0)).is_ok() {
            fit.push(seed);
        }
    }
    Ok((fit, files.len()))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "smt2")).collect();
    files.sort();
    files
}
