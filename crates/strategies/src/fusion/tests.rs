//! Fusions of satisfiable formulas are true under the joint model, by our own evaluation.

use super::*;
use crate::api::{LiveQuestion, Questioner};
use case::{Case, Expectation, Learned};
use semantics::model::StringDialect;
use semantics::{Evaluator, Model, NO_DEFINITIONS, Value};
use smt::{Arena, Scope, parse_in_scope};

/// Formulas, each with a model in which `@` stands for the suffix of its names; no model if the formula is unsatisfiable.
const FORMULAS: [(&str, Option<&str>); 8] = [
    (
        "(declare-const x Int)(assert (and (> x 3) (< (* 2 x) 11)))(check-sat)",
        Some("((define-fun x@ () Int 5))"),
    ),
    (
        "(declare-fun x () Int)(declare-fun g (Int) Int)(assert (= (g x) (- 2)))(assert (exists ((y Int)) (= y x)))(check-sat)",
        Some(
            "((define-fun x@ () Int (- 7))(define-fun aux ((k Int)) Int (- 2))(define-fun g@ ((k Int)) Int (aux k)))",
        ),
    ),
    (
        "(declare-const s String)(declare-const p Bool)(assert (and p (str.prefixof \"ab\" s)))(check-sat)",
        Some("((define-fun s@ () String \"abc\")(define-fun p@ () Bool true))"),
    ),
    (
        "(declare-const s String)(declare-const p Bool)(assert (or p (= s \"\")))(check-sat)",
        Some("((define-fun s@ () String \"\")(define-fun p@ () Bool false))"),
    ),
    (
        "(declare-const a (_ BitVec 4))(declare-const r Real)(assert (and (bvult a #x3) (= (* r r) 4.0)))(check-sat)",
        Some("((define-fun a@ () (_ BitVec 4) #x2)(define-fun r@ () Real (- 2.0)))"),
    ),
    (
        "(declare-datatypes ((L 0)) (((e) (k (h Int) (t L)))))(declare-const l L)(declare-const a (_ BitVec 4))\
         (assert (and ((_ is k) l) (= a (bvnot #x0))))(declare-const r Real)(assert (> r 1.5))(check-sat)",
        Some(
            "((define-fun l@ () L@ (k@ 1 e@))(define-fun a@ () (_ BitVec 4) #xf)(define-fun r@ () Real 2.0))",
        ),
    ),
    ("(declare-const x Int)(assert (and (> x 3) (< x 2)))(check-sat)", None),
    ("(declare-const |a b| Int)(assert (not (= |a b| (+ 0 |a b|))))(check-sat)", None),
];

struct Answers;

impl Questioner for Answers {
    fn ask(&mut self, question: &LiveQuestion) -> Option<Learned> {
        let at = question.prelude.find('~')?;
        let number = question.prelude[at + 1..].chars().next()?;
        let (_, model) = FORMULAS[number.to_digit(10)? as usize];
        let text = model.unwrap_or_default().replace('@', &format!("~{number}"));
        Some(Learned { question: 0, solver: "z3".to_owned(), sat: Some(model.is_some()), text })
    }
}

fn group() -> Seed {
    let scripts = FORMULAS.iter().enumerate();
    let text = scripts.map(|(number, (script, _))| format!("{MARK}{number}.smt2\n{script}\n"));
    Seed::new("group", text.collect::<String>())
}

fn cases(settings: FusionSettings, count: usize) -> Vec<Case> {
    let settings = FusionSettings { opened: FORMULAS.len(), ..settings };
    let strategy = Fusion::new(Signatures::standard(), settings, &[], 0);
    let mut mutator = strategy.open(&group(), Random::new(5)).unwrap();
    (0..count).map_while(|_| mutator.next_case_with(&mut Answers)).collect()
}

#[test]
fn fusions_of_satisfiable_formulas_are_true_under_the_joint_model() {
    for settings in [FusionSettings::default(), FusionSettings::default().variant("published").unwrap()] {
        let made = cases(settings, 1_000);
        assert_eq!(made.len(), 1_000);
        let (mut sat, mut unsat) = (0, 0);
        for case in &made {
            let mut arena = Arena::default();
            let mut scope = Scope::default();
            let script = parse_in_scope(&mut arena, &mut scope, &case.text).unwrap();
            assert_eq!(arena.script_text(&script), case.text);
            match &case.expectation {
                Expectation::Sat { model } => {
                    sat += 1;
                    let model = Model::read(&mut arena, &scope, model, StringDialect::Standard)
                        .unwrap_or_else(|error| panic!("{error}\n{model}"));
                    for term in script.assertions() {
                        let value = Evaluator::new(&arena, &model, &NO_DEFINITIONS).evaluate(term);
                        assert!(
                            matches!(value, Ok(Value::Bool(true))),
                            "{value:?}\n{}\n{:?}",
                            case.text,
                            case.lineage
                        );
                    }
                }
                Expectation::Unsat { reason } => {
                    unsat += 1;
                    assert!(reason.contains("unsat by z3 and z3"), "{reason}");
                    assert!(case.text.contains("(assert (or "), "{}", case.text);
                }
                other => panic!("{other:?}"),
            }
        }
        assert!(sat > 500 && unsat > 50, "{sat} {unsat}");
        let all: String = made.iter().map(|case| case.text.as_str()).collect();
        for used in ["(str.substr ", "(bvxor ", "(div ", "(xor ", "(pair-z~0 ", "() (_ BitVec 8))"] {
            assert!(all.contains(used), "{used} is never used");
        }
    }
}

#[test]
fn the_same_group_and_answers_give_the_same_cases() {
    assert_eq!(cases(FusionSettings::default(), 30), cases(FusionSettings::default(), 30));
}

#[test]
fn a_group_holds_short_seeds() {
    let seeds: Vec<Seed> = (0..100)
        .map(|number| {
            let length = if number % 2 == 0 { 1 } else { LONGEST };
            Seed::new(format!("{number}.smt2"), format!("(check-sat){}", " ".repeat(length)))
        })
        .collect();
    let group = |number| {
        let strategy = Fusion::new(Signatures::standard(), FusionSettings::default(), &seeds, number);
        strategy.own_seed().unwrap().text
    };
    assert_eq!(group(7).matches(MARK).count(), GROUP);
    assert_eq!(group(7), group(7));
    assert_ne!(group(7), group(8));
}

#[test]
fn formulas_without_an_answer_make_room_for_others() {
    struct Silence;
    impl Questioner for Silence {
        fn ask(&mut self, _: &LiveQuestion) -> Option<Learned> {
            Some(Learned { question: 0, solver: "z3".to_owned(), sat: None, text: String::new() })
        }
    }
    let script = "(declare-const x Int)(assert (> x 3))(check-sat)";
    let seeds: Vec<Seed> = (0..100).map(|number| Seed::new(format!("{number}.smt2"), script)).collect();
    let strategy = Fusion::new(Signatures::standard(), FusionSettings::default(), &seeds, 1);
    let before = strategy.own_seed().unwrap();
    let mut mutator = strategy.open(&before, Random::new(1)).unwrap();
    assert!(mutator.next_case_with(&mut Silence).is_none());
    let after = strategy.own_seed().unwrap();
    assert_eq!(after.text.matches(MARK).count(), GROUP);
    assert_ne!(before.text, after.text);
}
