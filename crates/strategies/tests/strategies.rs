//! What the strategies do, on small seeds: tables of input and expected.

mod common;

use common::context;
use smt::{Arena, Signatures, parse_script};
use std::collections::BTreeSet;
use std::sync::Arc;
use strategies::{Case, OpFuzz, Random, Seed, Strategy, Swap, TypeFuzz, TypeFuzzSettings, all, by_name};

/// The first case for each of `count` generators.
fn first_cases(strategy: &dyn Strategy, text: &str, count: u64) -> Vec<Case> {
    let seed = Seed::new("seed", text);
    (0..count).filter_map(|at| strategy.open(&seed, Random::new(at)).unwrap().next_case()).collect()
}

/// What stands after the last step of each case.
fn results(cases: &[Case]) -> BTreeSet<String> {
    cases.iter().filter_map(|case| case.lineage.last()).map(|step| step.after.clone()).collect()
}

/// A signature file of three operators, so that what is expected does not change when a theory grows.
fn small_signatures() -> Arc<Signatures> {
    let mut signatures = Signatures::empty();
    let core = "(theory Core :sorts ((Bool 0)) :funs ((not Bool Bool) (par (A) (= A A Bool :chainable :at-most 2))))";
    let ints = "(theory Ints :sorts ((Int 0)) :funs ((- Int Int) (+ Int Int Int :left-assoc :at-most 2) (< Int Int Bool)))";
    signatures.load(core).unwrap();
    signatures.load(ints).unwrap();
    Arc::new(signatures)
}

const SMALL: &str =
    "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(assert (not (< x y)))(check-sat)";

/// Replaying a case depends on these bytes.
#[test]
fn bytes_stay_the_same() {
    let signatures = small_signatures();
    let strategies: [Box<dyn Strategy>; 3] = [
        Box::new(TypeFuzz::new(signatures.clone(), TypeFuzzSettings::default())),
        Box::new(OpFuzz::new(signatures.clone())),
        Box::new(Swap::new(signatures)),
    ];
    let mut bytes = Vec::new();
    for strategy in &strategies {
        let mut mutator = strategy.open(&Seed::new("seed", SMALL), Random::new(11)).unwrap();
        let fourth = (0..4).map_while(|_| mutator.next_case()).last().unwrap();
        let assertions: Vec<&str> = fourth.text.lines().filter(|line| line.starts_with("(assert")).collect();
        bytes.push(assertions.join(" "));
    }
    assert_eq!(
        bytes,
        [
            "(assert (not (= (+ (- (+ (+ y (+ (- (+ (+ (+ 1 127) y) 3)) (+ 1 127))) 3)) 127) (+ x x))))",
            "(assert (not (< x y)))",
            "(assert (not (< x y)))",
        ]
    );
}

#[test]
fn as_published_takes_arguments_from_the_formula_only() {
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
    // The expression that gives way is no argument of what takes its place.
    for case in &cases {
        let step = &case.lineage[0];
        let inside = step.after.split(['(', ')', ' ']).any(|word| word == step.before);
        assert!(!inside, "{step:?}");
    }
}

#[test]
fn operators_give_way_to_those_of_their_type() {
    // The script, what its operator must be able to become, and what it must never become.
    let table: [(&str, &[&str], &[&str]); 7] = [
        ("(assert (< a b))", &["(= a b)", "(> a b)", "(distinct a b)", "(<= a b)", "(>= a b)"], &["(+ a b)"]),
        (
            "(assert (= s t))",
            &["(str.prefixof s t)", "(str.< s t)", "(distinct s t)"],
            &["(< s t)", "(and s t)"],
        ),
        ("(assert (= (- a) b))", &["(abs a)"], &["(+ a)", "(div a)"]),
        ("(assert (= (- a b) b))", &["(+ a b)", "(mod a b)", "(div a b)", "(* a b)"], &["(abs a b)"]),
        ("(assert (forall ((z Int)) (< z a)))", &["(exists ((z Int)) (< z a))"], &[]),
        (
            "(assert (= ((_ extract 3 0) v) #x0))",
            &["((_ extract 7 4) v)", "((_ extract 5 2) v)"],
            &["(bvnot v)"],
        ),
        (
            "(assert (or p (not p)))",
            &["(and p (not p))", "(=> p (not p))", "(xor p (not p))"],
            &["(not p (not p))"],
        ),
    ];
    let declarations = "(declare-const a Int)(declare-const b Int)(declare-const s String)(declare-const t String)\
                        (declare-const v (_ BitVec 8))(declare-const p Bool)";
    let strategy = by_name("opfuzz", &context()).unwrap();
    for (assertion, can, never) in table {
        let cases = first_cases(strategy.as_ref(), &format!("{declarations}{assertion}"), 600);
        let made = results(&cases);
        for wanted in can {
            assert!(made.contains(*wanted), "{assertion} does not become {wanted}: {made:?}");
        }
        for unwanted in never {
            assert!(!made.contains(*unwanted), "{assertion} becomes {unwanted}");
        }
    }
}

#[test]
fn swaps_bring_in_nothing_new() {
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

/// Scripts in which a careless mutation is wrong: names that come and go, are hidden, or must stand once.
const TRAPS: [&str; 8] = [
    "(declare-const x Int)(push 1)(declare-const y Int)(assert (< x y))(check-sat)(pop 1)(assert (< x 3))(check-sat)",
    "(assert (< 1 2))(declare-const x Int)(assert (> x 1))(define-fun f ((a Int)) Int (+ a x))(assert (= (f x) 2))",
    "(declare-const x Int)(assert (> x 1))(assert (forall ((x Real)) (exists ((y Real)) (> x (+ y 1.0)))))",
    "(declare-const x Int)(assert (! (> x 1) :named a))(assert (=> a (< x (+ x 2))))(check-sat-assuming (a))",
    "(declare-fun f (Int) Int)(assert (forall ((x Int)) (! (> (f x) 0) :pattern ((f x)))))(assert (= (f 1) 2))",
    "(declare-const x Int)(assert (let ((y (+ x 1)) (z x)) (let ((x (= y z))) (and x (not x)))))",
    "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))(declare-const l L)\
     (assert (match l ((nil true) ((cons h t) (and (> h 0) (= t l))))))",
    "(set-option :global-declarations true)(push 1)(declare-const b Bool)(assert b)(pop 1)(assert (not b))(check-sat)",
];

/// Whether a strategy makes nothing of a seed about which no solver was asked.
fn asks(strategy: &dyn Strategy) -> bool {
    strategy.inquire(&Seed::new("seed", "(assert true)(check-sat)"), 0).is_some()
}

/// The strategies that work on any seed, and on nothing else. ValFuzz needs constants, and a solver to ask all the time: it has
/// tests of its own.
fn mutating() -> Vec<Box<dyn Strategy>> {
    all(&context())
        .into_iter()
        .filter(|one| one.own_seed().is_none() && !["seeds", "valfuzz"].contains(&one.name()))
        .collect()
}

#[test]
fn names_are_used_where_they_mean_the_same() {
    for strategy in mutating() {
        for (at, text) in TRAPS.iter().enumerate() {
            let seed = Seed::new(format!("trap {at}"), *text);
            let Ok(mut mutator) = strategy.open(&seed, Random::new(at as u64)) else {
                assert!(asks(strategy.as_ref()), "{} {at}", strategy.name());
                continue;
            };
            for _ in 0..400 {
                let Some(case) = mutator.next_case() else { break };
                let mut arena = Arena::default();
                let read = parse_script(&mut arena, &case.text);
                assert!(read.is_ok(), "{} {at}: {:?}\n{}", strategy.name(), read.err(), case.text);
                assert_eq!(case.text.matches(":named").count(), text.matches(":named").count());
            }
        }
    }
}

#[test]
fn scripts_keep_what_matters() {
    let table: [(&str, &[&str], &[&str]); 5] = [
        (
            "(set-info :status sat)(set-option :produce-models true)(declare-const x Int)(assert (> x 1))(check-sat)\
             (get-model)(get-value (x))(echo \"done\")(exit)",
            &["(check-sat)\n(exit)\n"],
            &["get-", "echo", "set-", "status"],
        ),
        ("(declare-const x Int)(assert (> x 1))", &["(check-sat)\n"], &["set-logic"]),
        (
            "(set-logic QF_IDL)(declare-const x Int)(declare-const y Int)(assert (< (- x y) 1))(check-sat)",
            &["(set-logic ALL)"],
            &["QF_IDL"],
        ),
        (
            "(declare-const x Int)(assert (> x 1))(check-sat)(push 2)(assert (< x 1))(check-sat)(pop 2)(check-sat)",
            &["(push 2)", "(pop 2)\n(check-sat)"],
            &[],
        ),
        (
            "(declare-const p Bool)(declare-const q Bool)(assert (or p q))(check-sat-assuming ((not p)))",
            &["(check-sat-assuming ((not p)))"],
            &["(check-sat)"],
        ),
    ];
    for strategy in mutating().into_iter().filter(|strategy| !asks(strategy.as_ref())) {
        for (text, kept, dropped) in table {
            for case in first_cases(strategy.as_ref(), text, 30) {
                for part in kept {
                    assert!(case.text.contains(part), "{}: no {part} in\n{}", strategy.name(), case.text);
                }
                for part in dropped {
                    assert!(!case.text.contains(part), "{}: {part} in\n{}", strategy.name(), case.text);
                }
            }
        }
    }
}

/// A theory that borrows the sort of another must not take it over: every script with integers was for cvc5 alone.
#[test]
fn sorts_of_the_standard_restrict_nothing() {
    let table = ["Int", "Real", "String", "(_ BitVec 4)", "(_ FloatingPoint 5 11)", "(Array Int Real)"];
    for sort in table {
        let text = format!("(declare-const x {sort})(declare-const y {sort})(assert (= x y))");
        for case in first_cases(by_name("swap", &context()).unwrap().as_ref(), &text, 5) {
            assert_eq!(case.solvers, None, "{sort}");
            assert!(!case.theories.contains("Bags"), "{sort}: {:?}", case.theories);
        }
    }
}

#[test]
fn operators_of_some_solvers_restrict_the_case() {
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

#[test]
fn unfit_seeds_are_told_apart() {
    let table = [
        ("(assert (> x 1))", "cannot be read"),
        ("(set-logic QF_LIA)(check-sat)", "nothing"),
        ("(set-logic LIA)(synth-fun f ((x Int)) Int)(constraint (= (f 1) 1))(check-synth)", "synthesis"),
        ("(assert", "cannot be read"),
    ];
    for strategy in mutating() {
        for (text, reason) in table {
            let unfit = strategy.open(&Seed::new("seed", text), Random::new(0)).err().unwrap();
            assert!(unfit.to_string().contains(reason), "{}: {unfit}", strategy.name());
        }
    }
}
