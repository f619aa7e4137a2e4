//! Compares the symbolic decision of random quantified formulas with evaluation over a finite range.

use crate::value_in;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The range that the formulas restrict their variables to.
const LOW: i64 = -3;
const HIGH: i64 = 3;

/// A term over the variables, as text with `x`, `y` and `z`.
fn term() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("x".to_owned()),
        Just("y".to_owned()),
        Just("z".to_owned()),
        (-4i64..5).prop_map(|number| if number < 0 {
            format!("(- {})", -number)
        } else {
            number.to_string()
        }),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(+ {a} {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(- {a} {b})")),
            (1i64..4, inner.clone()).prop_map(|(n, a)| format!("(* {n} {a})")),
            (2i64..5, inner.clone()).prop_map(|(n, a)| format!("(mod {a} {n})")),
            (2i64..4, inner.clone()).prop_map(|(n, a)| format!("(div {a} (- {n}))")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(ite (< {a} {b}) {a} (f {b}))")),
            inner.prop_map(|a| format!("(f {a})")),
        ]
    })
}

/// A formula.
#[derive(Clone, Debug)]
enum Formula {
    Atom(String),
    Not(Box<Formula>),
    Join(&'static str, Box<Formula>, Box<Formula>),
    Quantified(bool, &'static str, Box<Formula>),
}

fn formula() -> impl Strategy<Value = Formula> {
    let atom = (prop_oneof![Just("<"), Just("<="), Just("="), Just("distinct")], term(), term())
        .prop_map(|(relation, a, b)| Formula::Atom(format!("({relation} {a} {b})")));
    atom.prop_recursive(3, 10, 2, |inner| {
        let variable = prop_oneof![Just("x"), Just("y"), Just("z")];
        let join = prop_oneof![Just("and"), Just("or"), Just("="), Just("=>")];
        prop_oneof![
            (join, inner.clone(), inner.clone()).prop_map(|(join, a, b)| Formula::Join(
                join,
                Box::new(a),
                Box::new(b)
            )),
            inner.clone().prop_map(|a| Formula::Not(Box::new(a))),
            (any::<bool>(), variable, inner).prop_map(|(exists, variable, a)| Formula::Quantified(
                exists,
                variable,
                Box::new(a)
            )),
        ]
    })
}

impl Formula {
    /// The formula as text. Its quantifiers range over the integers, restricted to the range, or over a bit-vector sort whose
    /// values are all tried.
    fn text(&self, enumerated: bool) -> String {
        match self {
            Formula::Atom(text) => text.clone(),
            Formula::Not(inner) => format!("(not {})", inner.text(enumerated)),
            Formula::Join(join, a, b) => format!("({join} {} {})", a.text(enumerated), b.text(enumerated)),
            Formula::Quantified(exists, v, inner) => {
                let (quantifier, join) = if *exists { ("exists", "and") } else { ("forall", "=>") };
                let inner = inner.text(enumerated);
                let restricted = format!("({join} (<= (- {}) {v} {HIGH}) {inner})", -LOW);
                if enumerated {
                    let number = format!("(- (bv2nat {v}) {})", -LOW);
                    format!("({quantifier} (({v} (_ BitVec 3))) (let (({v} {number})) {restricted}))")
                } else {
                    format!("({quantifier} (({v} Int)) {restricted})")
                }
            }
        }
    }
}

#[test]
fn symbolic_decisions_agree_with_enumeration() {
    let script = "(declare-fun f (Int) Int)";
    let model = "((define-fun f ((n Int)) Int (ite (= n 0) 2 (ite (= n 2) (- 1) 1))))";
    let config = Config { cases: 300, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let (decided, all) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    runner
        .run(&formula(), |inner| {
            let closed = ["z", "y", "x"].into_iter().fold(inner, |inner, variable| {
                Formula::Quantified(variable == "y", variable, Box::new(inner))
            });
            let found = value_in(script, model, &closed.text(false));
            let expected = value_in(script, model, &closed.text(true));
            prop_assert!(expected == "true" || expected == "false", "{}: {}", closed.text(true), expected);
            all.set(all.get() + 1);
            if !found.starts_with('?') {
                decided.set(decided.get() + 1);
                prop_assert_eq!(found, expected, "{}", closed.text(false));
            }
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    let (decided, all) = (decided.get(), all.get());
    assert!(decided * 10 >= all * 9, "only {decided} of {all} formulas are decided");
}
