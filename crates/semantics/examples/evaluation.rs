//! How long it takes to evaluate the assertions of a script under a model, as JSON: `evaluation SCRIPT MODEL ROUNDS`.
//!
//! `seconds` is for a round with everything read beforehand, `whole_seconds` for the way from the two texts to the verdict. Both
//! are those of the fastest of several batches of rounds, after one that is not counted: other work on the machine only adds.

use semantics::eval::Limits;
use semantics::model::StringDialect;
use semantics::validate::{judge, questions};
use semantics::{Memory, Model, Verdict};
use smt::{Arena, Scope};
use std::time::Instant;

/// How many batches there are.
const BATCHES: usize = 5;

/// The seconds of a round in the fastest batch.
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

fn measure(script: &str, model: &str, rounds: u32) -> Result<(f64, f64, &'static str), String> {
    let (arena, parsed, known) = read(script, model)?;
    let question = questions(&parsed).pop().unwrap_or_default();
    let mut memory = Memory::default();
    let mut said = "";
    let seconds = fastest(rounds, || {
        let (verdict, back) =
            judge(&arena, &question, &known, Limits::default(), std::mem::take(&mut memory));
        memory = back;
        said = word(&verdict);
        Ok(())
    })?;
    let whole = fastest(rounds, || {
        let (arena, parsed, model) = read(script, model)?;
        let question = questions(&parsed).pop().unwrap_or_default();
        let (verdict, _) = judge(&arena, &question, &model, Limits::default(), Memory::default());
        if word(&verdict) == said { Ok(()) } else { Err("the verdict changes".to_owned()) }
    })?;
    Ok((seconds, whole, said))
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [script, model, rounds] = &arguments[..] else {
        eprintln!("usage: evaluation SCRIPT MODEL ROUNDS");
        std::process::exit(2);
    };
    let read = |path: &str| std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let result = match (read(script), read(model), rounds.parse()) {
        (Ok(script), Ok(model), Ok(rounds)) => measure(&script, &model, rounds),
        _ => Err("the files or the number cannot be read".to_owned()),
    };
    match result {
        Ok((seconds, whole, verdict)) => {
            println!("{{\"seconds\": {seconds:e}, \"whole_seconds\": {whole:e}, \"verdict\": \"{verdict}\"}}")
        }
        Err(message) => {
            eprintln!("{message}");
            std::process::exit(1);
        }
    }
}
