use crate::{check, check_in};

#[test]
fn integers_and_reals() {
    check(&[
        ("(+ 1 2 3)", "6"),
        ("(- 5)", "(- 5)"),
        ("(- 5 1 1)", "3"),
        ("(* 2 3 4)", "24"),
        ("(+ 1 0.5)", "(/ 3.0 2.0)"),
        ("(/ 1.0 3.0)", "(/ 1.0 3.0)"),
        ("(/ 1 3)", "(/ 1.0 3.0)"),
        ("(div 7 2)", "3"),
        ("(div (- 7) 2)", "(- 4)"),
        ("(div 7 (- 2))", "(- 3)"),
        ("(div (- 7) (- 2))", "4"),
        ("(mod (- 7) 2)", "1"),
        ("(mod (- 7) (- 2))", "1"),
        ("(rem 7 (- 2))", "(- 1)"),
        ("(abs (- 3))", "3"),
        ("(< 1 2 3)", "true"),
        ("(< 1 3 2)", "false"),
        ("(<= 1 1 2)", "true"),
        ("(to_int (- 1.5))", "(- 2)"),
        ("(is_int 2.0)", "true"),
        ("(is_int 2.5)", "false"),
        ("((_ divisible 3) 9)", "true"),
        ("(^ 2 10)", "1024"),
        ("((_ iand 4) 13 11)", "9"),
        ("(int.pow2 5)", "32"),
        ("(int.log2 33)", "5"),
        ("(> 100000000000000000000 99999999999999999999)", "true"),
    ]);
}

#[test]
fn division_by_zero_is_open() {
    check(&[
        ("(div 1 0)", "? left open by the standard: div by zero, in (div 1 0)"),
        ("(/ 1.0 0.0)", "? left open by the standard"),
        ("(mod 1 0)", "? left open"),
        ("(or (= (div 1 0) 1) true)", "true"),
    ]);
    let model = "((define-fun /0 ((x!0 Real) (x!1 Real)) Real (ite (= x!0 2.0) 7.0 1.0))
        (define-fun div0 ((x!0 Int)) Int (+ x!0 1)))";
    check_in(
        "",
        model,
        &[
            ("(/ 2.0 0.0)", "7.0"),
            ("(/ 4 2 0)", "7.0"),
            ("(/ 3.0 0.0)", "1.0"),
            ("(div 4 0)", "5"),
            ("(div 4 0 0)", "6"),
            ("(mod 4 0)", "? left open"),
        ],
    );
    check_in("", "((refine-fun mod ((x Int) (y Int)) Int x))", &[("(mod 4 0)", "4"), ("(mod 5 3)", "2")]);
}

#[test]
fn algebraic_numbers() {
    let script = "(declare-fun x () Real) (declare-fun y () Real)";
    let model = "((define-fun x () Real (root-obj (+ (^ x 2) (- 2)) 2))
        (define-fun y () Real (_ real_algebraic_number <1*x^2 + (-3), (3/2, 2)>)))";
    check_in(
        script,
        model,
        &[
            ("(* x x)", "2.0"),
            ("(< x 1.5)", "true"),
            ("(= (* x x y y) 6.0)", "true"),
            ("(< x y)", "true"),
            ("(is_int x)", "false"),
            ("(to_int (* 10 x))", "14"),
        ],
    );
}
