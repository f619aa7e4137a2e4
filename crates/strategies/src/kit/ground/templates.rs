//! Terms beyond the signature files: datatypes, tuples, binders and operators indexed by functions, as templates.

use super::Context;

/// Declarations that the templates use.
pub(super) const PRELUDE: &str = "\
(declare-datatypes ((Color 0) (Tree 0) (Box 1)) (\
((red) (green) (blue)) \
((leaf (val Int)) (node (left Tree) (tag Color) (right Tree))) \
(par (X) ((box (unbox X) (full Bool)) (nobox)))))
(define-fun twice ((x Int)) Int (* 2 x))
(define-fun-rec down ((x Int)) Int (ite (<= x 0) x (down (- x 7))))
";

/// A text with holes, each a sort in braces.
pub(super) struct Template {
    /// Its name in the coverage table.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
    /// The solvers that accept it.
    pub solvers: u8,
}

const ALL: u8 = Context::Z3 | Context::CVC5;

const fn both(name: &'static str, text: &'static str) -> Template {
    Template { name, text, solvers: ALL }
}

const fn cvc5(name: &'static str, text: &'static str) -> Template {
    Template { name, text, solvers: Context::CVC5 }
}

const fn z3(name: &'static str, text: &'static str) -> Template {
    Template { name, text, solvers: Context::Z3 }
}

/// All templates.
pub(super) const TEMPLATES: &[Template] = &[
    both("constructor", "(node {Tree} {Color} (leaf {Int}))"),
    both("constructor of a parametric datatype", "((as box (Box Int)) {Int} {Bool})"),
    both("tester", "((_ is node) {Tree})"),
    both("tester of a parametric datatype", "((_ is box) {(Box Int)})"),
    both("selector", "(val {Tree})"),
    both("selector of a constructor", "(tag (node {Tree} {Color} {Tree}))"),
    both("selector of a parametric datatype", "(unbox {(Box Int)})"),
    cvc5("update", "((_ update val) {Tree} {Int})"),
    z3("update-field", "((_ update-field tag) {Tree} {Color})"),
    both("match", "(match {Tree} (((leaf v) (+ v 1)) ((node l c r) (ite (= c red) 0 {Int}))))"),
    both("match with a default", "(match {Color} ((red {Int}) (x (ite (= x blue) 1 2))))"),
    both("equality of trees", "(= {Tree} {Tree})"),
    both("let", "(let ((x {Int}) (y {Int})) (let ((x (+ x y))) (* x y)))"),
    both("define-fun", "(twice {Int})"),
    both("define-fun-rec", "(down {Int})"),
    both(
        "exists",
        "(exists ((b Bool) (c (_ BitVec 2))) (and b (= c {(_ BitVec 2)}) (bvult c {(_ BitVec 2)})))",
    ),
    both("forall", "(forall ((c Color) (b Bool)) (or b (distinct c {Color}) {Bool}))"),
    cvc5("tuple", "(tuple {Int} {Bool} {String})"),
    cvc5("tuple.unit", "(= tuple.unit tuple.unit)"),
    cvc5("tuple.select", "((_ tuple.select 1) {(Tuple Int Bool)})"),
    cvc5("tuple.update", "((_ tuple.update 0) {(Tuple Int Bool)} {Int})"),
    cvc5("tuple.project", "((_ tuple.project 1 1 0) {(Tuple Int Bool)})"),
    cvc5("application of a lambda", "(@ (lambda ((x Int) (y Int)) (+ x (* 2 y))) {Int} {Int})"),
    cvc5("set.comprehension", "(set.comprehension ((b Bool)) (or b {Bool}) b)"),
    z3("map", "((_ map (and (Bool Bool) Bool)) {(Array Int Bool)} {(Array Int Bool)})"),
    z3("map of arithmetic", "((_ map (+ (Int Int) Int)) {(Array Bool Int)} {(Array Bool Int)})"),
    z3("select of a lambda", "(select (lambda ((x Int)) (* x {Int})) {Int})"),
];
