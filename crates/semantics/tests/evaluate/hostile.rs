//! Hostile input: exponential blow-ups end in "too large", and deep nesting does not overflow the stack.

use elenchus_semantics::model::StringDialect;
use elenchus_semantics::{Evaluator, Model, Value};
use smt::{Arena, Scope, Sort};

use crate::check;

#[test]
fn huge_values_meet_the_limit() {
    check(&[
        ("(^ 9 (^ 9 (^ 9 9)))", "? too large"),
        ("(int.pow2 1000000000000)", "? too large"),
        ("((_ zero_extend 100000000) #b1)", "? too large"),
        ("(bvadd (_ bv1 100000000) (_ bv1 100000000))", "? too large"),
        ("(str.power \"abc\" 100000000000)", "? too large"),
        (
            "(str.in_re \"aaaa\" (re.++ ((_ re.loop 1 1000000) (str.to_re \"a\")) ((_ re.^ 1000000) re.allchar)))",
            "false",
        ),
        ("(forall ((x (_ BitVec 64))) (bvule x x))", "?"),
        ("(forall ((a (Array (_ BitVec 32) (_ BitVec 32)))) (= a a))", "true"),
    ]);
}

/// The inner quantifier needs all values of its sort for each value of the outer one. Listing them again would take hours.
#[test]
fn values_are_listed_once_for_nested_quantifiers() {
    let half = "(_ FloatingPoint 5 11)";
    let none = format!("((as const (Array {half} Bool)) false)");
    check(&[
        (&format!("(exists ((x {half})) (forall ((y {half})) (fp.lt x y)))"), "false"),
        (
            &format!("(exists ((x {half})) (forall ((y {half})) (fp.lt x (ite (select {none} x) x y))))"),
            "false",
        ),
    ]);
}

#[test]
fn repeated_doubling_of_a_string_meets_the_limit() {
    let mut term = "\"ab\"".to_owned();
    for _ in 0..40 {
        term = format!("(str.replace_all {term} \"a\" \"aa\")");
    }
    check(&[(&format!("(str.len {term})"), "? too large")]);
}

#[test]
fn a_term_nested_a_million_deep() {
    let mut arena = Arena::default();
    let mut term = arena.literal(smt::Literal::Numeral, "1", Sort::INT);
    let one = term;
    for _ in 0..1_000_000 {
        term = arena.apply("+", &[one, term]).expect("sorts fit");
    }
    let model = Model::new();
    let mut evaluator = Evaluator::new(&arena, &model, &elenchus_semantics::NO_DEFINITIONS);
    assert_eq!(evaluator.evaluate(term), Ok(Value::Int(1_000_001.into())));
}

#[test]
fn nested_lets_and_shared_terms_cost_one_visit_each() {
    let mut text = "x0".to_owned();
    for at in (0..2000).rev() {
        text =
            format!("(let ((x{} (ite (> x{at} 1000000) (- x{at} x{at}) (+ x{at} x{at})))) {text})", at + 1);
        if at == 1999 {
            text = text.replace(" x0)", " x2000)");
        }
    }
    let text = format!("(let ((x0 1)) {text})");
    let mut arena = Arena::default();
    let term = smt::parse_term(&mut arena, &mut Scope::default(), &text).expect("it is right");
    let model = Model::new();
    let mut evaluator = Evaluator::new(&arena, &model, &elenchus_semantics::NO_DEFINITIONS);
    assert_eq!(evaluator.evaluate(term), Ok(Value::Int(0.into())));
}

#[test]
fn a_deep_value_is_rejected_and_not_dropped_recursively() {
    let mut arena = Arena::default();
    let mut scope = Scope::default();
    let script = "(declare-datatype N ((zero) (succ (pred N))))";
    smt::parse_in_scope(&mut arena, &mut scope, script).expect("it is right");
    let deep = format!("{}zero{}", "(succ ".repeat(100_000), ")".repeat(100_000));
    let term = smt::parse_term(&mut arena, &mut scope, &deep).expect("it is right");
    let model = Model::new();
    let mut evaluator = Evaluator::new(&arena, &model, &elenchus_semantics::NO_DEFINITIONS);
    assert!(evaluator.evaluate(term).is_err());
}

#[test]
fn values_stay_small() {
    assert!(size_of::<Value>() <= 32, "{} bytes", size_of::<Value>());
}

#[test]
fn a_model_with_too_many_definitions_is_not_read() {
    let text = format!("({})", "(define-fun x () Int 1)".repeat(100_001));
    let error = Model::read(&mut Arena::default(), &Scope::default(), &text, StringDialect::default());
    assert!(error.unwrap_err().to_string().contains("more than 100000 definitions"));
}
