//! TypeFuzz on small seeds.

use crate::common::{SMALL, context, first_cases, results, small_signatures};
use std::collections::BTreeSet;
use strategies::{Random, Seed, TypeFuzz, TypeFuzzSettings, by_name};

#[test]
fn the_published_variant_takes_arguments_only_from_the_formula() {
    let strategy = TypeFuzz::new(small_signatures(), TypeFuzzSettings::as_published());
    let cases = first_cases(&strategy, SMALL, 400);
    let allowed: BTreeSet<String> = [
        "(not (< x y))",
        "(= x x)",
        "(= x y)",
        "(= y x)",
        "(= y y)",
        "(< x x)",
        "(< x y)",
        "(< y x)",
        "(< y y)",
        "(- x)",
        "(- y)",
        "(+ x x)",
        "(+ x y)",
        "(+ y x)",
        "(+ y y)",
        "(not (not (< x y)))",
        "(= (< x y) (< x y))",
        "(= (not (< x y)) (not (< x y)))",
    ]
    .map(str::to_owned)
    .into();
    let made = results(&cases);
    assert!(made.is_subset(&allowed), "{:?}", made.difference(&allowed).collect::<Vec<_>>());
    assert!(made.len() > 10, "{made:?}");
    // The replaced expression is not an argument of the new one.
    for case in &cases {
        let step = &case.lineage[0];
        let inside = step.after.split(['(', ')', ' ']).any(|word| word == step.before);
        assert!(!inside, "{step:?}");
    }
}

#[test]
fn solver_specific_operators_restrict_the_case() {
    let text = "(set-logic QF_S)(declare-const s String)(assert (= s \"a\"))(check-sat)";
    let mut mutator =
        by_name("typefuzz", &context()).unwrap().open(&Seed::new("s", text), Random::new(1)).unwrap();
    let mut restricted = 0;
    for _ in 0..3000 {
        let case = mutator.next_case().unwrap();
        let only = ["str.rev", "str.to_lower", "str.update", "str.indexof_re"];
        if only.iter().any(|name| case.text.contains(name)) {
            restricted += 1;
            assert_eq!(case.solvers, Some(["cvc5".to_owned()].into()), "{}", case.text);
            assert!(case.text.contains("(set-logic ALL)"), "{}", case.text);
        }
        assert!(case.theories.contains("Strings") && case.theories.contains("Core"), "{:?}", case.theories);
    }
    assert!(restricted > 0);
}
