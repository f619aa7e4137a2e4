//! What a solver states about many formulas: `statements ORACLE SOLVER[,OTHER] SECONDS[,FIRST] [FOLDER…]`.
//!
//! The formulas are the scripts of the folders, then those of the grammar until the time is over, from turn FIRST on. Another solver, if
//! there is one, is asked whether the statements can be wrong, as often as in a campaign and with the limits that a campaign learns.
//! Prints every wrong statement and every crash, how many statements a second were made and checked on one core, and where the time went.

use campaign::{StatementLimits, StatementRun};
use case::files::find_scripts;
use case::hash::choice;
use case::{SolverIndex, Statement};
use smt::Signatures;
use solver::install::{Settings, resolve};
use solver::run::{Limits, RunSettings, Want};
use solver::{Answer, Observation, Outcome, Profile, RunMode, RunRequest, Runner, runner};
use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use strategies::{Random, StrategyContext, by_name};
use triage::{Evaluated, Oracle, Reading, StatementVerdict, WrongStatement, oracle_for};

/// The longest limit of one script.
const LIMIT: Duration = Duration::from_secs(1);
/// The formulas of the grammar that share their sorts and constants.
const TURN: usize = 20;
/// The time between two lines about the progress.
const PROGRESS: Duration = Duration::from_secs(60);

const SOLVER: SolverIndex = SolverIndex(0);
const OTHER: SolverIndex = SolverIndex(1);

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).peekable();
    // The cvc5 library is driven by the running program.
    if arguments.next_if(|first| first == "__drive").is_some() {
        std::process::exit(solver::driver::drive(arguments));
    }
    let arguments: Vec<String> = arguments.map(|word| word.to_string_lossy().into_owned()).collect();
    let result = match arguments.as_slice() {
        [oracle, solver, seconds, folders @ ..] => measure(oracle, solver, seconds, folders),
        _ => Err("usage: statements ORACLE SOLVER[,OTHER] SECONDS[,FIRST] [FOLDER…]".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Runs of one kind.
#[derive(Default)]
struct Runs {
    count: usize,
    /// Those that brought something.
    useful: usize,
    time: Duration,
    wasted: Duration,
}

impl Runs {
    fn add(&mut self, took: Duration, useful: bool) {
        self.count += 1;
        self.time += took;
        if useful {
            self.useful += 1;
        } else {
            self.wasted += took;
        }
    }
}

impl fmt::Display for Runs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Runs { count, useful, time, wasted } = self;
        write!(
            f,
            "{count} runs, {useful} useful, {:.1} s ({:.1} s in vain)",
            time.as_secs_f64(),
            wasted.as_secs_f64()
        )
    }
}

/// What was asked so far.
struct Asked {
    oracle: &'static dyn Oracle,
    profile: Profile,
    runner: Box<dyn Runner>,
    /// The other solver.
    other: Option<Box<dyn Runner>>,
    limits: StatementLimits,
    judge: Evaluated,
    started: Instant,
    reported: Instant,
    statements: usize,
    /// Statements that were compared with our evaluation or another solver's.
    checked: usize,
    scripts: usize,
    /// Scripts about which our evaluation decides nothing.
    undetermined: usize,
    wrong: usize,
    crashes: usize,
    questions: Runs,
    doubts: Runs,
    evaluation: Duration,
}

impl Asked {
    fn ask(&mut self, script: &str) -> Result<(), Box<dyn Error>> {
        let Some(question) = self.oracle.question(script, None, &self.profile) else { return Ok(()) };
        let kind = self.oracle.description().kind;
        let limit = self.limits.next(SOLVER, kind, StatementRun::Statements, LIMIT);
        let (seen, took) = run(&mut self.runner, &question, limit.wall, Want::default())?;
        self.scripts += 1;
        self.statements += self.oracle.pieces(&seen).len();
        let started = Instant::now();
        let reading = self.oracle.reading(&question, &seen);
        let checked = reading.as_ref().map_or(0, Reading::count);
        self.checked += checked;
        self.questions.add(took, checked > 0);
        self.limits.record(SOLVER, kind, StatementRun::Statements, limit, (took, checked > 0));
        if let Outcome::Crash(crash) = &seen.outcome {
            self.crashes += 1;
            println!("crash: {crash}\n{question}");
        }
        let Some(reading) = reading else { return Ok(()) };
        let verdict = reading.judge(&mut self.judge);
        self.evaluation += started.elapsed();
        self.undetermined += usize::from(verdict == StatementVerdict::Undetermined);
        let wrong = match verdict {
            StatementVerdict::Wrong(wrong) => Some(wrong),
            StatementVerdict::Right | StatementVerdict::Undetermined => self.refuted(&question, &reading)?,
        };
        if let Some(wrong) = wrong {
            self.wrong += 1;
            let alone = self.oracle.alone(&question, wrong.number).unwrap_or(question);
            println!("wrong: it {}\n{}\n{alone}", wrong.misstatement.said, wrong.misstatement.explanation);
        }
        if self.reported.elapsed() >= PROGRESS {
            self.reported = Instant::now();
            eprintln!("{self}");
        }
        Ok(())
    }

    /// The statement that a model of the other solver refutes.
    fn refuted(
        &mut self,
        question: &str,
        reading: &Reading,
    ) -> Result<Option<WrongStatement>, Box<dyn Error>> {
        let Some(other) = &mut self.other else { return Ok(None) };
        if !choice(question, "doubt").is_multiple_of(self.oracle.description().doubted) {
            return Ok(None);
        }
        let Some(doubt) = reading.doubt() else { return Ok(None) };
        let kind = self.oracle.description().kind;
        let limit = self.limits.next(OTHER, kind, StatementRun::Doubt, LIMIT);
        let (seen, took) = run(other, &doubt, limit.wall, Want { model: true, ..Want::default() })?;
        let ended = seen.outcome == Outcome::Answered;
        self.doubts.add(took, ended);
        self.limits.record(OTHER, kind, StatementRun::Doubt, limit, (took, ended));
        let model = seen.model().filter(|_| seen.answers == [Answer::Sat]);
        Ok(model.and_then(|model| reading.refuted_by(&mut self.judge, model)))
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Asked { statements, checked, scripts, undetermined, wrong, crashes, .. } = self;
        let seconds = self.started.elapsed().as_secs_f64();
        writeln!(
            f,
            "{statements} statements in {scripts} scripts ({undetermined} undetermined), {checked} checked, {:.0}/s in {seconds:.0} s; {wrong} wrong, {crashes} crashes",
            *checked as f64 / seconds,
        )?;
        writeln!(f, "  questions: {}", self.questions)?;
        writeln!(f, "  doubts: {}", self.doubts)?;
        write!(f, "  evaluation: {:.1} s", self.evaluation.as_secs_f64())
    }
}

/// Runs a script, and says how long it took.
fn run(
    runner: &mut Box<dyn Runner>,
    script: &str,
    wall: Duration,
    want: Want,
) -> Result<(Observation, Duration), Box<dyn Error>> {
    let limits = Limits { wall, ..Limits::default() };
    let started = Instant::now();
    let seen = runner.run(&RunRequest::new(script).limits(limits).want(want))?;
    Ok((seen, started.elapsed()))
}

fn measure(oracle: &str, solver: &str, seconds: &str, folders: &[String]) -> Result<(), Box<dyn Error>> {
    let oracle = oracle_for(Statement::from_name(oracle).ok_or("there is no such oracle")?);
    let (seconds, first) = seconds.split_once(',').unwrap_or((seconds, "0"));
    let time = Duration::from_secs(seconds.parse()?);
    let first: u64 = first.parse()?;
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
        limits: StatementLimits::default(),
        judge: Evaluated::default(),
        started: Instant::now(),
        reported: Instant::now(),
        statements: 0,
        checked: 0,
        scripts: 0,
        undetermined: 0,
        wrong: 0,
        crashes: 0,
        questions: Runs::default(),
        doubts: Runs::default(),
        evaluation: Duration::ZERO,
    };
    let folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
    if !folders.is_empty() {
        for script in find_scripts(&folders)? {
            if asked.started.elapsed() < time {
                asked.ask(&case::files::read_text(&script)?)?;
            }
        }
    }
    let strategy = by_name("grammar", &StrategyContext::new(Signatures::standard()))?;
    let seed = strategy.own_seed().ok_or("the grammar needs no seeds")?;
    for turn in first.. {
        if asked.started.elapsed() >= time {
            println!("{solver}, turns {first} to {turn}: {asked}");
            return Ok(());
        }
        let random = Random::from_parts(&[1, seed.hash, turn]);
        let mut mutator = strategy.open(&seed, random).map_err(|reason| reason.to_string())?;
        for _ in 0..TURN {
            let Some(case) = mutator.next_case() else { break };
            if case.solvers.as_ref().is_none_or(|solvers| solvers.contains(&asked.profile.name)) {
                asked.ask(&case.text)?;
            }
        }
    }
    Ok(())
}
