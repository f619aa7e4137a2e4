//! How long it takes to evaluate the assertions of a script under a model, as JSON: `evaluation SCRIPT MODEL ROUNDS`.

use semantics::eval::Limits;
use semantics::model::StringDialect;
use semantics::validate::{judge, questions};
use semantics::{Memory, Model, Verdict};
use smt::{Arena, Scope};
use std::time::Instant;

fn measure(script: &str, model: &str, rounds: u32) -> Result<(f64, &'static str), String> {
    let mut arena = Arena::default();
    let mut scope = Scope::default();
    let parsed = smt::parse_in_scope(&mut arena, &mut scope, script)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
    let model =
        Model::read(&mut arena, &scope, model, StringDialect::Standard).map_err(|error| error.to_string())?;
    let question = questions(&parsed).pop().unwrap_or_default();
    let mut memory = Memory::default();
    let mut word = "undetermined";
    let start = Instant::now();
    for _ in 0..rounds {
        let (verdict, back) = judge(&arena, &question, &model, Limits::default(), memory);
        memory = back;
        word = match verdict {
            Verdict::Valid => "valid",
            Verdict::Invalid { .. } => "invalid",
            Verdict::Undetermined { .. } => "undetermined",
        };
    }
    Ok((start.elapsed().as_secs_f64() / f64::from(rounds.max(1)), word))
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
        Ok((seconds, verdict)) => println!("{{\"seconds\": {seconds:e}, \"verdict\": \"{verdict}\"}}"),
        Err(message) => {
            eprintln!("{message}");
            std::process::exit(1);
        }
    }
}
