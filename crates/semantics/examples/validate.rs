//! Checks a model against a script: `validate SCRIPT MODEL`.
//!
//! MODEL is what a solver prints for `(get-model)`. Prints the verdict and why. Exits with 1 for an invalid model.

use elenchus_semantics::smt::{self, Arena, Scope};
use elenchus_semantics::validate::reasons_text;
use elenchus_semantics::{Model, Verdict, validate};
use std::process::ExitCode;

/// The verdict as text, and whether the model is invalid.
fn judged(script: &str, model: &str) -> Result<(String, bool), String> {
    let mut arena = Arena::default();
    let mut scope = Scope::default();
    let parsed = smt::parse_in_scope(&mut arena, &mut scope, script).map_err(|errors| {
        errors.iter().map(|error| error.render("SCRIPT", script)).collect::<Vec<_>>().join("\n")
    })?;
    let model = Model::read(&mut arena, &scope, model, Default::default())
        .map_err(|error| format!("MODEL: {error}"))?;
    Ok(match validate(&arena, &parsed, &model) {
        Verdict::Valid => ("valid\n".to_owned(), false),
        Verdict::Invalid { index, explanation, .. } => {
            (format!("invalid: assertion {} is false\n{}", index + 1, explanation.text(&arena)), true)
        }
        Verdict::Undetermined { reasons } => {
            (format!("undetermined: {}\n", reasons_text(&arena, &reasons).join("; ")), false)
        }
    })
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [script, model] = &arguments[..] else {
        eprintln!("usage: validate SCRIPT MODEL");
        return ExitCode::from(2);
    };
    let read = |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    match read(script).and_then(|script| judged(&script, &read(model)?)) {
        Ok((text, is_invalid)) => {
            print!("{text}");
            ExitCode::from(u8::from(is_invalid))
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}
