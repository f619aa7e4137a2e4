//! A theory of one sort and two operators, added by the two files that the section "Add a theory" of CONTRIBUTING.md names:
//! a signature file and a file of rules.

#[path = "toy_theory/clocks.rs"]
mod clocks;

use std::sync::Arc;

use elenchus_semantics::eval::has_rule;
use elenchus_semantics::theory::{Rule, Theory};
use elenchus_semantics::{Evaluator, Model, NO_DEFINITIONS, RegisterError, Value, Verdict, validate};
use smt::{Arena, Scope, Signatures};

const SIGNATURE: &str = include_str!("toy_theory/clocks.smt2");

fn arena() -> Arena {
    elenchus_semantics::register(&clocks::THEORY).expect("no other theory has clocks");
    let mut signatures = Signatures::built_in();
    signatures.load(SIGNATURE).expect("a well-formed signature");
    Arena::new(Arc::new(signatures))
}

/// The value of a term under a model for `(declare-const c Clock)` and `(declare-const d Clock)`.
fn value(model: &str, term: &str) -> String {
    let mut arena = arena();
    let mut scope = Scope::default();
    let script = "(declare-const c Clock) (declare-const d Clock) (declare-const a (Array Clock Int))";
    smt::parse_in_scope(&mut arena, &mut scope, script).expect("well-typed declarations");
    let model = Model::read(&mut arena, &scope, model, Default::default()).expect("a well-formed model");
    let term = smt::parse_term(&mut arena, &mut scope, term).expect("a well-typed term");
    match Evaluator::new(&arena, &model, &NO_DEFINITIONS).evaluate(term) {
        Ok(value) => value.text(&arena, arena.sort(term)),
        Err(reason) => format!("undetermined: {}", reason.text(&arena)),
    }
}

#[test]
fn every_operator_has_a_rule() {
    let arena = arena();
    let signatures = arena.signatures();
    for declaration in &signatures.declarations {
        if signatures.theories[declaration.theory].name == "Clocks" {
            assert!(has_rule(signatures, declaration), "{}", signatures.describe(declaration));
        }
    }
}

#[test]
fn operators_are_evaluated() {
    let table = [
        ("()", "(clock 15)", "(clock 3)"),
        ("()", "(clock (- 1))", "(clock 11)"),
        ("()", "(clock.add (clock 7) (clock 8) (clock 1))", "(clock 4)"),
        ("()", "(= (clock 1) (clock 13))", "true"),
        ("()", "(distinct (clock 1) (clock 2) (clock 13))", "false"),
        ("()", "c", "undetermined: the model does not define `c`"),
    ];
    for (model, term, expected) in table {
        assert_eq!(value(model, term), expected, "{term}");
    }
}

#[test]
fn values_are_read_from_models() {
    let table = [
        ("((define-fun c () Clock (clock 15)))", "(clock.add c (clock 1))", "(clock 4)"),
        ("((define-fun c () Clock (as @clock_11 Clock)))", "(clock.add c c)", "(clock 10)"),
        ("((c (clock 2)))", "c", "(clock 2)"),
        (
            "((define-fun a () (Array Clock Int) (store ((as const (Array Clock Int)) 0) (clock 14) 7)))",
            "(select a (clock 2))",
            "7",
        ),
    ];
    for (model, term, expected) in table {
        assert_eq!(value(model, term), expected, "{term} under {model}");
    }
}

#[test]
fn quantifiers_range_over_all_values() {
    let table = [
        ("(forall ((x Clock)) (= (clock.add x (clock 0)) x))", "true"),
        ("(forall ((x Clock)) (exists ((y Clock)) (= (clock.add x y) (clock 5))))", "true"),
        ("(exists ((x Clock)) (= (clock.add x x) (clock 7)))", "false"),
    ];
    for (term, expected) in table {
        assert_eq!(value("()", term), expected, "{term}");
    }
}

#[test]
fn models_are_validated() {
    let script = "(declare-const c Clock) (assert (= (clock.add c c) (clock 2))) (check-sat)";
    let verdict = |text: &str| {
        let mut arena = arena();
        let mut scope = Scope::default();
        let script = smt::parse_in_scope(&mut arena, &mut scope, script).expect("a well-typed script");
        let model = Model::read(&mut arena, &scope, text, Default::default()).expect("a well-formed model");
        match validate(&arena, &script, &model) {
            Verdict::Valid => "valid".to_owned(),
            Verdict::Invalid { explanation, .. } => explanation.text(&arena),
            Verdict::Undetermined { .. } => "undetermined".to_owned(),
        }
    };
    assert_eq!(verdict("((define-fun c () Clock (clock 7)))"), "valid");
    assert_eq!(verdict("()"), "undetermined");
    assert_eq!(
        verdict("((define-fun c () Clock (clock 2)))"),
        "(= (clock.add c c) (clock 2)) = false\n  (clock.add c c) = (clock 4)\n    c = (clock 2)\n    c = (clock 2)\n  \
         (clock 2) = (clock 2)\n"
    );
}

#[test]
fn two_theories_cannot_share_an_operator() {
    const RULES: &[(&str, u8, Rule)] = &[("bvadd", 2, |_, _| Ok(Value::Bool(true)))];
    static OTHER: Theory = Theory { rules: RULES, ..Theory::new("Other") };
    let error = elenchus_semantics::register(&OTHER).expect_err("`bvadd` has a rule");
    assert_eq!(error, RegisterError::Duplicate { theory: "Other", name: "bvadd" });
}
