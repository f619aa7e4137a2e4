//! Swaps on small seeds.

use crate::common::{context, first_cases};
use strategies::{Random, Seed, by_name};

#[test]
fn swaps_introduce_nothing_new() {
    let text = "(declare-const x Int)(declare-const y Int)(assert (< x 1))(assert (< 2 y))";
    let strategy = by_name("swap", &context()).unwrap();
    for case in first_cases(strategy.as_ref(), text, 100) {
        let mut words: Vec<&str> = case.text.split(['(', ')', ' ', '\n']).collect();
        words.sort_unstable();
        if case.lineage.iter().all(|step| step.action == "exchange") {
            assert_eq!(words.iter().filter(|word| **word == "x").count(), 2, "{}", case.text);
        }
        let known = |word: &&str| {
            ["", "declare-const", "x", "y", "Int", "assert", "<", "1", "2", "check-sat"].contains(word)
        };
        assert!(words.iter().all(known), "{}", case.text);
    }
}

#[test]
fn the_published_variant_only_copies() {
    let text = "(declare-const x Int)(declare-const y Int)(assert (< x 1))(assert (< 2 y))";
    // Whether mutations exchange expressions, and whether chains start with several mutations.
    for (name, exchanges, head_start) in [("swap:published", false, false), ("swap", true, true)] {
        let strategy = by_name(name, &context()).unwrap();
        let first = first_cases(strategy.as_ref(), text, 100);
        assert_eq!(first.iter().any(|case| case.lineage.len() > 1), head_start, "{name}");
        let mut mutator = strategy.open(&Seed::new("seed", text), Random::new(1)).unwrap();
        let cases: Vec<_> = std::iter::from_fn(|| mutator.next_case()).take(200).collect();
        assert_eq!(cases.len(), 200, "{name}");
        let mut steps = cases.iter().flat_map(|case| &case.lineage);
        assert_eq!(steps.any(|step| step.action == "exchange"), exchanges, "{name}");
        assert!(cases.iter().flat_map(|case| &case.lineage).any(|step| step.action == "copy"), "{name}");
    }
}
