//! Measures the evaluation of a script's assertions under a model and prints JSON: `evaluation SCRIPT MODEL ROUNDS [only]`.
//!
//! `seconds` is the time of one evaluation of prepared terms. `first_seconds` and `second_seconds` are the times of the first
//! evaluation after reading and of the second, which prepares the terms. `whole_seconds` is the time from the two texts to the
//! verdict. Each is the minimum over several batches after a warm-up, since other load only adds time. With `only`, the example
//! measures evaluation alone, for profiling.

use elenchus_semantics::eval::Limits;
use elenchus_semantics::model::StringDialect;
use elenchus_semantics::validate::{judge, questions};
use elenchus_semantics::{Memory, Model, Verdict};
use smt::{Arena, Scope};
use std::time::Instant;

/// The number of batches.
const BATCHES: usize = 15;

/// The seconds per round of the fastest batch.
fn fastest(rounds: u32, mut round: impl FnMut() -> Result<(), String>) -> Result<f64, String> {
    round()?;
    let mut best = f64::INFINITY;
    for _ in 0..BATCHES {
        let start = Instant::now();
        for _ in 0..rounds {
            round()?;
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(rounds.max(1)));
    }
    Ok(best)
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Valid => "valid",
        Verdict::Invalid { .. } => "invalid",
        Verdict::Undetermined { .. } => "undetermined",
    }
}

fn read(script: &str, model: &str) -> Result<(Arena, smt::Script, Model), String> {
    let mut arena = Arena::default();
    let mut scope = Scope::default();
    let parsed = smt::parse_in_scope(&mut arena, &mut scope, script)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
    let model =
        Model::read(&mut arena, &scope, model, StringDialect::Standard).map_err(|error| error.to_string())?;
    Ok((arena, parsed, model))
}

/// Seconds per round.
struct Measured {
    /// Evaluation of prepared terms.
    evaluation: f64,
    /// The first evaluation after reading.
    first: f64,
    /// The second evaluation, which prepares the terms.
    second: f64,
    /// Everything from the texts to the verdict.
    whole: f64,
    verdict: &'static str,
}

fn measure(script: &str, model: &str, rounds: u32, only: bool) -> Result<Measured, String> {
    let (arena, parsed, known) = read(script, model)?;
    let question = questions(&parsed).pop().unwrap_or_default();
    let judged = |memory: Memory| judge(&arena, &question, &known, Limits::default(), memory);
    let mut memory = Memory::default();
    let mut said = "";
    let evaluation = fastest(rounds, || {
        let (verdict, back) = judged(std::mem::take(&mut memory));
        memory = back;
        said = word(&verdict);
        Ok(())
    })?;
    let mut measured = Measured { evaluation, first: 0.0, second: 0.0, whole: 0.0, verdict: said };
    if only {
        return Ok(measured);
    }
    measured.first = fastest(rounds, || {
        judged(Memory::default());
        Ok(())
    })?;
    let both = fastest(rounds, || {
        judged(judged(Memory::default()).1);
        Ok(())
    })?;
    measured.second = both - measured.first;
    measured.whole = fastest(rounds, || {
        let (arena, parsed, model) = read(script, model)?;
        let question = questions(&parsed).pop().unwrap_or_default();
        let (verdict, _) = judge(&arena, &question, &model, Limits::default(), Memory::default());
        if word(&verdict) == said { Ok(()) } else { Err("the verdict changes".to_owned()) }
    })?;
    Ok(measured)
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let only = arguments.pop_if(|last| last == "only").is_some();
    let [script, model, rounds] = &arguments[..] else {
        eprintln!("usage: evaluation SCRIPT MODEL ROUNDS [only]");
        std::process::exit(2);
    };
    let read = |path: &str| std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let result = match (read(script), read(model), rounds.parse()) {
        (Ok(script), Ok(model), Ok(rounds)) => measure(&script, &model, rounds, only),
        _ => Err("the files or the number cannot be read".to_owned()),
    };
    match result {
        Ok(Measured { evaluation, first, second, whole, verdict }) => {
            println!(
                "{{\"seconds\": {evaluation:e}, \"first_seconds\": {first:e}, \"second_seconds\": {second:e}, \
                 \"whole_seconds\": {whole:e}, \"verdict\": \"{verdict}\"}}"
            )
        }
        Err(message) => {
            eprintln!("{message}");
            std::process::exit(1);
        }
    }
}
