//! Strategies whose cases have a known answer: cases per second, and whether the answer is right: `known_status STRATEGY FOLDER CASES
//! [SOLVER]`.
//!
//! A solver (Z3 by default) answers the questions of the strategy. A case that is expected to be satisfiable is evaluated under its
//! model. One that is expected to be unsatisfiable goes to the solver, and a model that our evaluation confirms counts against it. Only
//! making cases is timed.

mod common {
    pub mod clock;
    pub mod seeds;
}

use common::clock::cpu_time;
use common::seeds::seeds;
use semantics::model::StringDialect;
use semantics::{Model, Verdict, validate};
use smt::{Arena, Scope, Signatures, parse_in_scope};
use solver::install::{Settings, resolve};
use solver::run::{Limits, RunSettings, Want};
use solver::{Answer, Observation, RunMode, RunRequest, Runner, runner};
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use strategies::{
    Case, Expectation, Learned, LiveQuestion, Questioner, Random, Seed, Strategy, StrategyContext, by_name,
};

/// The cases of a seed, or of a turn.
const TURN: usize = 50;
/// The limit of a run of the solver.
const LIMIT: Duration = Duration::from_millis(500);

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).peekable();
    // The cvc5 library is driven by the running program.
    if arguments.next_if(|first| first == "__drive").is_some() {
        std::process::exit(solver::driver::drive(arguments));
    }
    let arguments: Vec<String> = arguments.map(|word| word.to_string_lossy().into_owned()).collect();
    let result = match arguments.as_slice() {
        [strategy, folder, cases] => measure(strategy, folder, cases, "z3@latest"),
        [strategy, folder, cases, solver] => measure(strategy, folder, cases, solver),
        _ => Err("usage: known_status STRATEGY FOLDER CASES [SOLVER]".into()),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Asks one solver.
struct OneSolver {
    name: String,
    runner: Box<dyn Runner>,
    /// The CPU time that answers took. It is not that of the strategy.
    waited: Duration,
}

impl OneSolver {
    fn run(&mut self, script: &str) -> Option<Observation> {
        let begin = cpu_time().unwrap_or_default();
        let limits = Limits { wall: LIMIT, ..Limits::default() };
        let want = Want { model: true, ..Want::default() };
        let seen = self.runner.run(&RunRequest::new(script).limits(limits).want(want)).ok();
        self.waited += cpu_time().unwrap_or_default() - begin;
        seen
    }

    fn learn(&mut self, script: &str) -> Option<Learned> {
        let seen = self.run(script)?;
        let sat = match seen.answer() {
            Some(Answer::Sat) => Some(true),
            Some(Answer::Unsat) => Some(false),
            _ => None,
        };
        let text = seen.model().unwrap_or_default().to_owned();
        Some(Learned { question: 0, solver: self.name.clone(), sat, text })
    }
}

impl Questioner for OneSolver {
    fn ask(&mut self, question: &LiveQuestion) -> Option<Learned> {
        self.learn(&format!("{}{}(check-sat)\n", question.prelude, question.assertions))
    }
}

/// What became of the cases.
#[derive(Default)]
struct Sum {
    seconds: f64,
    /// Expected to be satisfiable, and true under their models.
    sat: usize,
    /// Expected to be satisfiable; our evaluation cannot decide.
    undetermined: usize,
    /// Expected to be unsatisfiable, and the solver says so, or gives no answer.
    unsat: usize,
    unanswered: usize,
    wrong: Vec<String>,
}

impl Sum {
    fn all(&self) -> usize {
        self.sat + self.undetermined + self.unsat + self.unanswered + self.wrong.len()
    }

    fn count(&mut self, case: &Case, solver: &mut OneSolver) {
        match &case.expectation {
            Expectation::Sat { model } => match judged(&case.text, model) {
                Some(Verdict::Valid) => self.sat += 1,
                Some(Verdict::Invalid { .. }) => self.wrong.push(case.text.clone()),
                _ => self.undetermined += 1,
            },
            Expectation::Unsat { .. } => match solver.run(&case.text) {
                Some(seen) if seen.answer() == Some(Answer::Unsat) => self.unsat += 1,
                Some(seen) if seen.model().is_some_and(|model| is_model(&case.text, model)) => {
                    self.wrong.push(case.text.clone());
                }
                _ => self.unanswered += 1,
            },
            _ => {}
        }
    }
}

/// Whether a script is true under a model.
fn is_model(script: &str, model: &str) -> bool {
    matches!(judged(script, model), Some(Verdict::Valid))
}

/// What our evaluation says about a model of a script; `None` if one of them cannot be read.
fn judged(script: &str, model: &str) -> Option<Verdict> {
    let mut arena = Arena::default();
    let mut scope = Scope::default();
    let script = parse_in_scope(&mut arena, &mut scope, script).ok()?;
    let model = Model::read(&mut arena, &scope, model, StringDialect::Standard).ok()?;
    Some(validate(&arena, &script, &model))
}

fn measure(name: &str, folder: &str, cases: &str, solver: &str) -> Result<bool, Box<dyn Error>> {
    let cases: usize = cases.parse()?;
    let target = resolve(solver, &Settings::from_environment()?)?;
    let runner = runner(&target, RunMode::Fork, &RunSettings::default())?;
    let mut solver = OneSolver { name: target.name.clone(), runner, waited: Duration::ZERO };
    let mut seeds = seeds(Path::new(folder));
    let context = StrategyContext::new(Signatures::standard()).with_seeds(seeds.clone(), 1);
    let strategy = by_name(name, &context)?;
    for seed in &mut seeds {
        if strategy.own_seed().is_none()
            && let Some(question) = strategy.seed_question(seed, 0)
        {
            seed.learned.extend(solver.learn(&question.script));
        }
    }
    let mut sum = Sum::default();
    let mut round = 0;
    while sum.all() < cases {
        let before = sum.all();
        let own = strategy.own_seed();
        for seed in own.iter().chain(if own.is_none() { seeds.as_slice() } else { &[] }) {
            turn(strategy.as_ref(), seed, round, &mut solver, &mut sum);
            if sum.all() >= cases {
                break;
            }
        }
        if sum.all() == before && own.is_none() {
            return Err("no seed has a model, or another answer that the strategy needs".into());
        }
        round += 1;
    }
    let Sum { seconds, sat, undetermined, unsat, unanswered, wrong } = &sum;
    println!(
        "{name}: {} cases, {:.0} a CPU-second; {sat} true under their models, {undetermined} undetermined, {unsat} unsat, \
         {unanswered} expected unsat without an answer, {} wrong",
        sum.all(),
        sum.all() as f64 / seconds,
        wrong.len()
    );
    wrong.iter().take(3).for_each(|script| println!("{script}"));
    Ok(wrong.is_empty())
}

/// Makes the cases of one seed, and checks them.
fn turn(strategy: &dyn Strategy, seed: &Seed, round: u64, solver: &mut OneSolver, sum: &mut Sum) {
    let time = |solver: &OneSolver| cpu_time().unwrap_or_default().saturating_sub(solver.waited);
    let begin = time(solver);
    let opened = strategy.open(seed, Random::from_parts(&[1, seed.hash, round]));
    sum.seconds += (time(solver) - begin).as_secs_f64();
    let Ok(mut mutator) = opened else { return };
    for _ in 0..TURN {
        let begin = time(solver);
        let case = mutator.next_case_with(solver);
        sum.seconds += (time(solver) - begin).as_secs_f64();
        let Some(case) = case else { break };
        sum.count(&case, solver);
    }
}
