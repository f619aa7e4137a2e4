//! The prepared form of a term has the value that plain evaluation gives it, on random terms under random models.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use elenchus_semantics::eval::Limits;
use elenchus_semantics::{
    Definitions, Evaluator, Memory, Model, Outcome, Reason, Value, collect_definitions,
};
use smt::{Arena, Scope, Term};

use crate::generator::{self, Choices};

/// How many terms are evaluated under the same models, so that they share parts and memory.
const TERMS: usize = 6;

/// The default number of cases; `PROPTEST_CASES` changes it.
const CASES: u32 = 600;

/// A term with a quantifier inside a quantifier may take long; both paths give up at the same limit.
fn limits() -> Limits {
    Limits { steps: 1 << 16, ..Limits::default() }
}

/// Whether both paths agree: on the value, or in having none. One of them may reach the limit on steps before the other.
fn agree(plain: &Outcome<Value>, prepared: &Outcome<Value>) -> bool {
    match (plain, prepared) {
        (Ok(plain), Ok(prepared)) => plain == prepared,
        (Err(Reason::TooLarge(_)), _) | (_, Err(Reason::TooLarge(_))) => true,
        (Err(_), Err(_)) => true,
        _ => false,
    }
}

fn text(arena: &Arena, term: Term, outcome: &Outcome<Value>) -> String {
    match outcome {
        Ok(value) => value.text(arena, arena.sort(term)),
        Err(reason) => format!("undetermined ({})", reason.text(arena)),
    }
}

/// Evaluates terms under two models in turn, on both paths. Returns how many values were determined.
fn compare(models: &[Vec<u8>], terms: &[Vec<u8>]) -> Result<usize, TestCaseError> {
    let mut arena = Arena::default();
    let mut scope = Scope::default();
    let commands = smt::parse_in_scope(&mut arena, &mut scope, &generator::script())
        .unwrap_or_else(|errors| panic!("the declarations are well-typed: {errors:?}"))
        .commands;
    let mut definitions = Definitions::new();
    for command in &commands {
        collect_definitions(command, &mut definitions);
    }
    let texts: Vec<String> = models.iter().map(|bytes| generator::model(&mut Choices::new(bytes))).collect();
    let models: Vec<Model> = texts
        .iter()
        .map(|text| Model::read(&mut arena, &scope, text, Default::default()).expect("a well-formed model"))
        .collect();
    for model in &models {
        prop_assert_eq!(model.unreadable().count(), 0, "a model is unreadable");
    }
    let mut parsed = Vec::new();
    for bytes in terms {
        let text = generator::term(&mut Choices::new(bytes));
        match smt::parse_term(&mut arena, &mut scope, &text) {
            Ok(term) => parsed.push(term),
            Err(error) => return Err(TestCaseError::fail(format!("{text}\nis not well-typed: {error}"))),
        }
    }
    let mut memory = Memory::default();
    let mut determined = 0;
    for round in 0..3 {
        for (model, said) in models.iter().zip(&texts) {
            let mut prepared =
                Evaluator::with_memory(&arena, model, &definitions, std::mem::take(&mut memory))
                    .with_limits(limits());
            for &term in &parsed {
                let found = prepared.evaluate(term);
                let expected = Evaluator::new(&arena, model, &definitions)
                    .with_limits(limits())
                    .evaluate_unprepared(term);
                prop_assert!(
                    agree(&expected, &found),
                    "{}\nplain:    {}\nprepared: {} (round {round})\nunder {said}",
                    arena.term_text(term),
                    text(&arena, term, &expected),
                    text(&arena, term, &found),
                );
                determined += usize::from(found.is_ok());
            }
            memory = prepared.into_memory();
        }
    }
    Ok(determined)
}

#[test]
fn prepared_terms_have_the_value_of_plain_evaluation() {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES);
    let config =
        Config { cases, rng_seed: RngSeed::Fixed(22), failure_persistence: None, ..Config::default() };
    let bytes = |most| proptest::collection::vec(any::<u8>(), 0..most);
    let strategy = (proptest::collection::vec(bytes(150), 2), proptest::collection::vec(bytes(250), TERMS));
    let determined = std::cell::Cell::new(0);
    let result = TestRunner::new(config).run(&strategy, |(models, terms)| {
        determined.set(determined.get() + compare(&models, &terms)?);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    // Most terms have a value: the comparison says something.
    let evaluated = cases as usize * TERMS * 6;
    assert!(
        determined.get() * 2 > evaluated,
        "only {} of {evaluated} values are determined",
        determined.get()
    );
}
