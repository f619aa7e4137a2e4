//! Models as old and new solver releases print them.

use crate::{check_in, value_in};

const SCRIPT: &str =
    "(declare-sort U 0) (declare-fun x () Int) (declare-fun r () Real) (declare-fun s () String)
    (declare-fun u () U) (declare-fun v () U) (declare-fun f (Int) Int) (declare-fun g () Float32)
    (declare-datatype P ((mk (left Int) (right U)))) (declare-fun p () P) (declare-fun |a b| () Int)";

#[test]
fn containers_of_every_kind() {
    let texts = [
        "((define-fun x () Int 5))",
        "(model (define-fun x () Int 5))",
        "sat\n(\n  (define-fun x () Int\n    5)\n)\n",
        "(define-fun x () Int 5)",
        "(model\n;; a comment\n  (define-fun x () Int 5)\n)",
        "((x 5))",
        "((define-const x Int 5))",
    ];
    for text in texts {
        assert_eq!(value_in(SCRIPT, text, "x"), "5", "{text}");
    }
}

#[test]
fn forms_of_values() {
    let table: &[(&str, &str, &str)] = &[
        ("(define-fun x () Int (- 5))", "x", "(- 5)"),
        ("(define-fun x () Int -5)", "x", "(- 5)"),
        ("(define-fun r () Real (- (/ 1.0 3.0)))", "r", "(- (/ 1.0 3.0))"),
        ("(define-fun r () Real (/ (- 1) 3))", "r", "(- (/ 1.0 3.0))"),
        ("(define-fun r () Real 2)", "r", "2.0"),
        ("(define-fun s () String \"\\u{41}\")", "s", "\"A\""),
        ("(define-fun |a b| () Int 3)", "|a b|", "3"),
        ("(define-fun g () (_ FloatingPoint 8 24) (_ -oo 8 24))", "(fp.isInfinite g)", "true"),
        (
            "(define-fun g () (_ FloatingPoint 8 24) (fp #b0 #x00 #b00000000000000000000001))",
            "(fp.isSubnormal g)",
            "true",
        ),
        ("(define-fun f ((x!0 Int)) Int (ite (= x!0 1) 2 3))", "(f 1)", "2"),
        ("(define-fun f ((BOUND_VARIABLE_1 Int)) Int (ite (= 1 BOUND_VARIABLE_1) 2 3))", "(f 0)", "3"),
        ("(define-fun-rec f ((n Int)) Int (ite (<= n 0) 0 (+ n (f (- n 1)))))", "(f 4)", "10"),
        (
            "(define-fun f ((x!0 Int)) Int (f!3 (k!2 x!0))) (define-fun k!2 ((x!0 Int)) Int (ite (>= x!0 2) 2 0)) (define-fun f!3 ((x!0 Int)) Int (ite (= x!0 2) 9 8))",
            "(f 7)",
            "9",
        ),
        ("(define-fun p () P (mk 1 (as @U_0 U)))", "(left p)", "1"),
        ("(define-fun p () P ((as mk P) 1 (as @U_0 U)))", "(right p)", "@U_0"),
        ("(define-fun u () U (as @U_0 U)) (define-fun v () U (as @U_1 U))", "(distinct u v)", "true"),
        ("(define-fun u () U @uc_U_0) (define-fun v () U @uc_U_0)", "(= u v)", "true"),
        ("(u U!val!0) (v U!val!1)", "(= u v)", "false"),
    ];
    for (model, term, expected) in table {
        check_in(SCRIPT, &format!("({model})"), &[(term, expected)]);
    }
}

#[test]
fn constructors_without_their_sorts() {
    let script = "(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
        (declare-fun l () (List Int)) (declare-fun a () (Array (_ BitVec 1) (_ BitVec 1)))";
    let model = "((define-fun l () (List Int) (let ((a!1 (cons 6 nil))) (cons 5 a!1)))
        (define-fun a () (Array (_ BitVec 1) (_ BitVec 1)) (lambda ((x!1 (_ BitVec 1))) x!1)))";
    check_in(
        script,
        model,
        &[
            ("(head (tail l))", "6"),
            ("((_ is nil) (tail (tail l)))", "true"),
            ("(= a (store ((as const (Array (_ BitVec 1) (_ BitVec 1))) #b0) #b1 #b1))", "true"),
        ],
    );
}

#[test]
fn unreadable_definitions_do_not_affect_others() {
    let model = "((define-fun x () Int (mystery 5)) (define-fun r () Real 1.0))";
    check_in(SCRIPT, model, &[("r", "1.0"), ("x", "? the model's definition of `x` is unreadable")]);
    check_in(SCRIPT, "()", &[("x", "? the model does not define `x`")]);
}

#[test]
fn elements_from_comments_are_tried_but_not_exhaustive() {
    let model = "(\n; cardinality of U is 2\n; rep: (as @U_0 U)\n; rep: (as @U_1 U)\n
        (define-fun u () U (as @U_0 U)) (define-fun v () U (as @U_1 U)))";
    check_in(
        SCRIPT,
        model,
        &[
            ("(forall ((y U)) (= y u))", "false"),
            ("(exists ((y U)) (distinct y u))", "true"),
            (
                "(exists ((y U)) (distinct y u v))",
                "? no instance decides the quantifier (exists ((y U)) (distinct y u v))",
            ),
        ],
    );
}

/// Regression: a `match` case without variables was remembered for every value of the scrutinee.
#[test]
fn a_match_depends_on_what_it_matches() {
    let script = "(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))
        (declare-datatypes ((Lst 0)) (((nil) (cons (head Nat) (tail Lst)))))
        (define-fun-rec len ((l Lst)) Nat (match l ((nil zero) ((cons h t) (succ (len t))))))
        (declare-fun one () Lst)";
    let model = "((define-fun one () Lst (cons zero nil)))";
    check_in(
        script,
        model,
        &[
            ("(= (len nil) (len one))", "false"),
            ("(and (= (len nil) zero) (= (len one) (succ zero)))", "true"),
            ("(forall ((x Lst)) (= (len nil) (len x)))", "false"),
        ],
    );
}

/// Empty sequences of different sorts are equal values. A `get-value` answer for one must not apply to the other.
#[test]
fn get_value_answers_belong_to_their_sorts() {
    let script = "(declare-const x Int) (declare-const s (Seq Int)) (declare-const t (Seq Bool))";
    let model = "((define-fun x () Int 5) (define-fun s () (Seq Int) (as seq.empty (Seq Int)))
        (define-fun t () (Seq Bool) (as seq.empty (Seq Bool))))
        (((div x 0) 7) ((seq.nth s 0) 3) ((f x) 4))";
    check_in(
        script,
        model,
        &[
            ("(div x 0)", "7"),
            ("(div 5 0)", "7"),
            ("(div 6 0)", "? left open"),
            ("(seq.nth s 0)", "3"),
            ("(seq.nth t 0)", "? left open"),
        ],
    );
}
