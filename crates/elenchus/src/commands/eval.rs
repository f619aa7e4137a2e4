//! `elenchus eval`: evaluates a term with the evaluator that judges solvers.

use crate::commands::validate::parse;
use crate::outcome::{Exit, Failure, Outcome};
use case::files::read_text;
use clap::Args;
use semantics::model::StringDialect;
use semantics::validate::definitions_at_end;
use semantics::{Evaluator, Model};
use serde_json::json;
use smt::{Arena, Scope};
use std::path::PathBuf;
use triage::validation::ParsedScript;

/// Arguments of `elenchus eval`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus eval '(bvudiv #x05 #x00)'
  elenchus eval '(+ x 1)' --script problem.smt2 --model answer.txt

Exit code: 0, even if the value is undetermined; 2 if the term cannot be parsed.")]
pub struct EvalArgs {
    /// Term to evaluate
    #[arg(value_name = "TERM")]
    term: String,
    /// Script that declares and defines the symbols of the term
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// File with a model, as a solver printed it
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus eval`.
pub fn run(args: EvalArgs) -> Outcome {
    let (mut arena, mut scope, script) = match &args.script {
        Some(path) => {
            let ParsedScript { arena, scope, script, .. } = parse(path)?;
            (arena, scope, Some(script))
        }
        None => (Arena::default(), Scope::default(), None),
    };
    let definitions = script.as_ref().map(definitions_at_end).unwrap_or_default();
    let model = match &args.model {
        Some(path) => {
            Model::read(&mut arena, &scope, &read_text(path)?, StringDialect::Standard).map_err(|error| {
                Failure::new(error.to_string()).hint("pass what a solver printed for (get-model)")
            })?
        }
        None => Model::new(),
    };
    let term = smt::parse_term(&mut arena, &mut scope, &args.term).map_err(|error| {
        Failure::new(format!("cannot parse the term\n{}", error.render("TERM", &args.term)))
            .hint("declare its symbols in a script and pass that with --script")
    })?;
    let outcome = Evaluator::new(&arena, &model, &definitions).evaluate(term);
    match (outcome, args.json) {
        (Ok(value), false) => println!("{}", value.text(&arena, arena.sort(term))),
        (Ok(value), true) => {
            let sort = arena.sort(term);
            println!("{}", json!({"value": value.text(&arena, sort), "sort": arena.sort_text(sort)}));
        }
        (Err(reason), false) => println!("undetermined: {}", reason.text(&arena)),
        (Err(reason), true) => println!("{}", json!({"undetermined": reason.text(&arena)})),
    }
    Ok(Exit::Clean)
}
