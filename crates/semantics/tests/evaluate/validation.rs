use elenchus_semantics::model::StringDialect;
use elenchus_semantics::{Model, Verdict, validate};
use smt::{Arena, Scope};

fn verdict(script: &str, model: &str) -> String {
    let mut arena = Arena::default();
    let mut scope = Scope::default();
    let script = smt::parse_in_scope(&mut arena, &mut scope, script).expect("a well-typed script");
    let model = Model::read(&mut arena, &scope, model, StringDialect::Standard).expect("a well-formed model");
    match validate(&arena, &script, &model) {
        Verdict::Valid => "valid".to_owned(),
        Verdict::Invalid { index, explanation, .. } => {
            format!("invalid {index}\n{}", explanation.text(&arena))
        }
        Verdict::Undetermined { reasons } => {
            format!(
                "undetermined: {}",
                elenchus_semantics::validate::reasons_text(&arena, &reasons).join("; ")
            )
        }
    }
}

#[test]
fn verdicts() {
    let declare = "(declare-fun x () Int) (declare-fun y () Int)";
    let table = [
        ("(assert (> x 0)) (check-sat)", "((define-fun x () Int 1))", "valid"),
        (
            "(assert (> x 0)) (assert (> y x)) (check-sat)",
            "((define-fun x () Int 1))",
            "undetermined: the model does not define `y`",
        ),
        ("(push) (assert false) (pop) (assert (> x 0)) (check-sat)", "((define-fun x () Int 1))", "valid"),
        (
            "(assert (> x 0)) (check-sat) (push) (assert (! (< x 0) :named n))",
            "((define-fun x () Int 1))",
            "valid",
        ),
        (
            "(define-fun neg ((z Int)) Int (- z)) (assert (> (neg x) 0))",
            "((define-fun x () Int (- 1)))",
            "valid",
        ),
        (
            "(assert (= x 1)) (check-sat-assuming ((= y 2)))",
            "((define-fun x () Int 1) (define-fun y () Int 2))",
            "valid",
        ),
        (
            "(assert true) (assert (or (> x 5) (let ((z (+ x 1))) (= z y))))",
            "((define-fun x () Int 1) (define-fun y () Int 7))",
            "invalid 1\n(or (> x 5) (let ((z (+ x 1))) (= z y))) = false\n  (> x 5) = false\n    x = 1\n  \
             (let ((z (+ x 1))) (= z y)) = false\n    with z = 2\n    (= z y) = false\n      z = 2\n      y = 7\n",
        ),
        (
            "(assert (forall ((b Bool)) (=> b (> x 1))))",
            "((define-fun x () Int 1))",
            "invalid 0\n(forall ((b Bool)) (=> b (> x 1))) = false\n  with b = true\n  (=> b (> x 1)) = false\n    b = true\n    \
             (> x 1) = false\n      x = 1\n",
        ),
    ];
    for (script, model, expected) in table {
        assert_eq!(verdict(&format!("{declare}{script}"), model), expected, "{script}");
    }
}

#[test]
fn a_definition_ends_with_its_level() {
    let model = "((define-fun x () Int 0))";
    let table = [
        "(push) (define-fun x () Int 1) (pop) (declare-const x Int) (assert (= x 0)) (check-sat)",
        "(push) (define-fun x () Int 1) (pop) (declare-fun x () Int) (push) (assert (= x 0)) (check-sat)",
        "(declare-const x Int) (push) (define-fun x () Int 1) (pop) (assert (= x 0)) (check-sat)",
        "(define-fun x () Int 1) (reset-assertions) (declare-const x Int) (assert (= x 0)) (check-sat)",
        "(define-fun y () Int 1) (push) (define-fun y () Int 2) (pop) (assert (= y 1)) (check-sat)",
        // Global declarations outlive their level.
        "(set-option :global-declarations true) (push) (define-fun y () Int 1) (pop) (assert (= y 1)) (check-sat)",
    ];
    for script in table {
        let model = if script.contains(" x ") { model } else { "()" };
        assert_eq!(verdict(script, model), "valid", "{script}");
    }
}

/// The first word of a verdict.
fn word(script: &str, model: &str) -> String {
    let verdict = verdict(script, model);
    verdict.split([' ', ':', '\n']).next().unwrap_or_default().to_owned()
}

#[test]
fn open_values_are_chosen_as_functions_of_their_arguments() {
    let declare = "(declare-fun x () Int) (declare-fun y () Int) (declare-fun r () Real)
                   (declare-datatype L ((nil) (cons (head Int) (tail L)))) (declare-fun l () L)
                   (declare-datatype B ((off) (on (bit Bool))))";
    let model = "((define-fun x () Int 1) (define-fun y () Int 1) (define-fun r () Real 0.0) (define-fun l () L nil))";
    let table = [
        ("(assert (= (div 1 0) 2))", "valid"),
        ("(assert (= (div 1 0) 2)) (assert (= (div 1 0) 3))", "invalid"),
        ("(assert (= (div 1 0) 2)) (assert (= (div 2 0) 3))", "valid"),
        ("(assert (distinct (div x 0) (div y 0)))", "invalid"),
        ("(assert (distinct (div x 0) (div (+ y 1) 0)))", "valid"),
        ("(assert (= (div x 0) 2)) (assert (= (mod x 0) 7))", "valid"),
        ("(assert (< (/ 1.0 r) (/ 1.0 0.0)))", "invalid"),
        ("(assert (< (/ 1.0 r) (/ 2.0 0.0)))", "valid"),
        ("(assert (< 7.0 (/ 1.0 r) 7.5))", "valid"),
        ("(assert (and (< 7.0 (/ 1.0 r) 7.5) (is_int (/ 1.0 r))))", "undetermined"),
        ("(assert (< 7 (div x 0) 8))", "invalid"),
        ("(assert (= (* 2 (div x 0)) 123456789))", "invalid"),
        ("(assert (= (* 3 (div x 0)) 123456789))", "valid"),
        ("(assert (= (div (div x 0) 0) 5))", "valid"),
        ("(assert (= (/ 1 0) 2.5)) (assert (= (/ 1.0 0.0) 2.5))", "valid"),
        ("(assert (= (/ 1 0) 2.5)) (assert (= (/ 1.0 0.0) 3.5))", "invalid"),
        ("(assert (or (= (div x 0) 2) (< x 0))) (assert (not (= (div y 0) 2)))", "invalid"),
        ("(assert (ite (= (mod x 0) 3) (= (mod y 0) 3) (= (mod y 0) 4)))", "valid"),
        ("(assert (ite (= (mod x 0) 3) (= (mod y 0) 4) (= (mod y 0) 3)))", "invalid"),
        ("(assert (= (head l) 3)) (assert (= (head nil) 4))", "invalid"),
        ("(assert (= (head l) 3)) (assert (= (tail l) (cons 1 nil)))", "valid"),
        ("(assert (= (bit off) true))", "valid"),
        ("(assert (xor (bit off) (bit off)))", "invalid"),
        ("(assert (= (seq.nth (as seq.empty (Seq Int)) x) 5))", "valid"),
        (
            "(assert (= (seq.nth (as seq.empty (Seq Int)) x) (+ 1 (seq.nth (as seq.empty (Seq Int)) y))))",
            "invalid",
        ),
        ("(assert (= (fp.min (_ +zero 3 4) (_ -zero 3 4)) (_ -zero 3 4)))", "valid"),
        ("(assert (= (fp.min (_ +zero 3 4) (_ -zero 3 4)) (fp #b0 #b001 #b000)))", "invalid"),
        // Open values inside quantifiers.
        ("(assert (forall ((z Int)) (= (div z 0) 0)))", "valid"),
        ("(assert (forall ((z Int)) (= (mod 0 z) 0)))", "valid"),
        ("(assert (exists ((z Int)) (= (* 2 z) (div x 0))))", "valid"),
        ("(assert (exists ((z Int)) (= (+ 1 (* 2 z)) (div x 0) (* 4 z))))", "invalid"),
        ("(assert (forall ((z Int)) (= z (div x 0))))", "invalid"),
        ("(assert (forall ((r Real)) (=> (> r 0.0) (> (/ 1.0 r) 0.0))))", "valid"),
        ("(assert (forall ((r Real)) (=> (>= r 0.0) (> (/ 1.0 r) 0.0))))", "valid"),
        // Nothing defines `0^0`, and solvers differ.
        ("(assert (= (^ r 0.0) 5.0))", "undetermined"),
    ];
    let mut wrong = String::new();
    for (script, expected) in table {
        let found = word(&format!("{declare}{script}"), model);
        if found != expected {
            wrong.push_str(&format!("{script}\n  expected {expected}\n  found    {found}\n"));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn values_that_the_model_defines_are_not_chosen() {
    let script = "(declare-fun x () Int) (assert (= (div x 0) 2)) (assert (= (mod x 0) 3))";
    let defined = "((define-fun x () Int 1) (define-fun div0 ((a Int)) Int 5))";
    assert_eq!(word(script, defined), "invalid");
    let defined = "((define-fun x () Int 1) (define-fun div0 ((a Int)) Int (ite (= a 1) 2 5)))";
    assert_eq!(word(script, defined), "valid");
    let told = "((define-fun x () Int 1)) (((div x 0) 4))";
    assert_eq!(word(script, told), "invalid");
}

#[test]
fn an_unlisted_universe_may_be_small() {
    let declare = "(declare-sort U 0) (declare-fun a () U) (declare-fun b () U)";
    let model = "((define-fun a () U (as @a U)) (define-fun b () U (as @b U)))";
    let table = [
        ("(assert (exists ((x U)) (distinct x a)))", "valid"),
        ("(assert (forall ((x U)) (or (= x a) (= x b))))", "valid"),
        ("(assert (forall ((x U)) (= x a)))", "invalid"),
        // True only in a larger universe.
        ("(assert (exists ((x U)) (distinct x a b)))", "undetermined"),
    ];
    for (script, expected) in table {
        assert_eq!(word(&format!("{declare}{script}"), model), expected, "{script}");
    }
}

#[test]
fn an_explanation_names_the_open_values() {
    let found = verdict("(assert (distinct (div 1 0) (div 1 0)))(assert (< 0 (div 1 0) 1))", "()");
    assert!(found.starts_with("invalid 0"), "{found}");
    let found = verdict("(assert (< 0 (div 1 0) 1))", "()");
    assert!(
        found.starts_with(
            "invalid 0\n(< 0 (div 1 0) 1) = false\n  for all values that the standard leaves open\n"
        ),
        "{found}"
    );
}
