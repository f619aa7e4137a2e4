//! What a solver states about many formulas: `statements ORACLE SOLVER[,OTHER] SECONDS [FOLDER…]`.
//!
//! The formulas are the scripts of the folders, then those of the grammar until the time is over. Another solver, if there is one, is
//! asked whether the statements can be wrong, as often as in a campaign. Prints every wrong statement and every crash, and how many
//! statements a second were made and checked on one core.

use case::Statement;
use case::files::find_scripts;
use case::hash::choice;
use smt::Signatures;
use solver::install::{Settings, resolve};
use solver::run::{Limits, RunSettings, Want};
use solver::{Answer, Observation, Outcome, Profile, RunMode, RunRequest, Runner, runner};
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use strategies::{Random, StrategyContext, by_name};
use triage::{Evaluated, Needs, Oracle, StatementVerdict, WrongStatement, oracle_for};

/// The limit of one script, which may ask for 40 statements.
const LIMIT: Duration = Duration::from_secs(1);
/// The formulas of the grammar that share their sorts and constants.
const TURN: usize = 20;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).peekable();
    // The cvc5 library is driven by the running program.
    if arguments.next_if(|first| first == "__drive").is_some() {
        std::process::exit(solver::driver::drive(arguments));
    }
    let arguments: Vec<String> = arguments.map(|word| word.to_string_lossy().into_owned()).collect();
    let result = match arguments.as_slice() {
        [oracle, solver, seconds, folders @ ..] => measure(oracle, solver, seconds, folders),
        _ => Err("usage: statements ORACLE SOLVER[,OTHER] SECONDS [FOLDER…]".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// What was asked so far.
struct Asked {
    oracle: &'static dyn Oracle,
    profile: Profile,
    runner: Box<dyn Runner>,
    /// The other solver.
    other: Option<Box<dyn Runner>>,
    /// How often the other solver was asked.
    doubts: usize,
    judge: Evaluated,
    statements: usize,
    scripts: usize,
    /// Scripts about which our evaluation decides nothing.
    undetermined: usize,
    wrong: usize,
    crashes: usize,
}

impl Asked {
    fn ask(&mut self, script: &str) -> Result<(), Box<dyn Error>> {
        let Some(question) = self.oracle.question(script, &self.profile) else { return Ok(()) };
        let limits = Limits { wall: LIMIT, ..Limits::default() };
        // Without a contradiction, the search for an interpolant takes the whole time.
        if self.oracle.description().needs == Needs::Unsat
            && self.runner.run(&RunRequest::new(script).limits(limits))?.answers != [Answer::Unsat]
        {
            return Ok(());
        }
        let seen = self.runner.run(&RunRequest::new(&question).limits(limits))?;
        self.scripts += 1;
        self.statements += self.oracle.pieces(&seen).len();
        if let Outcome::Crash(crash) = &seen.outcome {
            self.crashes += 1;
            println!("crash: {crash}\n{question}");
        }
        let verdict = self.oracle.judge(&mut self.judge, &question, &seen);
        self.undetermined += usize::from(verdict == StatementVerdict::Undetermined);
        let wrong = match verdict {
            StatementVerdict::Wrong(wrong) => Some(wrong),
            StatementVerdict::Right | StatementVerdict::Undetermined => self.refuted(&question, &seen)?,
        };
        if let Some(wrong) = wrong {
            self.wrong += 1;
            let alone = self.oracle.alone(&question, wrong.number).unwrap_or(question);
            println!("wrong: it {}\n{}\n{alone}", wrong.misstatement.said, wrong.misstatement.explanation);
        }
        Ok(())
    }

    /// The statement that a model of the other solver refutes.
    fn refuted(
        &mut self,
        question: &str,
        seen: &Observation,
    ) -> Result<Option<WrongStatement>, Box<dyn Error>> {
        let Some(other) = &mut self.other else { return Ok(None) };
        if !choice(question, "doubt").is_multiple_of(self.oracle.description().doubted) {
            return Ok(None);
        }
        let Some(doubt) = self.oracle.doubt(question, seen) else { return Ok(None) };
        self.doubts += 1;
        let limits = Limits { wall: LIMIT, ..Limits::default() };
        let want = Want { model: true, ..Want::default() };
        let run = other.run(&RunRequest::new(&doubt).limits(limits).want(want))?;
        let model = run.model().filter(|_| run.answers == [Answer::Sat]);
        Ok(model.and_then(|model| self.oracle.refuted_by(&mut self.judge, question, seen, model)))
    }
}

fn measure(oracle: &str, solver: &str, seconds: &str, folders: &[String]) -> Result<(), Box<dyn Error>> {
    let oracle = oracle_for(Statement::from_name(oracle).ok_or("there is no such oracle")?);
    let time = Duration::from_secs(seconds.parse()?);
    let (solver, other) =
        solver.split_once(',').map_or((solver, None), |(solver, other)| (solver, Some(other)));
    let settings = Settings::from_environment()?;
    let target = resolve(solver, &settings)?;
    let other = match other {
        Some(other) => Some(runner(&resolve(other, &settings)?, RunMode::Fork, &RunSettings::default())?),
        None => None,
    };
    let profile = target.profile.at(&target.version);
    profile.ask.statement(oracle.description().kind).ok_or("the solver does not state this")?;
    let mut asked = Asked {
        oracle,
        profile,
        runner: runner(&target, RunMode::Fork, &RunSettings::default())?,
        other,
        doubts: 0,
        judge: Evaluated::default(),
        statements: 0,
        scripts: 0,
        undetermined: 0,
        wrong: 0,
        crashes: 0,
    };
    let started = Instant::now();
    let folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
    if !folders.is_empty() {
        for script in find_scripts(&folders)? {
            if started.elapsed() < time {
                asked.ask(&case::files::read_text(&script)?)?;
            }
        }
    }
    let strategy = by_name("grammar", &StrategyContext::new(Signatures::standard()))?;
    let seed = strategy.own_seed().ok_or("the grammar needs no seeds")?;
    for turn in 0.. {
        let random = Random::from_parts(&[1, seed.hash, turn]);
        let mut mutator = strategy.open(&seed, random).map_err(|reason| reason.to_string())?;
        for _ in 0..TURN {
            let Some(case) = mutator.next_case() else { break };
            if case.solvers.as_ref().is_none_or(|solvers| solvers.contains(&asked.profile.name)) {
                asked.ask(&case.text)?;
            }
        }
        if started.elapsed() >= time {
            break;
        }
    }
    let Asked { statements, scripts, doubts, undetermined, wrong, crashes, .. } = asked;
    println!(
        "{solver}: {statements} statements in {scripts} scripts ({undetermined} undetermined, {doubts} asked of the other), {:.0}/s; {wrong} wrong, {crashes} crashes",
        statements as f64 / started.elapsed().as_secs_f64()
    );
    Ok(())
}
