use semantics::model::StringDialect;
use semantics::{Model, Verdict, validate};
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
            format!("undetermined: {}", semantics::validate::reasons_text(&arena, &reasons).join("; "))
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
