//! Every case is true under the model of its seed, by our own evaluation.

use super::*;
use case::{Case, Expectation, Learned};
use semantics::model::StringDialect;
use semantics::{Evaluator, Model, NO_DEFINITIONS, Value};
use smt::{Arena, Scope, parse_in_scope};

/// Scripts with models.
const SEEDS: [(&str, &str); 4] = [
    (
        "(declare-const x Int)(declare-const p Bool)(assert (and (or p (< x 3)) (not (= x 1))))\
         (assert (let ((y (+ x 1))) (=> p (> (* y y) 2))))(check-sat)",
        "((define-fun x () Int 2)(define-fun p () Bool false))",
    ),
    (
        "(declare-const a (_ BitVec 8))(define-fun f ((z (_ BitVec 8))) Bool (bvult z #x10))\
         (assert (xor (f a) (= (bvadd a #x01) #x00)))(check-sat)",
        "((define-fun a () (_ BitVec 8) #xff))",
    ),
    (
        "(declare-const s String)(assert (or (str.prefixof \"a\" s) (str.in_re s (re.* (str.to_re \"b\")))))(check-sat)",
        "((define-fun s () String \"bb\"))",
    ),
    (
        "(declare-fun g (Int) Int)(declare-const x Int)(assert (forall ((y Bool)) (or y (not y))))\
         (assert (and (= (g x) 3) (distinct (g 1) 4)))(check-sat)",
        "((define-fun x () Int 0)(define-fun g ((k Int)) Int 3))",
    ),
];

fn cases(script: &str, model: &str, settings: StormSettings, count: usize) -> Vec<Case> {
    let mut seed = Seed::new("seed", script.to_owned());
    let text = model.to_owned();
    seed.learned.push(Learned { question: 0, solver: String::new(), sat: Some(true), text });
    let strategy = Storm::new(Signatures::standard(), settings);
    let mut mutator = strategy.open(&seed, Random::new(3)).unwrap();
    (0..count).map_while(|_| mutator.next_case()).collect()
}

#[test]
fn every_case_is_true_under_the_model() {
    let published = StormSettings::default().variant("published").unwrap();
    for (script, model) in SEEDS {
        for settings in [StormSettings::default(), published.clone()] {
            let most = settings.assertions;
            let made = cases(script, model, settings, 100);
            assert_eq!(made.len(), 100, "{script}");
            let mut different: Vec<&str> = made.iter().map(|case| case.text.as_str()).collect();
            different.sort_unstable();
            different.dedup();
            assert!(different.len() > 50, "{script}: only {} cases differ", different.len());
            for case in &made {
                let Expectation::Sat { model } = &case.expectation else { panic!("{case:?}") };
                let mut arena = Arena::default();
                let mut scope = Scope::default();
                let parsed = parse_in_scope(&mut arena, &mut scope, &case.text).unwrap();
                let model = Model::read(&mut arena, &scope, model, StringDialect::Standard).unwrap();
                let assertions: Vec<_> = parsed.assertions().collect();
                assert!((1..=most).contains(&assertions.len()), "{}", case.text);
                for term in assertions {
                    let value = Evaluator::new(&arena, &model, &NO_DEFINITIONS).evaluate(term);
                    assert!(matches!(value, Ok(Value::Bool(true))), "{}", case.text);
                }
            }
        }
    }
}

#[test]
fn the_published_variant_uses_only_the_connectives_of_the_paper() {
    let (script, model) = SEEDS[0];
    let published = StormSettings::default().variant("published").unwrap();
    let made = cases(script, model, published, 50);
    assert!(made.iter().all(|case| !case.text.contains("xor") && !case.text.contains("ite")));
    let ours = cases(script, model, StormSettings::default(), 50);
    assert!(ours.iter().any(|case| case.text.contains("xor")));
}

#[test]
fn seeds_without_a_model_are_not_suitable() {
    let strategy = Storm::new(Signatures::standard(), StormSettings::default());
    for script in [
        "(declare-const x Int)(assert (> x 3))(check-sat)",
        "(declare-const p Bool)(assert (! p :named n))(check-sat)",
    ] {
        assert!(strategy.open(&Seed::new("seed", script), Random::new(1)).is_err(), "{script}");
        assert!(strategy.seed_question(&Seed::new("seed", script), 0).is_some(), "{script}");
        assert!(strategy.seed_question(&Seed::new("seed", script), 1).is_none(), "{script}");
    }
}
