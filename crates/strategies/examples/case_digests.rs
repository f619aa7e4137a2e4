//! Prints a digest of the cases that every strategy makes, to show that a change keeps them byte for byte.
//!
//! Usage: `case_digests FOLDER [--every N] [--answers FILE [--record SOLVER]]`
//!
//! One line per strategy, seed and round: the strategy's name, the hash of the seed, the round, the number of cases, and a hash
//! of their texts and expectations. Strategies that ask a solver get the recorded answers of FILE. With `--record`, SOLVER
//! answers the questions that FILE has no answer to, and the answers are appended to FILE. Without answers, they make fewer
//! cases.

mod common {
    pub mod seeds;
}

use case::hash::fnv1a;
use common::seeds::seeds;
use smt::Signatures;
use solver::install::{Settings, resolve};
use solver::run::{Limits, RunSettings, Want};
use solver::{Answer, RunMode, RunRequest, Runner, runner};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use strategies::{
    Expectation, Learned, LiveQuestion, Questioner, Random, Seed, SeedQuestion, Strategy, StrategyContext,
    all, by_name,
};

/// The random seed of the campaign.
const CAMPAIGN_SEED: u64 = 7;
const ROUNDS: u64 = 2;
const CASES: usize = 12;
/// Rounds for strategies that work from a seed of their own.
const OWN_SEED_ROUNDS: u64 = 10;
/// How long the solver may take to answer one question.
const QUESTION_LIMIT: Duration = Duration::from_secs(1);
/// After this many unanswered questions in one round, no more are asked.
const UNANSWERED_LIMIT: usize = 2;
/// Strategies that ask a solver for every case get one seed in this many.
const ASKING_STEP: usize = 12;
/// Strategies in addition to [`all`].
const COMBINED: [&str; 5] = [
    "valfuzz:BLENDB",
    "valfuzz:NOSKOLE_EFFINAL",
    "valfuzz:ADOMAINE_CPOG",
    "typefuzz+valfuzz",
    "histfuzz+valfuzz",
];

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(mut arguments: impl Iterator<Item = String>) -> Result<(), Box<dyn Error>> {
    let (mut folder, mut every, mut file, mut solver) = (None, 1, None, None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--every" => every = arguments.next().ok_or("--every needs a number")?.parse()?,
            "--answers" => file = arguments.next().map(PathBuf::from),
            "--record" => solver = arguments.next(),
            _ => folder = Some(PathBuf::from(argument)),
        }
    }
    let folder = folder.ok_or("usage: case_digests FOLDER [--every N] [--answers FILE [--record SOLVER]]")?;
    let mut answers = Answers::open(file, solver.as_deref())?;
    let seeds: Vec<Seed> = seeds(&folder).into_iter().step_by(every).collect();
    let context = StrategyContext::new(Signatures::standard());
    let mut strategies = all(&context);
    strategies.extend(COMBINED.iter().filter_map(|name| by_name(name, &context).ok()));
    for strategy in &strategies {
        match strategy.own_seed() {
            Some(own) => digest(strategy.as_ref(), &own, OWN_SEED_ROUNDS, &mut answers),
            None => {
                let step = if strategy.name().contains("valfuzz") { ASKING_STEP } else { 1 };
                seeds
                    .iter()
                    .step_by(step)
                    .for_each(|seed| digest(strategy.as_ref(), seed, ROUNDS, &mut answers));
            }
        }
    }
    answers.save()
}

/// Prints the digests of a strategy's cases from one seed.
fn digest(strategy: &dyn Strategy, seed: &Seed, rounds: u64, answers: &mut Answers) {
    let mut seed = seed.clone();
    answers.unanswered = 0;
    let mut number = 0;
    while let Some(question) = strategy.seed_question(&seed, number) {
        seed.learned.extend(answers.of_seed(&question, number));
        number += 1;
    }
    for round in 0..rounds {
        let parts = [CAMPAIGN_SEED, fnv1a(strategy.name()), seed.hash, round];
        let mut mutator = match strategy.open(&seed, Random::from_parts(&parts)) {
            Ok(mutator) => mutator,
            Err(_) => {
                println!("{} {:016x} {round} unsuitable", strategy.name(), seed.hash);
                continue;
            }
        };
        answers.unanswered = 0;
        let mut text = String::new();
        let mut cases = 0;
        while cases < CASES
            && let Some(case) = mutator.next_case_with(answers)
        {
            text += &case.text;
            text += match &case.expectation {
                Expectation::Unknown | Expectation::Labelled { .. } => "unknown",
                Expectation::Sat { model } => model,
                Expectation::Unsat { .. } => "unsat",
            };
            cases += 1;
        }
        println!("{} {:016x} {round} {cases} {:016x}", strategy.name(), seed.hash, fnv1a(&text));
    }
}

/// The answers to questions, by a hash of the question.
struct Answers {
    file: Option<PathBuf>,
    known: BTreeMap<u64, (Option<bool>, String)>,
    new: Vec<u64>,
    solver: Option<Box<dyn Runner>>,
    unanswered: usize,
}

impl Answers {
    fn open(file: Option<PathBuf>, solver: Option<&str>) -> Result<Answers, Box<dyn Error>> {
        let mut known = BTreeMap::new();
        let text = match &file {
            Some(file) if file.exists() => fs::read_to_string(file)?,
            _ => String::new(),
        };
        for line in text.lines() {
            let mut fields = line.splitn(3, ' ');
            let (Some(key), Some(answer), Some(text)) = (fields.next(), fields.next(), fields.next()) else {
                return Err(format!("not an answer: `{line}`").into());
            };
            let sat = match answer {
                "sat" => Some(true),
                "unsat" => Some(false),
                _ => None,
            };
            known.insert(u64::from_str_radix(key, 16)?, (sat, text.replace('\t', "\n")));
        }
        let solver = match solver {
            Some(solver) => {
                let target = resolve(solver, &Settings::from_environment()?)?;
                Some(runner(&target, RunMode::Fork, &RunSettings::default())?)
            }
            None => None,
        };
        Ok(Answers { file, known, new: Vec::new(), solver, unanswered: 0 })
    }

    fn save(&self) -> Result<(), Box<dyn Error>> {
        let Some(file) = &self.file else { return Ok(()) };
        let mut file = fs::OpenOptions::new().create(true).append(true).open(file)?;
        for key in &self.new {
            let (sat, text) = &self.known[key];
            let answer = match sat {
                Some(true) => "sat",
                Some(false) => "unsat",
                None => "unknown",
            };
            writeln!(file, "{key:016x} {answer} {}", text.replace('\n', "\t"))?;
        }
        Ok(())
    }

    fn of_seed(&mut self, question: &SeedQuestion, number: usize) -> Option<Learned> {
        let want = Want { model: !question.core, core: question.core, ..Want::default() };
        self.answer(&question.script, want, number)
    }

    fn answer(&mut self, script: &str, want: Want, number: usize) -> Option<Learned> {
        if self.unanswered >= UNANSWERED_LIMIT {
            return None;
        }
        let key = fnv1a(&format!("{script}\n{}\n{:?}", want.core, want.variety));
        if !self.known.contains_key(&key) {
            let limits = Limits { wall: QUESTION_LIMIT, ..Limits::default() };
            let request = RunRequest::new(script).limits(limits).want(want);
            let seen = self.solver.as_mut()?.run(&request).ok()?;
            let sat = match seen.answer() {
                Some(Answer::Sat) => Some(true),
                Some(Answer::Unsat) => Some(false),
                _ => None,
            };
            let text = if want.core { seen.core() } else { seen.model() };
            self.known.insert(key, (sat, text.unwrap_or_default().to_owned()));
            self.new.push(key);
        }
        let (sat, text) = self.known[&key].clone();
        self.unanswered += usize::from(sat.is_none());
        Some(Learned { question: number, solver: "z3".to_owned(), sat, text })
    }
}

impl Questioner for Answers {
    fn ask(&mut self, question: &LiveQuestion) -> Option<Learned> {
        let script = format!("{}{}\n(check-sat)\n", question.prelude, question.assertions);
        let want = Want { model: true, variety: Some(question.random_seed), ..Want::default() };
        self.answer(&script, want, 0)
    }
}
