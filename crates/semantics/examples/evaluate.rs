//! Computes the value of a term: `evaluate TERM [SCRIPT [MODEL]]`.
//!
//! SCRIPT declares and defines the names of the term, and MODEL, as a solver prints it, gives them values.

use elenchus_semantics::smt::{self, Arena, Scope, Script};
use elenchus_semantics::validate::definitions_at_end;
use elenchus_semantics::{Evaluator, Model};
use std::process::ExitCode;

fn value(term: &str, script: &str, model: &str) -> Result<String, String> {
    let mut arena = Arena::default();
    let mut scope = Scope::default();
    let script: Script = smt::parse_in_scope(&mut arena, &mut scope, script).map_err(|errors| {
        errors.iter().map(|error| error.render("SCRIPT", script)).collect::<Vec<_>>().join("\n")
    })?;
    let parsed = smt::parse_term(&mut arena, &mut scope, term).map_err(|error| error.render("TERM", term))?;
    let model = Model::read(&mut arena, &scope, model, Default::default())
        .map_err(|error| format!("MODEL: {error}"))?;
    let definitions = definitions_at_end(&script);
    match Evaluator::new(&arena, &model, &definitions).evaluate(parsed) {
        Ok(value) => Ok(value.text(&arena, arena.sort(parsed))),
        Err(reason) => Ok(format!("undetermined: {}", reason.text(&arena))),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let read = |path: &String| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let result = match &arguments[..] {
        [term] => value(term, "", "()"),
        [term, script] => read(script).and_then(|script| value(term, &script, "()")),
        [term, script, model] => {
            read(script).and_then(|script| read(model).and_then(|model| value(term, &script, &model)))
        }
        _ => {
            eprintln!("usage: evaluate TERM [SCRIPT [MODEL]]");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
