//! The paper's examples, and the properties that it claims.

use super::domain::{Abstract, Interval};
use super::*;
use case::Learned;
use semantics::value::rational::Rational;
use semantics::value::real::Real;

/// A seed with a model, as if a solver had answered.
pub(super) fn seed(script: &str, model: &str) -> Seed {
    let mut seed = Seed::new("seed", script.to_owned());
    seed.learned.push(Learned {
        question: 0,
        solver: String::new(),
        sat: Some(true),
        text: model.to_owned(),
    });
    seed
}

pub(super) fn open(seed: &Seed, settings: DiverSettings, random: u64) -> DiverMutator {
    Diver::new(Signatures::standard(), settings).open_satisfiable(seed, Random::new(random)).unwrap()
}

#[test]
fn the_example_of_the_paper() {
    let seed = seed(
        "(declare-const x Real)(declare-const y Real)(assert (and (<= 0.0 y) (= x (+ 2.0 y))))(check-sat)",
        "((define-fun x () Real 3.0)(define-fun y () Real 1.0))",
    );
    let real = |number: i64| Real::Rational(Rational::from(number));
    let point = |number: i64| Abstract::Range(Interval::point(real(number)));
    let table = [
        ("(and (<= 0.0 y) (= x (+ 2.0 y)))", Abstract::Bool(true), 0.1427),
        ("(<= 0.0 y)", Abstract::Bool(true), 0.1427),
        ("0.0", Abstract::Range(Interval::up_to(real(1))), 0.2854),
        ("y", Abstract::Range(Interval::from(real(0))), 0.2854),
        ("(= x (+ 2.0 y))", Abstract::Bool(true), 0.1427),
        ("x", point(3), 0.0003),
        ("(+ 2.0 y)", point(3), 0.0003),
        ("2.0", point(2), 0.0003),
        ("y", point(1), 0.0003),
    ];
    let labels = open(&seed, DiverSettings::as_published(), 1).labels(100);
    assert_eq!(labels.len(), table.len());
    for (label, (term, constraint, probability)) in labels.iter().zip(table) {
        assert_eq!((label.term.as_str(), &label.constraint), (term, &constraint));
        assert_eq!(format!("{:.4}", label.probability), format!("{probability:.4}"), "{term}");
    }
}

#[test]
fn proposition_1_holds() {
    let report = proposition::run(&Signatures::standard(), 20_000, 7);
    assert!(report.counterexamples.is_empty(), "{}", report.counterexamples.join("\n"));
    assert!(report.holds >= 20_000);
}

/// Declarations, model, formula, position, and values that satisfy and violate its constraint.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

#[test]
fn constraints_by_operator() {
    let numbers = "((define-fun a () Int 5)(define-fun b () Int 3)(define-fun x () Real 1.5))";
    let ints = "(declare-const a Int)(declare-const b Int)(declare-const x Real)";
    let strings = "((define-fun s () String \"ab\")(define-fun t () String \"b\"))";
    let texts = "(declare-const s String)(declare-const t String)";
    let table: &[Row] = &[
        (ints, numbers, "(> a b)", "a", &["4", "900"], &["3", "(- 4)"]),
        (ints, numbers, "(not (<= a b))", "b", &["4", "(- 900)"], &["5", "6"]),
        (ints, numbers, "(> (* 2 a) b)", "a", &["2"], &["1"]),
        (ints, numbers, "(= (- a b) 2)", "b", &["3"], &["4"]),
        (ints, numbers, "(distinct a b 7)", "a", &["0", "5", "900"], &["3", "7"]),
        (ints, numbers, "(< (- b) 2 a)", "b", &["(- 1)"], &["(- 2)"]),
        (ints, numbers, "(or (> a 0) (> b 0))", "a", &["0", "(- 1)"], &[]),
        (ints, numbers, "(ite (> a 0) (> b 0) (< b 0))", "b", &["1"], &["0"]),
        (ints, numbers, "(< (abs a) 7)", "a", &["(- 6)", "6"], &["7", "(- 7)"]),
        (ints, numbers, "(= (div a 2) 2)", "a", &["4", "5"], &["3", "6"]),
        (ints, numbers, "(= (to_int x) 1)", "x", &["1.0", "1.9"], &["0.9", "2.0"]),
        (ints, numbers, "(> x 1.0)", "x", &["1.5", "1.1"], &["1.0"]),
        (texts, strings, "(str.< s t)", "s", &["\"\"", "\"az\"", "\"a\""], &["\"b\"", "\"ba\""]),
        (texts, strings, "(str.< s t)", "t", &["\"b\"", "\"abc\""], &["\"ab\"", "\"\""]),
        (texts, strings, "(str.suffixof t s)", "t", &["\"\"", "\"ab\""], &["\"a\"", "\"abb\""]),
        (texts, strings, "(str.suffixof t s)", "s", &["\"b\"", "\"xyb\""], &["\"a\""]),
        (texts, strings, "(str.contains s t)", "t", &["\"\"", "\"a\""], &["\"ba\""]),
        (texts, strings, "(not (str.prefixof t s))", "s", &["\"ab\"", "\"\""], &["\"bb\""]),
        (texts, strings, "(> (str.len (str.++ s t)) 2)", "s", &["\"zz\""], &["\"z\""]),
        (texts, strings, "(= (str.++ s t) \"abb\")", "s", &["\"ab\""], &["\"\""]),
        (
            texts,
            strings,
            "(str.in_re (str.++ s t) (re.* (re.union (str.to_re \"ab\") (str.to_re \"b\"))))",
            "s",
            &["\"a\"", "\"abab\""],
            &["\"aa\""],
        ),
        (texts, strings, "(= (str.at s 1) t)", "s", &["\"xbz\""], &["\"b\"", "\"ba\""]),
        (texts, strings, "(= (str.substr s 1 5) \"b\")", "s", &["\"xb\""], &["\"xbz\"", "\"x\""]),
        (texts, strings, "(= (str.to_int s) (- 1))", "s", &["\"\"", "\"x\""], &["\"1\""]),
    ];
    let limits = semantics::value::limits::Limits::default();
    for (declarations, model, formula, position, inside, outside) in table {
        let seed = seed(&format!("{declarations}(assert {formula})(check-sat)"), model);
        let labels = open(&seed, DiverSettings::default(), 1).labels(100);
        let label = labels.iter().find(|label| label.term == *position).unwrap();
        let value = |text: &str| {
            let mut arena = smt::Arena::default();
            let term = smt::parse_term(&mut arena, &mut smt::Scope::default(), text).unwrap();
            let model = semantics::Model::new();
            semantics::Evaluator::new(&arena, &model, &semantics::NO_DEFINITIONS).evaluate(term).unwrap()
        };
        for text in *inside {
            assert!(
                label.constraint.contains(&value(text), &limits),
                "{formula} {position} {text} {:?}",
                label.constraint
            );
        }
        for text in *outside {
            assert!(
                !label.constraint.contains(&value(text), &limits),
                "{formula} {position} {text} {:?}",
                label.constraint
            );
        }
    }
}

/// The verdict of our evaluation on a case and its witness, both parsed again.
pub(super) fn judged(case: &crate::Case) -> String {
    let crate::Expectation::Sat { model } = &case.expectation else { return "no witness".to_owned() };
    let mut arena = smt::Arena::default();
    let mut scope = smt::Scope::default();
    let script = smt::parse_in_scope(&mut arena, &mut scope, &case.text).unwrap();
    let dialect = semantics::model::StringDialect::Standard;
    let model = semantics::Model::read(&mut arena, &scope, model, dialect).unwrap();
    match semantics::validate(&arena, &script, &model) {
        semantics::Verdict::Valid => "valid".to_owned(),
        other => format!("{other:?}"),
    }
}

#[test]
fn mutants_are_true_under_their_witnesses() {
    let table = [
        (
            "(set-logic QF_SLIA)(declare-fun t () String)(assert (str.prefixof \"-\" (str.substr t 0 1)))\
             (assert (> (str.len (str.substr t 0 2)) 1))(assert (not (= (- 1) (str.to_int (str.substr t 1 1)))))\
             (assert (>= (+ 0 2) (str.len t)))(check-sat)",
            "((define-fun t () String \"-0\"))",
        ),
        (
            "(set-logic QF_LIRA)(declare-fun x () Real)(declare-fun n () Int)(define-fun f ((a Real)) Bool (< a 2.0))\
             (assert (let ((y (+ x 1.0))) (and (f x) (> y 1.5) (= n (to_int y)))))(check-sat)(exit)",
            "((define-fun x () Real 1.0)(define-fun n () Int 2))",
        ),
        (
            "(set-logic QF_ABV)(declare-fun m () (Array (_ BitVec 4) (_ BitVec 8)))(declare-fun i () (_ BitVec 4))\
             (assert (bvult #x03 (select (store m i #x07) #x1)))(assert (not (= i #x2)))(check-sat)",
            "((define-fun m () (Array (_ BitVec 4) (_ BitVec 8)) ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x05))\
              (define-fun i () (_ BitVec 4) #x1))",
        ),
        // Named terms occur exactly once, also in definitions.
        (
            "(declare-const x Int)(declare-const y Int)(define-fun f () Bool (! (> x 1) :named big))\
             (assert (! (and f big (< y 3)) :named all))(assert (let ((z (! (+ x y) :named sum))) (> z y)))(check-sat)",
            "((define-fun x () Int 4)(define-fun y () Int 0)(define-fun big () Bool true)(define-fun all () Bool true)\
              (define-fun sum () Int 4))",
        ),
        (
            "(set-logic QF_FP)(declare-fun a () Float16)(declare-fun r () RoundingMode)\
             (assert (fp.lt a (fp.add r a a)))(assert (not (fp.isNaN a)))(check-sat)",
            "((define-fun a () Float16 (fp #b0 #b01111 #b0000000000))(define-fun r () RoundingMode RNE))",
        ),
        // No term uses a sort before its declaration.
        (
            "(declare-datatypes ((L 1)) ((par (X) ((nil) (cons (head X) (tail (L X)))))))(declare-fun k () (L Int))\
             (assert ((_ is cons) k))(assert (> (head k) 3))(declare-sort U 0)(declare-fun l () (L U))(assert ((_ is nil) l))(check-sat)",
            "((define-fun k () (L Int) (cons 5 (as nil (L Int))))(define-fun l () (L U) (as nil (L U))))",
        ),
        (
            "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))(declare-fun l () L)(declare-sort U 0)\
             (declare-fun u () U)(declare-fun g (U Int) Int)\
             (assert (and ((_ is cons) l) (> (g u (head l)) 3)))(check-sat)",
            "((define-fun l () L (cons 1 nil))(define-fun u () U (as @U_0 U))(define-fun g ((a U) (b Int)) Int (+ b 4)))",
        ),
    ];
    for (script, model) in table {
        let seed = seed(script, model);
        for settings in [DiverSettings::default(), DiverSettings::as_published()] {
            let numbers_only = settings.numbers_only;
            let mut mutator = open(&seed, settings, 5);
            let mut made = 0;
            for _ in 0..150 {
                let Some(case) = mutator.next_mutant() else { continue };
                made += 1;
                assert_eq!(judged(&case), "valid", "{}\n{:?}", case.text, case.expectation);
            }
            let tally = mutator.tally();
            assert!(made >= 100 && tally.contradictions == 0, "{script}: {made} {tally:?}");
            assert!(tally.complicated > 0 || numbers_only, "{script}: {tally:?}");
        }
    }
}

/// How many of 200 mutants start with another assertion than the seed, and how many mention a fresh variable in two steps.
fn moved_and_reused(settings: DiverSettings) -> (usize, usize) {
    let kept = "(assert (= z 2))";
    let script = format!("(declare-const x Int)(declare-const z Int){kept}(assert (> x 0))(check-sat)");
    let seed = seed(&script, "((define-fun x () Int 1)(define-fun z () Int 2))");
    let mut mutator = open(&seed, settings, 3);
    let (mut moved, mut reused) = (0, 0);
    for _ in 0..200 {
        let case = mutator.next_mutant().unwrap();
        assert_eq!(judged(&case), "valid");
        let first = case.text.lines().find(|line| line.starts_with("(assert"));
        moved += usize::from(first != Some(kept) && case.text.contains(kept));
        // The seed has no `q`, so only fresh variables have one.
        let mentions = |step: &case::Step| step.after.contains('q') && step.action == "replace";
        reused += usize::from(case.lineage.iter().any(mentions));
    }
    (moved, reused)
}

#[test]
fn additions_can_come_first_and_are_reused() {
    let (moved, reused) = moved_and_reused(DiverSettings::default());
    assert!(moved > 20 && reused > 5, "{moved} {reused}");
    assert_eq!(moved_and_reused(DiverSettings::as_published()).0, 0);
}

#[test]
fn equal_generators_give_equal_mutants() {
    let seed = seed(
        "(declare-const a Int)(declare-const b Int)(assert (> (+ a b) 3))(assert (< a 10))(check-sat)",
        "((define-fun a () Int 4)(define-fun b () Int 0))",
    );
    let mut first = open(&seed, DiverSettings::default(), 42);
    let mut second = open(&seed, DiverSettings::default(), 42);
    for _ in 0..200 {
        assert_eq!(first.next_mutant(), second.next_mutant());
    }
}

#[test]
fn seeds_without_a_confirmed_model_are_unsuitable() {
    let script = "(declare-const a Int)(assert (> a 3))(check-sat)";
    let table = [
        (script, "((define-fun a () Int 3))", "assertion 1 is false under the model"),
        (script, "((define-fun b () Int 3))", "our evaluation cannot confirm the model"),
        (
            "(declare-const a Int)(assert (= (div a 0) 1))(check-sat)",
            "((define-fun a () Int 3))",
            "our evaluation cannot confirm the model",
        ),
        (
            "(declare-const a Int)(push 1)(assert (> a 3))(check-sat)",
            "((define-fun a () Int 4))",
            "the script retracts assertions or has assumptions",
        ),
        (
            "(declare-const a Int)(check-sat)(assert (> a 3))(check-sat)",
            "((define-fun a () Int 4))",
            "the script does not have exactly one `check-sat`",
        ),
    ];
    for (script, model, reason) in table {
        let diver = Diver::new(Signatures::standard(), DiverSettings::default());
        let opened = diver.open_satisfiable(&seed(script, model), Random::new(1));
        assert_eq!(opened.err(), Some(Unsuitable(reason.to_owned())), "{script}");
    }
}

#[test]
fn further_models_and_cores_are_requested() {
    let diver = Diver::new(Signatures::standard(), DiverSettings::default());
    let mut satisfiable =
        Seed::new("s", "(declare-const a Int)(declare-const p Bool)(assert (> a 3))(check-sat)");
    let first = diver.seed_question(&satisfiable, 0).unwrap();
    assert!(first.is_seed && !first.core && *first.script == *satisfiable.text);
    let text = "((define-fun a () Int 4)(define-fun p () Bool true))".to_owned();
    satisfiable.learned.push(Learned { question: 0, solver: "z3".to_owned(), sat: Some(true), text });
    let second = diver.seed_question(&satisfiable, 1).unwrap();
    assert!(second.script.contains("(assert (not (and (= a 4) (= p true))))"), "{}", second.script);
    satisfiable.learned.push(Learned {
        question: 1,
        solver: "z3".to_owned(),
        sat: Some(false),
        text: String::new(),
    });
    assert_eq!(diver.seed_question(&satisfiable, 2), None);

    let mut unsatisfiable =
        Seed::new("u", "(declare-const a Int)(assert (> a 3))(assert (< a 50))(assert (< a 2))(check-sat)");
    unsatisfiable.learned.push(Learned {
        question: 0,
        solver: "z3".to_owned(),
        sat: Some(false),
        text: String::new(),
    });
    let core = diver.seed_question(&unsatisfiable, 1).unwrap();
    assert!(core.core && core.script.contains(":named elenchus-core-2"), "{}", core.script);
    let text = "(elenchus-core-0 elenchus-core-2)".to_owned();
    unsatisfiable.learned.push(Learned { question: 1, solver: "z3".to_owned(), sat: Some(false), text });
    assert_eq!(diver.seed_question(&unsatisfiable, 2), None);
    let mut mutator = diver.open(&unsatisfiable, Random::new(3)).unwrap();
    for _ in 0..100 {
        let case = mutator.next_case().unwrap();
        assert!(
            case.text.contains("(assert (> a 3))") && case.text.contains("(assert (< a 2))"),
            "{}",
            case.text
        );
        assert!(matches!(case.expectation, crate::Expectation::Unsat { .. }));
        assert!(smt::parse_script(&mut smt::Arena::default(), &case.text).is_ok(), "{}", case.text);
    }
}
