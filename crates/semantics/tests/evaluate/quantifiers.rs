use crate::{check, check_in};

#[test]
fn quantifiers() {
    check(&[
        ("(forall ((x Bool) (y Bool)) (= (and x y) (not (or (not x) (not y)))))", "true"),
        ("(exists ((x (_ BitVec 4))) (= (bvmul x x) #x9))", "true"),
        ("(exists ((x (_ BitVec 4))) (= (bvmul x x) #x3))", "false"),
        ("(forall ((x Int)) (> (* x x) 0))", "false"),
        ("(exists ((x Int)) (= x 41))", "true"),
        ("(forall ((x Int)) (>= (* x x) 0))", "? no instance decides the quantifier"),
        ("(forall ((x Int)) (or true (> x 0)))", "true"),
        ("(forall ((x Int)) (or (> x 7) (< x 8)))", "true"),
        ("(forall ((x Int)) (or (> (* 2 x) 7) (< (* 2 x) 7)))", "true"),
        ("(exists ((x Int)) (and (> (* 3 x) 7) (< (* 3 x) 9)))", "false"),
        ("(forall ((x Real)) (or (<= x 0.0) (>= x 0.5)))", "false"),
        ("(exists ((x Real)) (and (> (* 3.0 x) 7.0) (< (* 3.0 x) 9.0)))", "true"),
        ("(forall ((x Real)) (>= x (+ x (- 1.5))))", "true"),
        ("(forall ((x Real)) (exists ((y Real)) (> y x)))", "true"),
        ("(exists ((y Real)) (forall ((x Real)) (> y x)))", "false"),
        ("(forall ((x Real)) (or (exists ((y Real)) (and (< y 0.0) (< y x))) (<= x 0.0)))", "true"),
        ("(forall ((x Real)) (exists ((y Real)) (and (< (* 2.0 x) y) (< y (+ x 1.0)))))", "false"),
        (
            "(forall ((x Real)) (=> (< x 1.0) (exists ((y Real)) (and (< (* 2.0 x) y) (< y (+ x 1.0))))))",
            "true",
        ),
        ("(forall ((x Int)) (exists ((y Int)) (= x (* 2 y))))", "false"),
        ("(forall ((x Int)) (exists ((y Int)) (or (= x (* 2 y)) (= x (+ 1 (* 2 y))))))", "?"),
        ("(forall ((m RoundingMode)) (= (fp.add m (_ +zero 3 4) (_ +zero 3 4)) (_ +zero 3 4)))", "true"),
        ("(forall ((x Bool)) (exists ((y Bool)) (distinct x y)))", "true"),
        ("(forall ((x Bool)) (forall ((x (_ BitVec 2))) (bvule x #b11)))", "true"),
        ("(exists ((x Int)) (and (= x 5) (exists ((x Int)) (= x 6))))", "true"),
    ]);
    let script = "(declare-sort U 0) (declare-fun p (U) Bool)";
    let definition = "(define-fun p ((x U)) Bool (or (= x U!val!0) (= x U!val!1)))";
    let elements = "(declare-fun U!val!0 () U) (declare-fun U!val!1 () U)";
    let universe = "(forall ((x U)) (or (= x U!val!0) (= x U!val!1)))";
    let goal = "(forall ((x U)) (p x))";
    check_in(script, &format!("({elements} {universe} {definition})"), &[(goal, "true")]);
    check_in(
        script,
        &format!("({elements} {definition})"),
        &[(goal, "? no instance decides the quantifier")],
    );
    check_in(
        "(declare-datatype C ((r) (g (on Bool))))",
        "()",
        &[
            ("(forall ((c C)) (or (= c r) ((_ is g) c)))", "true"),
            ("(exists ((c C)) (and ((_ is g) c) (not (on c))))", "true"),
        ],
    );
}
