//! Parses and type-checks scripts: `check_script FILE…`.
//!
//! Prints each error with its line, and the size and logic of each script without errors. Exits with 1 if there was an error.

use elenchus_smt::{Arena, ScriptSummary, parse_script};
use std::process::ExitCode;

/// What to print about a script: its summary, or its errors.
fn report(file: &str, source: &str) -> Result<String, String> {
    let mut arena = Arena::default();
    match parse_script(&mut arena, source) {
        Ok(script) => {
            let summary = ScriptSummary::new(&mut arena, &script);
            Ok(format!(
                "{file}: {} assertions, {} terms, logic {}",
                summary.assertions, summary.terms, summary.smallest_logic
            ))
        }
        Err(errors) => {
            Err(errors.iter().map(|error| error.render(file, source)).collect::<Vec<_>>().join("\n"))
        }
    }
}

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        eprintln!("usage: check_script FILE…");
        return ExitCode::from(2);
    }
    let mut code = ExitCode::SUCCESS;
    for file in &files {
        let report = match std::fs::read_to_string(file) {
            Ok(source) => report(file, &source),
            Err(error) => Err(format!("{file}: {error}")),
        };
        match report {
            Ok(summary) => println!("{summary}"),
            Err(errors) => {
                eprintln!("{errors}");
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}
