use crate::{check, check_in};

#[test]
fn quantifiers() {
    check(&[
        ("(forall ((x Bool) (y Bool)) (= (and x y) (not (or (not x) (not y)))))", "true"),
        ("(exists ((x (_ BitVec 4))) (= (bvmul x x) #x9))", "true"),
        ("(exists ((x (_ BitVec 4))) (= (bvmul x x) #x3))", "false"),
        ("(forall ((x Int)) (> (* x x) 0))", "false"),
        ("(exists ((x Int)) (= x 41))", "true"),
        ("(forall ((x Int)) (>= (* x x) 0))", "true"),
        (
            "(forall ((x Int) (y Int)) (distinct (* x x x) (+ 4 (* y y y))))",
            "? no instance decides the quantifier",
        ),
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
        ("(forall ((x Int)) (exists ((y Int)) (or (= x (* 2 y)) (= x (+ 1 (* 2 y))))))", "true"),
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

#[test]
fn linear_integers() {
    check(&[
        ("(forall ((x Int)) (exists ((y Int)) (or (= x (* 2 y)) (= x (+ 1 (* 2 y))))))", "true"),
        ("(forall ((x Int)) (exists ((y Int)) (or (= x (* 3 y)) (= x (+ 1 (* 3 y))))))", "false"),
        ("(exists ((x Int) (y Int)) (= (+ (* 6 x) (* 10 y)) 14))", "true"),
        ("(exists ((x Int) (y Int)) (= (+ (* 6 x) (* 10 y)) 15))", "false"),
        // False only at a big number.
        (
            "(forall ((x Int) (y Int)) (=> (= x (* 1000003 y)) (or (<= y 0) (distinct x 999999999989000003))))",
            "true",
        ),
        ("(forall ((x Int) (y Int)) (=> (= x (* 7 y)) (distinct x 70000000000000000000007)))", "false"),
        ("(forall ((x Int)) (=> (= (mod x 7) 3) (= (mod (* 2 x) 7) 6)))", "true"),
        ("(forall ((x Int)) (=> (= (mod x 7) 3) (= (mod (* 3 x) 7) 1)))", "false"),
        ("(forall ((x Int)) (= x (+ (* 5 (div x 5)) (mod x 5))))", "true"),
        ("(forall ((x Int)) (= x (+ (* (- 5) (div x (- 5))) (mod x (- 5)))))", "true"),
        ("(forall ((x Int)) (< (mod x (- 5)) 4))", "false"),
        ("(forall ((x Int)) (=> ((_ divisible 6) x) (and ((_ divisible 2) x) ((_ divisible 3) x))))", "true"),
        ("(forall ((x Int)) (=> ((_ divisible 3) x) ((_ divisible 6) x)))", "false"),
        ("(forall ((x Int) (y Int)) (= (ite (< x y) x y) (ite (>= x y) y x)))", "true"),
        ("(forall ((x Int) (y Int)) (<= (abs (+ x y)) (+ (abs x) (abs y))))", "true"),
        ("(forall ((x Int) (y Int)) (< (abs (+ x y)) (+ (abs x) (abs y))))", "false"),
        ("(forall ((x Int)) (exists ((y Int)) (forall ((z Int)) (=> (> z y) (> z x)))))", "true"),
        ("(exists ((y Int)) (forall ((x Int)) (exists ((z Int)) (and (= (+ x z) y) (> z 0)))))", "false"),
        ("(forall ((x Int)) (exists ((x Int)) (= x 5)))", "true"),
        ("(forall ((x Int) (b Bool)) (= (ite b x 0) (ite (not b) 0 x)))", "true"),
        ("(forall ((x Int) (y Int)) (let ((z (+ x y))) (=> (> x 0) (> z y))))", "true"),
        ("(forall ((x Int) (y Int)) (let ((x (+ y 1))) (> x y)))", "true"),
        ("(forall ((x Int)) (>= (* x x) x))", "true"),
        ("(forall ((x Int)) (distinct (* x x) 3))", "true"),
        ("(forall ((x Int)) (distinct (* x x) 1000000))", "false"),
        ("(forall ((x Int)) (distinct (mod (* x x) 4) 2))", "true"),
        ("(exists ((x Int)) (= (mod (* x x) 7) 2))", "true"),
        ("(exists ((x Int)) (= (mod (* x x) 7) 3))", "false"),
    ]);
}

#[test]
fn reals() {
    check(&[
        ("(exists ((x Real) (y Real)) (and (< x y) (< y (+ x 0.001))))", "true"),
        ("(forall ((x Real) (y Real)) (=> (< x y) (exists ((z Real)) (and (< x z) (< z y)))))", "true"),
        ("(forall ((x Real) (y Real)) (=> (<= x y) (exists ((z Real)) (and (< x z) (< z y)))))", "false"),
        ("(exists ((x Real)) (and (= (* 2.0 x) 1.0) (> x 0.0)))", "true"),
        ("(exists ((x Real)) (= (* x x) 2.0))", "true"),
        ("(exists ((x Real)) (= (* x x) (- 2.0)))", "false"),
        ("(forall ((x Real)) (>= (* x x) x))", "false"),
        ("(forall ((x Real)) (>= (+ (* x x) 1.0) (* 2.0 x)))", "true"),
        ("(forall ((x Real)) (> (+ (* x x) 1.0) (* 2.0 x)))", "false"),
        ("(exists ((x Real)) (and (= (* x x x) 2.0) (> x 1.25) (< x 1.26)))", "true"),
        ("(exists ((x Real)) (and (= (* x x x) 2.0) (> x 1.26)))", "false"),
        // Linear in each variable, with the other one as a coefficient.
        ("(forall ((x Real)) (=> (distinct x 0.0) (exists ((y Real)) (= (* x y) 1.0))))", "true"),
        ("(forall ((x Real)) (exists ((y Real)) (= (* x y) 1.0)))", "false"),
        ("(forall ((x Real) (y Real)) (=> (and (> x 0.0) (> y 0.0)) (> (* x y) 0.0)))", "true"),
        ("(forall ((x Real) (y Real)) (=> (> (* x y) 0.0) (> x 0.0)))", "false"),
        // Open at zero. Validation chooses the value; plain evaluation does not.
        ("(forall ((x Real)) (=> (> x 0.0) (> (/ 1.0 x) 0.0)))", "?"),
        ("(forall ((x Real)) (=> (> x 0.0) (> (/ 1.0 x) 0.25)))", "?"),
        ("(exists ((x Real)) (and (> x 1.0) (= (/ 6.0 x) (+ x 1.0))))", "true"),
        ("(forall ((x Real)) (=> (> x 0.0) (> (/ 1.0 (- x 1.0)) (- 5.0))))", "?"),
        // An integer between reals is not eliminated.
        ("(forall ((x Real)) (<= (to_real (to_int x)) x))", "?"),
        ("(forall ((x Real)) (< (to_real (to_int x)) x))", "false"),
        ("(forall ((x Real)) (=> (is_int x) (= (to_real (to_int x)) x)))", "?"),
        ("(forall ((x Real)) (=> (= (to_real (to_int x)) x) (is_int x)))", "?"),
        ("(exists ((n Int)) (and (< 0.5 (to_real n)) (< (to_real n) 0.75)))", "false"),
        ("(forall ((x Real) (b Bool)) (=> (distinct (* x x) x) (=> b b)))", "true"),
    ]);
}

#[test]
fn quantifiers_over_functions_of_the_model() {
    let script = "(declare-fun f (Int) Int) (declare-fun g (Int Bool) Bool) (declare-const a (Array Int Int)) (declare-const k Int)";
    let model = "((define-fun f ((x Int)) Int (ite (= x 3) 10 (ite (>= x 100) x 0)))
                  (define-fun g ((x Int) (b Bool)) Bool (ite (and (= x 1) b) true false))
                  (define-fun a () (Array Int Int) (store ((as const (Array Int Int)) 7) 2 (- 1)))
                  (define-fun k () Int 40))";
    check_in(
        script,
        model,
        &[
            ("(forall ((x Int)) (>= (f x) 0))", "true"),
            ("(forall ((x Int)) (distinct (f x) 101))", "false"),
            ("(forall ((x Int)) (=> (< x 100) (<= (f x) 10)))", "true"),
            ("(forall ((x Int)) (=> (distinct x 2) (= (select a x) 7)))", "true"),
            ("(forall ((x Int)) (= (select a x) 7))", "false"),
            ("(forall ((x Int)) (=> (= (select a (+ x k)) (- 1)) (= x (- 38))))", "true"),
            ("(forall ((x Int) (b Bool)) (= (g x b) (and b (= x 1))))", "true"),
            ("(forall ((x Int) (b Bool)) (=> (g x b) (= (f (+ x 2)) 10)))", "true"),
            ("(forall ((x Int)) (=> (> (f (f x)) 0) (or (= x 3) (>= x 100))))", "true"),
            ("(forall ((x Int)) (=> (> (f (f x)) 0) (>= x 100)))", "true"),
            ("(forall ((x Int)) (=> (> (f x) 0) (>= x 100)))", "false"),
            ("(exists ((x Int)) (and (> x 3) (< (f x) x) (= (f x) (f k)) (= (mod x 11) 4)))", "true"),
        ],
    );
}

#[test]
fn large_sorts() {
    check(&[
        ("(forall ((x (_ BitVec 64))) (exists ((y (_ BitVec 64))) (distinct x y)))", "true"),
        ("(exists ((x String)) (and (distinct x \"a\") (distinct x \"b\")))", "true"),
        ("(forall ((x String) (y String)) (or (= x y) (= x \"a\") (= y \"a\")))", "false"),
        ("(forall ((x Int)) (exists ((y Int) (z (_ BitVec 32))) (and (= y x) (= #x00000000 z))))", "true"),
        ("(forall ((x String)) (>= (str.len x) 0))", "true"),
        ("(forall ((x String)) (> (str.len x) 0))", "false"),
        ("(exists ((x (Seq Int)) (n Int)) (and (= (seq.len x) (* 2 n)) (= n 1000000)))", "true"),
        (
            "(forall ((s String) (t String) (u String)) (= (str.++ s (str.++ t u)) (str.++ (str.++ s t) u)))",
            "true",
        ),
        ("(forall ((i Int)) (distinct (str.at \"abc\" i) \"d\"))", "true"),
        ("(forall ((i Int)) (distinct (str.at \"abc\" i) \"c\"))", "false"),
        ("(forall ((i Int) (n Int)) (<= (str.len (str.substr \"abc\" i n)) 3))", "true"),
        (
            "(forall ((i Int)) (= (str.indexof \"abca\" \"a\" i) (ite (= i 0) 0 (ite (<= 1 i 3) 3 (- 1)))))",
            "true",
        ),
        ("(forall ((i Int)) (= (str.indexof \"abca\" \"\" i) (ite (<= 0 i 4) i (- 1))))", "true"),
        ("(forall ((x Real)) (=> (set.member x (set.insert 1.5 (set.singleton 2.5))) (> x 1.0)))", "true"),
        ("(forall ((x (_ BitVec 14)) (b Bool) (y (_ BitVec 14))) (=> (bvult y y) false))", "true"),
    ]);
}
