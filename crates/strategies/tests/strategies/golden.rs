//! Golden outputs: replaying a case depends on these bytes.

use crate::common::{SMALL, small_signatures};
use smt::{Arena, Signatures, parse_script};
use std::sync::Arc;
use strategies::histfuzz::{Miner, RuleSettings, Source};
use strategies::{
    Approximate, ApproximateSettings, Diver, DiverSettings, Enumerate, Grammar, GrammarSettings, HistFuzz,
    HistFuzzSettings, History, Incremental, IncrementalSettings, Learned, OpFuzz, Random, Recorded, Seed,
    Strategy, Swap, SwapSettings, TypeFuzz, TypeFuzzSettings, ValFuzz, ValFuzzSettings,
};

/// The number of cases to make; the last one is compared.
const CASES: usize = 3;

/// The answer of a solver.
fn answer(sat: bool, text: &str) -> Learned {
    Learned { question: 0, solver: "z3".to_owned(), sat: Some(sat), text: text.to_owned() }
}

fn diver(sat: bool, text: &str) -> (Box<dyn Strategy>, Seed) {
    let script = "(declare-const x Int)\n(assert (> x 3))\n(assert (< (+ x 1) 9))\n(check-sat)\n";
    let script = if sat { script.to_owned() } else { script.replace("(< (+ x 1) 9)", "(< (+ x 1) 2)") };
    let mut seed = Seed::new("seed", script);
    seed.learned.push(answer(sat, text));
    (Box::new(Diver::new(Signatures::standard(), DiverSettings::default())), seed)
}

fn approximate(sat: bool, text: &str) -> (Box<dyn Strategy>, Seed) {
    let (_, seed) = diver(sat, text);
    (Box::new(Approximate::new(Signatures::standard(), ApproximateSettings::default())), seed)
}

fn valfuzz(settings: ValFuzzSettings) -> (Box<dyn Strategy>, Seed) {
    let mut seed = Seed::new("seed", "(declare-const x Int)\n(assert (or (> x 7) (< x 2)))\n(check-sat)\n");
    let model =
        |h1: i64| format!("((define-fun h1 () Int {h1}) (define-fun h2 () Int 0) (define-fun x () Int 5))");
    seed.dialogue = (0..20).map(|h1| answer(true, &model(h1))).collect();
    (Box::new(ValFuzz::new(Signatures::standard(), settings)), seed)
}

fn histfuzz() -> (Box<dyn Strategy>, Seed) {
    let text = "(declare-const x Int)(declare-const y Int)(assert (exists ((k Int)) (and (< x k) (= y k))))";
    let mut miner = Miner::new(Signatures::standard(), false);
    miner.add(&Source { text, ..Source::default() });
    let library = Arc::new(miner.finish(&RuleSettings { support: 1, ..RuleSettings::default() }));
    let settings = HistFuzzSettings { support: 1, ..HistFuzzSettings::default() };
    let strategy = HistFuzz::new(&Signatures::standard(), History { library, file: String::new(), settings });
    (Box::new(strategy), Seed::new("seed", text))
}

fn small(build: impl Fn(Arc<Signatures>) -> Box<dyn Strategy>) -> (Box<dyn Strategy>, Seed) {
    (build(small_signatures()), Seed::new("seed", SMALL))
}

/// Like [`small`], with the constant `true`, which generated formulas need.
fn generated(build: impl Fn(Arc<Signatures>) -> Box<dyn Strategy>) -> (Box<dyn Strategy>, Seed) {
    let mut signatures = Signatures::empty();
    let core = "(theory Core :sorts ((Bool 0)) :funs ((true Bool) (not Bool Bool) (par (A) (= A A Bool :chainable :at-most 2))))";
    let ints = "(theory Ints :sorts ((Int 0)) :funs ((- Int Int) (+ Int Int Int :left-assoc :at-most 2) (< Int Int Bool)))";
    for text in [core, ints] {
        signatures.load(text).unwrap();
    }
    (build(Arc::new(signatures)), Seed::new("seed", SMALL))
}

/// The assertions of a script, as they are printed.
fn assertions(text: &str) -> Vec<String> {
    let mut arena = Arena::default();
    let script = parse_script(&mut arena, text).unwrap();
    script.assertions().map(|term| arena.term_text(term)).collect()
}

fn last_case((strategy, seed): &(Box<dyn Strategy>, Seed)) -> String {
    let opened = strategy.own_seed().unwrap_or_else(|| seed.clone());
    let mut mutator = strategy.open(&opened, Random::new(21)).unwrap();
    let mut recorded = Recorded::new(&seed.dialogue);
    let cases: Vec<_> = (0..CASES).map_while(|_| mutator.next_case_with(&mut recorded)).collect();
    assert_eq!(cases.len(), CASES, "{}", strategy.name());
    cases[CASES - 1].text.clone()
}

#[test]
fn cases_have_these_bytes() {
    let table = [
        (
            small(|all| Box::new(TypeFuzz::new(all, TypeFuzzSettings::default()))),
            "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n\
             (assert (not (= (not (< x y)) (< x y))))\n(check-sat)\n",
        ),
        (
            small(|all| Box::new(TypeFuzz::new(all, TypeFuzzSettings::as_published()))),
            "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n\
             (assert (not (< (- (+ x x)) (- x))))\n(check-sat)\n",
        ),
        (
            small(|all| Box::new(OpFuzz::new(all))),
            "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n\
             (assert (not (= x y)))\n(check-sat)\n",
        ),
        (
            small(|all| Box::new(Swap::new(all, SwapSettings::default()))),
            "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n\
             (assert (not (< y x)))\n(check-sat)\n",
        ),
        (
            small(|all| Box::new(Incremental::new(all, IncrementalSettings::default()))),
            "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n(declare-const q0 Bool)\n\
             (declare-const q1 Bool)\n(declare-const q2 Bool)\n(push 1)\n(pop 1)\n(push 2)\n\
             (define-fun q_0 () Bool (not (not (< x y))))\n(assert q_0)\n(check-sat-assuming (q2 q0))\n\
             (assert (= q1 (not (< x y))))\n(assert (not (not (< x y))))\n(pop 2)\n(push 1)\n\
             (assert (not (not (< x y))))\n(assert (not (not (< x y))))\n(assert (not (< x y)))\n(pop 1)\n\
             (assert (not (< x y)))\n(check-sat)\n",
        ),
        (
            generated(|all| Box::new(Grammar::new(all, GrammarSettings::default()))),
            "(set-option :produce-unsat-assumptions true)\n(set-logic QF_UFLIA)\n\
             (declare-const v0 Int)\n(declare-const v1 Int)\n(declare-const v2 Bool)\n\
             (declare-fun f0 (Int) Bool)\n(declare-fun f1 (Int) Int)\n\
             (assert (not (< (- 64) (+ (+ v0 v0) (f1 7)))))\n(assert true)\n(assert (f0 v0))\n\
             (assert (< (- v1) v0))\n(check-sat-assuming (v2))\n",
        ),
        (
            generated(|all| Box::new(Enumerate::new(all))),
            "(set-logic ALL)\n(declare-const v0 Bool)\n(declare-const v1 Bool)\n\
             (assert (not v0))\n(check-sat)\n",
        ),
        (
            diver(true, "((define-fun x () Int 5))"),
            "(declare-const x Int)\n(declare-fun q0 () Int)\n(declare-fun q1 () Int)\n\
             (assert (> (- x q0) 3))\n(assert (<= q0 5))\n(assert (not (< q1 q0)))\n\
             (assert (< (+ x 1) 9))\n(check-sat)\n",
        ),
        (
            diver(false, "(elenchus-core-0 elenchus-core-1)"),
            "(declare-const x Int)\n(assert (> x 3))\n(assert (< (+ x 1) 2))\n\
             (assert (< x (ite (distinct x (- 9223372036854775808)) x 8)))\n(assert true)\n\
             (check-sat)\n",
        ),
        (
            approximate(true, "((define-fun x () Int 5))"),
            "(declare-const x Int)\n(assert (or (distinct x 3) (not (> x 3))))\n\
             (assert (or (distinct (- (+ x 1) 4294967296) (ite (< 9 3) 3 9)) (not (< (+ x 1) 9))))\n\
             (check-sat)\n",
        ),
        (
            approximate(false, ""),
            "(declare-const x Int)\n(assert (> (- (- x 0) 7) 3))\n\
             (assert (< (ite (< (+ (+ (+ x 2) 1) 0) (+ x 1)) (+ x 1) (+ (+ (+ (+ x 1) 2) 1) 0)) 2))\n\
             (check-sat)\n",
        ),
        (
            valfuzz(ValFuzzSettings::default()),
            "(declare-const x Int)\n(declare-fun h1 () Int)\n(declare-fun h2 () Int)\n\
             (declare-fun m1 () Bool)\n(declare-fun m2 () Bool)\n(declare-fun m3 () Bool)\n\
             (declare-fun m4 () Bool)\n(declare-fun m5 () Bool)\n(declare-fun m6 () Bool)\n\
             (declare-fun m7 () Bool)\n(declare-fun m8 () Bool)\n(declare-fun m9 () Bool)\n\
             (declare-fun m10 () Bool)\n(declare-fun m11 () Bool)\n(declare-fun m12 () Bool)\n\
             (assert (= m1 (> x h1)))\n(assert (= m2 (< x h2)))\n\
             (assert (= m3 (or (> x h1) (< x h2))))\n(assert (= m4 (= x 0)))\n\
             (assert (= m5 (< x 0)))\n(assert (= m6 (> x 0)))\n(assert (= m7 (= h1 h2)))\n\
             (assert (= m8 (not (= h1 h2))))\n(assert (= m9 (> h1 h2)))\n\
             (assert (= m10 (< h1 h2)))\n(assert (= m11 (>= h1 h2)))\n\
             (assert (= m12 (<= h1 h2)))\n(assert (not m11))\n(assert m5)\n(assert m8)\n\
             (assert (not m2))\n(assert (not m4))\n(assert (not m12))\n(assert (not m3))\n\
             (assert (not (= h2 0)))\n(check-sat)\n",
        ),
        (
            valfuzz(ValFuzzSettings::preset("RBASE").unwrap()),
            "(declare-const x Int)\n(assert (or (> x 1087451801) (< x 1661576687)))\n(check-sat)\n",
        ),
        (
            histfuzz(),
            "(declare-fun v0 () Int)\n(declare-fun v2 () Int)\n\
             (assert (exists ((v1 Int)) (and (< v0 v1) (= v2 v0))))\n(check-sat)\n",
        ),
    ];
    let mut wrong = Vec::new();
    for (strategy, expected) in &table {
        let text = last_case(strategy);
        if text != *expected || assertions(&text) == assertions(&strategy.1.text) {
            wrong.push(format!("{}: {text:?}", strategy.0.name()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
