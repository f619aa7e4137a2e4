//! The part of the mutants that real solvers accept: `acceptance FOLDER [--every N] [--mutants N] [--solver SPEC]… [--show N]`.
//!
//! Takes every Nth seed of the folder, makes some mutants with each strategy, and runs them on the solvers that the case is for.
//! A solver rejects a mutant if it refuses it or reports an error; a timeout is not a rejection. Prints the reasons, most
//! frequent first, each with an example.

mod common {
    pub mod seeds;
}

use common::seeds::seeds;
use smt::Signatures;
use solver::install::{Settings, resolve};
use solver::run::{Limits, RunSettings};
use solver::{Outcome, RunMode, RunRequest, Runner, runner};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use strategies::{Case, Random, Seed, StrategyContext, Unchanged, all};

/// The command line.
struct Options {
    folder: PathBuf,
    every: usize,
    mutants: usize,
    solvers: Vec<String>,
    shown: usize,
    strategy: Option<String>,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).peekable();
    // The cvc5 library is driven by the running program.
    if arguments.next_if(|first| first == "__drive").is_some() {
        std::process::exit(solver::driver::drive(arguments));
    }
    let Some(options) = options(arguments.map(|argument| argument.to_string_lossy().into_owned())) else {
        eprintln!(
            "usage: acceptance FOLDER [--every N] [--mutants N] [--solver SPEC]… [--strategy NAME] [--show N]"
        );
        return ExitCode::from(2);
    };
    match measure(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn options(mut arguments: impl Iterator<Item = String>) -> Option<Options> {
    let mut options = Options {
        folder: PathBuf::new(),
        every: 20,
        mutants: 10,
        solvers: Vec::new(),
        shown: 12,
        strategy: None,
    };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--every" => options.every = arguments.next()?.parse().ok().filter(|every| *every > 0)?,
            "--mutants" => options.mutants = arguments.next()?.parse().ok()?,
            "--solver" => options.solvers.push(arguments.next()?),
            "--show" => options.shown = arguments.next()?.parse().ok()?,
            "--strategy" => options.strategy = Some(arguments.next()?),
            _ => options.folder = PathBuf::from(argument),
        }
    }
    if options.solvers.is_empty() {
        options.solvers = vec!["z3@latest".to_owned(), "cvc5@latest".to_owned()];
    }
    (!options.folder.as_os_str().is_empty()).then_some(options)
}

/// The counts of one solver, with the reasons for rejections.
#[derive(Default)]
struct Tally {
    asked: usize,
    rejected: usize,
    undecided: usize,
    reasons: BTreeMap<String, (usize, String)>,
}

impl Tally {
    fn print(&self, name: &str, shown: usize) {
        let rate = 100.0 * (1.0 - self.rejected as f64 / self.asked.max(1) as f64);
        println!(
            "{name}: {rate:.2} % accepted ({} of {} rejected, {} ran out of time or memory)",
            self.rejected, self.asked, self.undecided
        );
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (reason, (count, example)) in reasons.into_iter().take(shown) {
            println!("  {count} × {reason}\n      {}", example.replace('\n', "\n      "));
        }
    }
}

fn measure(options: &Options) -> Result<(), Box<dyn Error>> {
    let settings = Settings::from_environment()?;
    let mut runners: Vec<Box<dyn Runner>> = Vec::new();
    for spec in &options.solvers {
        runners.push(runner(&resolve(spec, &settings)?, RunMode::Fork, &RunSettings::default())?);
    }
    let seeds: Vec<Seed> = seeds(&options.folder).into_iter().step_by(options.every).collect();
    let context = StrategyContext::new(Signatures::standard());
    for strategy in all(&context).into_iter().filter(|strategy| strategy.name() != Unchanged::NAME) {
        if options.strategy.as_deref().is_some_and(|wanted| wanted != strategy.name()) {
            continue;
        }
        let mut tallies: Vec<Tally> = runners.iter().map(|_| Tally::default()).collect();
        for (at, seed) in seeds.iter().enumerate() {
            // A strategy with its own seed gets one turn per seed.
            let own = strategy.own_seed();
            let random = match &own {
                Some(own) => Random::from_parts(&[3, own.hash, at as u64]),
                None => Random::from_parts(&[3, seed.hash]),
            };
            let Ok(mut mutator) = strategy.open(own.as_ref().unwrap_or(seed), random) else { continue };
            for _ in 0..options.mutants {
                let Some(case) = mutator.next_case() else { break };
                for (runner, tally) in runners.iter_mut().zip(&mut tallies) {
                    ask(runner.as_mut(), tally, &case)?;
                }
            }
        }
        println!("== {}", strategy.name());
        for (runner, tally) in runners.iter().zip(&tallies) {
            tally.print(&runner.target().id, options.shown);
        }
    }
    Ok(())
}

fn ask(runner: &mut dyn Runner, tally: &mut Tally, case: &Case) -> Result<(), Box<dyn Error>> {
    let target = runner.target();
    let knows = |theory: &String| target.profile.theories.contains(theory);
    let meant = case.solvers.as_ref().is_none_or(|solvers| solvers.contains(&target.name));
    if !meant || !case.theories.iter().all(knows) {
        return Ok(());
    }
    let limits = Limits { wall: Duration::from_millis(400), ..Limits::default() };
    let observation = runner.run(&RunRequest::new(&case.text).limits(limits))?;
    tally.asked += 1;
    // An answer with its reason, such as `unknown (INCOMPLETE)`, is an answer.
    if observation.stdout.trim_start().starts_with("unknown") {
        tally.undecided += 1;
        return Ok(());
    }
    let reason = match observation.outcome {
        Outcome::Refused { reason } => reason,
        Outcome::Error { message } => message,
        Outcome::Timeout | Outcome::OutOfMemory => {
            tally.undecided += 1;
            return Ok(());
        }
        _ => return Ok(()),
    };
    tally.rejected += 1;
    let step = case.lineage.last().map(|step| format!("{}: {} → {}", step.action, step.before, step.after));
    let example = || format!("{}\n{}", step.unwrap_or_default(), case.text.trim_end());
    tally.reasons.entry(general(&reason)).or_insert_with(|| (0, example())).0 += 1;
    Ok(())
}

/// A message without the parts that differ between scripts: numbers and quoted names.
fn general(message: &str) -> String {
    let mut text = String::new();
    for c in message.chars().take(200) {
        let c = if c.is_ascii_digit() { 'N' } else { c };
        if !(c == 'N' && text.ends_with('N')) {
            text.push(c);
        }
    }
    text.replace('\n', " ")
}
