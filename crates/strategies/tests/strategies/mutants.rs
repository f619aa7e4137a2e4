//! Invariants of all mutants of all strategies.

use crate::common::{self, context};
use smt::{Arena, parse_script};
use strategies::{Random, Seed, Strategy, Unchanged, all, by_name};

/// Makes `count` cases from each seed with each strategy. Each must parse and print the same.
fn check(seeds: &[Seed], count: usize) {
    let mut failures = Vec::new();
    let mut made = 0;
    let without_solver = ["valfuzz:rbase", "opfuzz+valfuzz:rbase"]
        .into_iter()
        .filter_map(|name| by_name(name, &context()).ok());
    let context = context();
    let mutating =
        |strategy: &dyn Strategy| strategy.own_seed().is_none() && strategy.name() != Unchanged::NAME;
    let strategies = all(&context).into_iter().filter(|strategy| mutating(strategy.as_ref()));
    for strategy in strategies.chain(without_solver) {
        for seed in seeds {
            let random = Random::from_parts(&[1, seed.hash]);
            let Ok(mut mutator) = strategy.open(seed, random) else { continue };
            let mut arena = Arena::default();
            for _ in 0..count {
                let Some(case) = mutator.next_case() else { break };
                made += 1;
                let name = format!("{} of {}", strategy.name(), seed.name);
                match parse_script(&mut arena, &case.text) {
                    Ok(script) => {
                        let printed = arena.script_text(&script);
                        if printed != case.text {
                            failures.push(format!("{name} prints otherwise:\n{}\n{printed}", case.text));
                        }
                    }
                    Err(errors) => failures.push(format!(
                        "{name}: {}\n{}\n{:?}",
                        errors[0],
                        case.text,
                        case.lineage.last()
                    )),
                }
                if case.lineage.is_empty() {
                    failures.push(format!("{name} has no lineage"));
                }
                if case.solvers.as_ref().is_some_and(|solvers| solvers.is_empty()) {
                    failures.push(format!("{name} is for no solver:\n{}", case.text));
                }
            }
        }
    }
    assert!(made > seeds.len(), "only {made} mutants");
    let shown: Vec<&String> = failures.iter().take(5).collect();
    assert!(failures.is_empty(), "{} of {made} are wrong, the first: {shown:#?}", failures.len());
}

#[test]
fn mutants_of_built_in_seeds_type_check() {
    check(&common::built_in(), 60);
}

#[test]
fn mutants_of_the_corpus_type_check() {
    let seeds = common::corpus();
    if !seeds.is_empty() {
        check(&seeds, 25);
    }
}

#[test]
fn equal_generators_give_equal_bytes() {
    for strategy in all(&context()) {
        for seed in common::built_in().iter().take(60) {
            let run = || {
                let mut mutator = strategy.open(seed, Random::new(7)).ok()?;
                Some((0..25).map_while(|_| mutator.next_case()).collect::<Vec<_>>())
            };
            assert_eq!(run(), run(), "{} of {}", strategy.name(), seed.name);
        }
    }
}
