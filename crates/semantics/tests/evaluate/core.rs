use crate::{check, check_in};

#[test]
fn connectives() {
    check(&[
        ("(and true true false)", "false"),
        ("(or false false)", "false"),
        ("(xor true true true)", "true"),
        ("(=> true true false)", "false"),
        ("(=> false true false)", "true"),
        ("(=> true false false)", "true"),
        ("(not false)", "true"),
        ("(= 1 1 1)", "true"),
        ("(= 1 1 2)", "false"),
        ("(distinct 1 2 3)", "true"),
        ("(distinct 1 2 1)", "false"),
        ("(ite true 1 2)", "1"),
        ("(= 1 1.0)", "true"),
        ("((_ at-most 1) true false true)", "false"),
        ("((_ at-least 2) true false true)", "true"),
        ("((_ pble 3 2 2) true true)", "false"),
        ("((_ pbeq 4 2 2) true true)", "true"),
        ("(let ((x 1) (y 2)) (let ((x y) (y x)) (- x y)))", "1"),
        ("(let ((x 1)) (+ x (let ((x 10)) x) x))", "12"),
        ("(! (+ 1 2) :named sum)", "3"),
    ]);
}

#[test]
fn undetermined_arguments_do_not_matter_once_the_rest_decides() {
    let script = "(declare-fun p () Bool) (declare-fun x () Int)";
    check_in(
        script,
        "()",
        &[
            ("(and p false)", "false"),
            ("(and false p)", "false"),
            ("(or p true)", "true"),
            ("(=> p true)", "true"),
            ("(=> false p)", "true"),
            ("(and p true)", "? the model does not define `p`"),
            ("(ite p 1 1)", "1"),
            ("(ite p 1 2)", "? the model does not define `p`"),
            ("(= x x)", "true"),
            ("(= (div x 0) (div x 0))", "true"),
            ("(= 1 x 2)", "false"),
            ("(distinct x 1 x)", "false"),
            ("(distinct 1 1 x)", "false"),
            ("(* 0 x)", "0"),
            ("(let ((y x)) 5)", "5"),
            ("(+ x 1)", "? the model does not define `x`"),
        ],
    );
}

#[test]
fn definitions_of_the_script() {
    let script = "(define-fun twice ((x Int)) Int (* 2 x))
        (define-fun-rec fac ((n Int)) Int (ite (<= n 0) 1 (* n (fac (- n 1)))))
        (define-fun-rec fib ((n Int)) Int (ite (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
        (define-funs-rec ((even ((n Int)) Bool) (odd ((n Int)) Bool))
          ((or (= n 0) (odd (- n 1))) (and (not (= n 0)) (even (- n 1)))))
        (define-fun-rec forever ((n Int)) Int (+ 1 (forever (+ n 1))))";
    check_in(
        script,
        "()",
        &[
            ("(twice (twice 5))", "20"),
            ("(fac 10)", "3628800"),
            ("(fib 80)", "23416728348467685"),
            ("(even 1000)", "true"),
            ("(odd 1000)", "false"),
            ("(forever 0)", "? too large"),
            ("(let ((n 3)) (+ n (fac n) n))", "12"),
        ],
    );
}

#[test]
fn uninterpreted_functions_and_arrays() {
    let script = "(declare-sort U 0) (declare-fun f (Int Int) Int) (declare-fun a () (Array Int Int))
        (declare-fun u () U) (declare-fun v () U)";
    let model = "((declare-fun U!val!0 () U) (declare-fun U!val!1 () U)
        (define-fun u () U U!val!0) (define-fun v () U U!val!1)
        (define-fun f ((x!0 Int) (x!1 Int)) Int (ite (and (= x!0 1) (= x!1 2)) 7 (- 3)))
        (define-fun a () (Array Int Int) (_ as-array k!0))
        (define-fun k!0 ((x!0 Int)) Int (ite (= x!0 4) 5 6)))";
    check_in(
        script,
        model,
        &[
            ("(f 1 2)", "7"),
            ("(f 2 1)", "(- 3)"),
            ("(select a 4)", "5"),
            ("(select (store a 9 1) 9)", "1"),
            ("(= a (store (store a 4 5) 0 6))", "true"),
            ("a", "(store ((as const (Array Int Int)) 6) 4 5)"),
            ("(= u v)", "false"),
            ("u", "U!val!0"),
        ],
    );
}
