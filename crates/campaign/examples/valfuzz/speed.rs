//! Enforcements per second: a warm solver against one process per question, for the same questions.

use crate::statistics::median;
use crate::{Failure, NEWEST, Request, questioner, scripts, target};
use campaign::SolverQuestioner;
use smt::Signatures;
use solver::run::{Limits, RunSettings, Want};
use solver::{RunMode, RunRequest, Runner, runner};
use std::time::{Duration, Instant};
use strategies::{Learned, LiveQuestion, Questioner, Random, Seed, ValFuzz, ValFuzzSettings};

/// Enforcements per seed.
const ENFORCEMENTS: usize = 40;
/// The time limit of a question.
const LIMIT: Duration = Duration::from_millis(200);

/// Asks a warm solver and records the time of each question.
struct Timed {
    solver: SolverQuestioner,
    asked: Vec<(LiveQuestion, Option<bool>, Duration)>,
}

impl Questioner for Timed {
    fn ask(&mut self, question: &LiveQuestion) -> Option<Learned> {
        let begun = Instant::now();
        let learned = self.solver.ask(question)?;
        self.asked.push((question.clone(), learned.sat, begun.elapsed()));
        Some(learned)
    }
}

/// The answer of a fresh process, and how long it took.
fn ask_cold(cold: &mut dyn Runner, question: &LiveQuestion) -> Result<(Option<bool>, Duration), Failure> {
    let script = format!("{}{}(check-sat)\n", question.prelude, question.assertions);
    let limits = Limits { wall: LIMIT, ..Limits::default() };
    let want = Want { model: true, variety: Some(question.random_seed), ..Want::default() };
    let begun = Instant::now();
    let seen = cold.run(&RunRequest::new(&script).limits(limits).want(want))?;
    let sat = match seen.answer() {
        Some(solver::Answer::Sat) => Some(true),
        Some(solver::Answer::Unsat) => Some(false),
        _ => None,
    };
    Ok((sat, begun.elapsed()))
}

/// Prints both rates.
pub fn run(request: &Request) -> Result<(), Failure> {
    let files = scripts(&request.path, request.files, |_| true)?;
    let settings = ValFuzzSettings { limit: ENFORCEMENTS, ..ValFuzzSettings::default() };
    let strategy = ValFuzz::new(Signatures::standard(), settings);
    let mut warm = Timed { solver: questioner()?, asked: Vec::new() };
    let mut cold = runner(&target(NEWEST)?, RunMode::OneShot, &RunSettings::default())?;
    let (mut warm_times, mut cold_times) = (Vec::new(), Vec::new());
    // For each seed: its rate with a warm solver and with one process per question.
    let mut seeds: Vec<[f64; 2]> = Vec::new();
    let mut differ = 0;
    for (number, (name, text)) in files.iter().enumerate() {
        if number % 20 == 0 {
            eprint!("\r{number} of {} scripts", files.len());
        }
        let seed = Seed::new(name.clone(), text.as_str());
        let Ok(mut mutator) = strategy.open_seed(&seed, Random::from_parts(&[1, seed.hash])) else {
            continue;
        };
        warm.solver.begin();
        while mutator.next_mutant(&mut warm).is_some() {}
        let first = warm_times.len();
        for (question, warm_answer, took) in warm.asked.drain(..) {
            let (answer, alone) = ask_cold(cold.as_mut(), &question)?;
            // Both should give the same answers.
            differ += u64::from(answer.is_some() && warm_answer.is_some() && answer != warm_answer);
            warm_times.push(took.as_secs_f64());
            cold_times.push(alone.as_secs_f64());
        }
        if warm_times.len() > first {
            seeds.push([&warm_times, &cold_times].map(|times| rate(&times[first..])));
        }
    }
    eprintln!("\r{} scripts          ", files.len());
    let questions = warm_times.len();
    println!("{questions} enforcements of {} seeds by {NEWEST}; answers that differ: {differ}", seeds.len());
    for (name, times) in [("warm", &warm_times), ("one process per question", &cold_times)] {
        println!("{name}: {:.0} per second, median {:.2} ms", rate(times), 1e3 * median(times));
    }
    println!("ratio of all time: {:.1}", rate(&warm_times) / rate(&cold_times));
    println!("ratio of medians: {:.1}", median(&cold_times) / median(&warm_times));
    let ratios: Vec<f64> = seeds.iter().map(|[warm, cold]| warm / cold).collect();
    println!("ratio of a seed's time, median: {:.1}", median(&ratios));
    let [warm, cold] =
        [0, 1].map(|mode| seeds.iter().map(|rates| rates[mode]).sum::<f64>() / seeds.len() as f64);
    println!("with the same time for every seed, as in a campaign:");
    println!("warm {warm:.0} per second, one process per question {cold:.0}: ratio {:.1}", warm / cold);
    Ok(())
}

/// Questions per second.
fn rate(times: &[f64]) -> f64 {
    times.len() as f64 / times.iter().sum::<f64>().max(1e-9)
}
