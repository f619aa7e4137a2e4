//! TypeFuzz on small seeds.

use crate::common::{SMALL, context, first_cases, results, small_signatures};
use smt::{Arena, Signatures, parse_script};
use std::collections::BTreeSet;
use std::sync::Arc;
use strategies::{Case, Random, Seed, Strategy, TypeFuzz, TypeFuzzSettings, by_name};

/// What an expression of [`SMALL`] may become: an operator of the small signatures with expressions of the seed.
const MADE_OF_THE_SEED: [&str; 18] = [
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
];

#[test]
fn the_published_variant_takes_arguments_only_from_the_formula() {
    let strategy = TypeFuzz::new(small_signatures(), TypeFuzzSettings::as_published());
    let cases = first_cases(&strategy, SMALL, 400);
    let allowed: BTreeSet<String> = MADE_OF_THE_SEED.map(str::to_owned).into();
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

/// The next `count` cases of one mutator.
fn chain(settings: TypeFuzzSettings, signatures: Arc<Signatures>, seed: &str, count: usize) -> Vec<Case> {
    let strategy = TypeFuzz::new(signatures, settings);
    let mut mutator = strategy.open(&Seed::new("seed", seed), Random::new(11)).unwrap();
    std::iter::from_fn(|| mutator.next_case()).take(count).collect()
}

#[test]
fn chains_of_the_published_variant_draw_everything_from_the_seed() {
    let of_seed = ["x", "y", "(< x y)", "(not (< x y))"];
    let follows = |case: &Case| {
        let step = case.lineage.last().unwrap();
        of_seed.contains(&&*step.before) && MADE_OF_THE_SEED.contains(&&*step.after)
    };
    let published = chain(TypeFuzzSettings::as_published(), small_signatures(), SMALL, 500);
    assert!(published.len() == 500 && published.iter().all(follows));
    let longest = published.iter().map(|case| case.lineage.len()).max();
    assert!((10..=20).contains(&longest.unwrap()), "{longest:?}");
    // Each of the two settings alone breaks the rule.
    for settings in [
        TypeFuzzSettings { growing_pool: true, ..TypeFuzzSettings::as_published() },
        TypeFuzzSettings { replaces_new: true, ..TypeFuzzSettings::as_published() },
    ] {
        assert!(!chain(settings, small_signatures(), SMALL, 500).iter().all(follows));
    }
}

#[test]
fn the_published_variant_uses_only_operators_of_the_configuration_with_their_own_number_of_arguments() {
    let seed = "(declare-fun f (Int) Int)(declare-const x Int)(assert (< (f x) (+ x x)))(check-sat)";
    // Whether a mutation may apply `f`, and whether it may add three terms.
    let table = [
        (TypeFuzzSettings::as_published(), false, false),
        (TypeFuzzSettings { declared: true, ..TypeFuzzSettings::as_published() }, true, false),
        (TypeFuzzSettings { more_arguments: true, ..TypeFuzzSettings::as_published() }, false, true),
    ];
    for (settings, declared, more) in table {
        let settings = TypeFuzzSettings { chain: 1, ..settings };
        let made = results(&chain(settings.clone(), Signatures::standard(), seed, 4000));
        assert_eq!(made.iter().any(|after| after.starts_with("(f ")), declared, "{settings:?}");
        assert_eq!(made.contains("(+ x x x)"), more, "{settings:?}");
        assert!(made.contains("(+ x x)"), "{settings:?}");
    }
}

#[test]
fn algorithm_2_makes_as_many_attempts_as_there_are_expressions() {
    let none = "(theory Core :sorts ((Bool 0) (Int 0)) :funs ((not Bool Bool) (< Int Int Bool)))";
    let mut signatures = Signatures::empty();
    signatures.load(none).unwrap();
    let signatures = Arc::new(signatures);
    let published = TypeFuzzSettings::as_published();
    let made =
        |settings: &TypeFuzzSettings, seed: &str| chain(settings.clone(), signatures.clone(), seed, 50).len();
    // Nothing but `p` has its sort, so every attempt fails. The chain ends all the same.
    let hopeless = "(declare-const p Bool)(assert p)(check-sat)";
    assert_eq!(made(&published, hopeless), 0);
    assert_eq!(made(&TypeFuzzSettings::default(), "(declare-const x Int)(assert (< x x))(check-sat)"), 50);
    assert_eq!(made(&TypeFuzzSettings { most_attempts: 0, ..published.clone() }, SMALL), 0);
    // A failed iteration of a published chain is followed by another one, so chains are shorter than 20 mutations but go on.
    let steps: Vec<usize> =
        chain(published, small_signatures(), SMALL, 200).iter().map(|case| case.lineage.len()).collect();
    assert_eq!(steps[..3], [1, 2, 3]);
    assert!(steps.iter().filter(|&&steps| steps == 1).count() > 8, "{steps:?}");
}

#[test]
fn the_published_variant_has_no_limit_on_the_size_of_a_mutant() {
    let large = format!("(+ {})", "x ".repeat(120));
    let seed = format!("(declare-const x Int)(assert (< {large} {large}))(check-sat)");
    let longest = |growth: u64| {
        let settings = TypeFuzzSettings { growth, ..TypeFuzzSettings::as_published() };
        chain(settings, Signatures::standard(), &seed, 200).iter().map(|case| case.text.len()).max().unwrap()
    };
    let (limited, unlimited) = (longest(2), longest(0));
    assert!(limited < 3 * seed.len() && unlimited > 4 * seed.len(), "{limited} {unlimited}");
}

/// The operators of the paper's configuration file, Figure 4.
fn figure_4() -> Arc<Signatures> {
    let mut signatures = Signatures::built_in();
    signatures.load(include_str!("../../../../docs/samples/typefuzz.sig")).unwrap();
    Arc::new(signatures)
}

/// The assertions of a script, as they are printed.
fn formula(text: &str) -> String {
    let mut arena = Arena::default();
    let script = parse_script(&mut arena, text).unwrap();
    let assertions: Vec<String> = script.assertions().map(|term| arena.term_text(term)).collect();
    assertions.join(" ")
}

/// The formulas that one mutation makes of a seed, as far as so many draws show.
fn mutants_of(strategy: &dyn Strategy, seed: &str, draws: usize) -> BTreeSet<String> {
    let mut mutator = strategy.open(&Seed::new("seed", seed), Random::new(3)).unwrap();
    let cases = std::iter::from_fn(|| mutator.next_case()).take(draws);
    cases.filter(|case| case.lineage.len() == 1).map(|case| formula(&case.text)).collect()
}

fn one_step(signatures: Arc<Signatures>, settings: TypeFuzzSettings) -> TypeFuzz {
    TypeFuzz::new(signatures, TypeFuzzSettings { chain: 1, ..settings })
}

#[test]
fn figure_2_is_one_mutation() {
    let seed = "(declare-fun x () String)(assert (> (- (str.to_int (str.++ x x))) 0))(check-sat)";
    let made = mutants_of(&one_step(figure_4(), TypeFuzzSettings::as_published()), seed, 20_000);
    assert!(made.contains("(> (- (str.to_int (str.++ (str.from_int 0) x))) 0)"), "{made:?}");
}

#[test]
fn example_3_4_takes_three_mutations() {
    let declarations = "(declare-fun x () String)(declare-fun y () String)";
    let step = |formula: &str, settings: TypeFuzzSettings| {
        let seed = format!("{declarations}(assert {formula})(check-sat)");
        mutants_of(&one_step(figure_4(), settings), &seed, 30_000)
    };
    let seed = "(= (str.replace x \"B\" (str.++ \"B\" \"B\")) (str.++ y \"B\"))";
    let mutant = "(= (str.replace (str.replace x \"B\" (str.++ \"B\" \"B\")) \"B\" (str.++ y \"B\")) (str.++ y \"B\"))";
    // Figure 3 puts the replaced expression into the new one, which line 14 of Algorithm 2 excludes.
    assert!(!step(seed, TypeFuzzSettings::as_published()).contains(mutant));
    // The same formula in steps that line 14 allows. All expressions are those of the seed.
    let steps = [
        seed,
        "(= (str.replace (str.++ y \"B\") \"B\" (str.++ \"B\" \"B\")) (str.++ y \"B\"))",
        "(= (str.replace (str.replace x \"B\" (str.++ \"B\" \"B\")) \"B\" (str.++ \"B\" \"B\")) (str.++ y \"B\"))",
        mutant,
    ];
    for pair in steps.windows(2) {
        // The second step uses expressions of the first formula, which a chain still has.
        let known = format!("{declarations}(assert {})(assert {seed})(check-sat)", pair[0]);
        let wanted = format!("{} {seed}", pair[1]);
        let made = mutants_of(&one_step(figure_4(), TypeFuzzSettings::as_published()), &known, 150_000);
        assert!(made.contains(&wanted), "{} does not become {}", pair[0], pair[1]);
    }
}

/// A small formula with operators, a variable of each sort and a nested term.
const FORMULA: &str = "(declare-const p Bool)(declare-const x Int)(assert (or p (< x (- x))))(check-sat)";

#[test]
fn corollary_3_3_typefuzz_makes_every_mutant_of_opfuzz() {
    let made =
        mutants_of(&one_step(Signatures::standard(), TypeFuzzSettings::as_published()), FORMULA, 100_000);
    let opfuzz = by_name("opfuzz", &context()).unwrap();
    let of_opfuzz: BTreeSet<String> = first_cases(opfuzz.as_ref(), FORMULA, 4000)
        .iter()
        .filter(|case| case.lineage.len() == 1)
        .map(|case| formula(&case.text))
        .collect();
    assert!(of_opfuzz.len() >= 8, "{of_opfuzz:?}");
    let missing: Vec<_> = of_opfuzz.difference(&made).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(made.len() > 10 * of_opfuzz.len());
}

#[test]
fn corollary_3_2_typefuzz_with_copies_makes_every_mutant_of_fuzzchick() {
    let swap = by_name("swap:published", &context()).unwrap();
    let fuzzchick: BTreeSet<String> =
        first_cases(swap.as_ref(), FORMULA, 2000).iter().map(|case| formula(&case.text)).collect();
    // Each of the three Booleans may become one of the other two, and each of the three integers the other one.
    assert_eq!(fuzzchick.len(), 3 * 2 + 3, "{fuzzchick:?}");
    let published = TypeFuzzSettings::as_published();
    let definition_1 = TypeFuzzSettings { copies: true, ..published.clone() };
    let made = mutants_of(&one_step(Signatures::standard(), definition_1), FORMULA, 20_000);
    assert!(made.is_superset(&fuzzchick), "{:?}", fuzzchick.difference(&made).collect::<Vec<_>>());
    // Algorithm 2 always makes an application, and never with the replaced expression as an argument.
    let made = mutants_of(&one_step(Signatures::standard(), published), FORMULA, 100_000);
    let missing: Vec<&str> = fuzzchick.difference(&made).map(String::as_str).collect();
    let expected =
        ["(or (or p (< x (- x))) (< x (- x)))", "(or p (< x (- (- x))))", "(or p (or p (< x (- x))))", "p"];
    assert_eq!(missing, expected);
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
