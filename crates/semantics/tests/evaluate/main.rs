//! Tables of terms and the values that the standard gives them.

mod arithmetic;
mod bitvectors;
mod both_paths;
mod collections;
mod complete;
mod core;
mod datatypes;
mod floats;
mod generator;
mod hostile;
mod models;
mod prepared;
mod quantifiers;
mod random_quantifiers;
mod strings;
mod validation;

use elenchus_semantics::model::StringDialect;
use elenchus_semantics::{Definitions, collect_definitions};
use elenchus_semantics::{Evaluator, Memory, Model};
use smt::{Arena, Scope};

/// The value of a term as text, given declarations and a model as a solver prints it.
pub fn value_in(script: &str, model: &str, term: &str) -> String {
    let mut arena = Arena::default();
    let mut scope = Scope::default();
    let commands = smt::parse_in_scope(&mut arena, &mut scope, script).expect("a well-typed script").commands;
    let mut definitions = Definitions::new();
    for command in &commands {
        collect_definitions(command, &mut definitions);
    }
    let model = Model::read(&mut arena, &scope, model, StringDialect::Standard).expect("a well-formed model");
    let term = match smt::parse_term(&mut arena, &mut scope, term) {
        Ok(term) => term,
        Err(error) => return format!("error: {error}"),
    };
    // The machine evaluates it first; later evaluations use the prepared form.
    let mut memory = Memory::default();
    let mut times = (0..4).map(|_| {
        let mut evaluator = Evaluator::with_memory(&arena, &model, &definitions, std::mem::take(&mut memory));
        let outcome = evaluator.evaluate(term);
        memory = evaluator.into_memory();
        match outcome {
            Ok(value) => value.text(&arena, arena.sort(term)),
            Err(reason) => format!("? {}", reason.text(&arena)),
        }
    });
    let first = times.next().expect("four evaluations");
    match times.find(|later| *later != first) {
        Some(later) => format!("{first}, and later {later}"),
        None => first,
    }
}

/// Checks terms without free symbols. An expectation that begins with `?` is the beginning of a reason.
pub fn check(table: &[(&str, &str)]) {
    check_in("", "()", table);
}

/// Checks terms, given declarations and a model.
pub fn check_in(script: &str, model: &str, table: &[(&str, &str)]) {
    let mut wrong = String::new();
    for (term, expected) in table {
        let found = value_in(script, model, term);
        let fine = if expected.starts_with('?') { found.starts_with(expected) } else { found == *expected };
        if !fine {
            wrong.push_str(&format!("{term}\n  expected {expected}\n  found    {found}\n"));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
