//! What every strategy keeps of a script, and which seeds it rejects.

use crate::common::{context, first_cases};
use smt::{Arena, parse_script};
use strategies::{Random, Seed, Strategy, all, by_name};

/// Scripts that a careless mutation breaks: names go out of scope, are hidden, or must be unique.
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

/// Whether a strategy needs the answers of solvers before it opens a seed.
fn asks(strategy: &dyn Strategy) -> bool {
    strategy.seed_question(&Seed::new("seed", "(assert true)(check-sat)"), 0).is_some()
}

/// The strategies that mutate any seed. ValFuzz needs constants and a solver, and incremental scripts have checks of their own, so
/// these have their own tests.
fn mutating() -> Vec<Box<dyn Strategy>> {
    all(&context())
        .into_iter()
        .filter(|one| one.own_seed().is_none() && !["seeds", "valfuzz", "incremental"].contains(&one.name()))
        .collect()
}

#[test]
fn mutants_use_names_only_in_their_scope() {
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
fn mutants_keep_checks_and_drop_output_commands() {
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

/// A theory that reuses a standard sort must not restrict it: once, every script with integers was for cvc5 only.
#[test]
fn standard_sorts_do_not_restrict_the_solvers() {
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
fn unsuitable_seeds_are_rejected_with_the_reason() {
    let table = [
        ("(assert (> x 1))", "does not parse"),
        ("(set-logic QF_LIA)(check-sat)", "no assertions"),
        ("(set-logic LIA)(synth-fun f ((x Int)) Int)(constraint (= (f 1) 1))(check-synth)", "synthesis"),
        ("(assert", "does not parse"),
    ];
    for strategy in mutating() {
        for (text, reason) in table {
            let unsuitable = strategy.open(&Seed::new("seed", text), Random::new(0)).err().unwrap();
            assert!(unsuitable.to_string().contains(reason), "{}: {unsuitable}", strategy.name());
        }
    }
}
