//! Weaker formulas are true where the seed is true, and stronger ones are false where it is false, by our own evaluation.

use super::*;
use case::{Case, Expectation, Learned};
use semantics::model::StringDialect;
use semantics::{Evaluator, Model, NO_DEFINITIONS, Value};
use smt::{Arena, Scope, parse_in_scope};

/// Constants with some of their values: name, sort and values.
type Constants = &'static [(&'static str, &'static str, &'static [&'static str])];

const INTS: &[&str] = &["(- 4)", "(- 1)", "0", "1", "2", "3", "9"];
const REALS: &[&str] = &["(- 1.5)", "0.0", "0.5", "1.0", "3.0"];
const BITS: &[&str] = &["#b0000", "#b0001", "#b0111", "#b1000", "#b1010", "#b1111"];
const STRINGS: &[&str] = &["\"\"", "\"a\"", "\"b\"", "\"ab\"", "\"ba\"", "\"aab\"", "\"abab\""];
const BOOLS: &[&str] = &["true", "false"];
const FLOATS: &[&str] = &[
    "(_ NaN 5 11)",
    "(_ +oo 5 11)",
    "(_ -oo 5 11)",
    "(_ +zero 5 11)",
    "(_ -zero 5 11)",
    "(fp #b0 #b01111 #b0000000000)",
    "(fp #b1 #b01111 #b0000000000)",
    "(fp #b0 #b00000 #b0000000001)",
    "(fp #b0 #b10000 #b1000000000)",
];
const SETS: &[&str] = &[
    "(as set.empty (Set Int))",
    "(set.singleton 1)",
    "(set.singleton 2)",
    "(set.union (set.singleton 1) (set.singleton 2))",
];
const BAGS: &[&str] =
    &["(as bag.empty (Bag Int))", "(bag 1 1)", "(bag 1 2)", "(bag.union_disjoint (bag 1 1) (bag 2 3))"];
const SEQS: &[&str] = &[
    "(as seq.empty (Seq Int))",
    "(seq.unit 1)",
    "(seq.unit 2)",
    "(seq.++ (seq.unit 1) (seq.unit 2))",
    "(seq.++ (seq.unit 2) (seq.unit 1) (seq.unit 1))",
];

/// Formulas of every theory with an order.
const FORMULAS: &[(&str, Constants)] = &[
    (
        "(assert (and (or p (< x 3)) (=> q (not (= x y)))))(assert (let ((z (+ x 1))) (=> p (>= (* 2 z) y))))",
        &[("x", "Int", INTS), ("y", "Int", INTS), ("p", "Bool", BOOLS), ("q", "Bool", BOOLS)],
    ),
    (
        "(assert (ite p (< x y z) (distinct x y z)))(assert (xor p (= x y z)))(assert (or (> x (div y 3)) (<= (- x y) (- z))))",
        &[("x", "Int", INTS), ("y", "Int", INTS), ("z", "Int", INTS), ("p", "Bool", BOOLS)],
    ),
    (
        "(assert (not (and (< a b) (= a (* 2.0 b)))))(assert (=> (>= a 0.5) (> (to_real (to_int b)) (- a 1.0))))",
        &[("a", "Real", REALS), ("b", "Real", REALS)],
    ),
    (
        "(assert (or (bvult a b) (bvsle b a) (= a #b0001)))(assert (not (bvuge a (bvadd b #b0001))))(assert (=> (bvsgt a b) (< (ubv_to_int a) 9)))",
        &[("a", "(_ BitVec 4)", BITS), ("b", "(_ BitVec 4)", BITS)],
    ),
    (
        "(assert (or (str.prefixof s t) (str.suffixof t s) (not (str.contains t \"ab\"))))(assert (=> (str.< s t) (<= (str.len s) (str.len (str.++ s t)))))(assert (or (= s t) (str.<= (str.++ \"a\" s) t)))",
        &[("s", "String", STRINGS), ("t", "String", STRINGS)],
    ),
    (
        "(assert (str.in_re s (re.++ (re.* (str.to_re \"a\")) (re.union (str.to_re \"b\") (re.+ (re.range \"a\" \"c\"))))))(assert (not (str.in_re t (re.diff re.all (re.inter (re.opt (str.to_re \"ab\")) (re.comp (str.to_re \"b\")))))))(assert (str.in_re t ((_ re.loop 0 2) (re.union (str.to_re \"a\") (str.to_re \"b\")))))",
        &[("s", "String", STRINGS), ("t", "String", STRINGS)],
    ),
    (
        "(assert (or (fp.lt a b) (not (fp.leq b a)) (fp.isZero a)))(assert (=> (fp.eq a b) (fp.geq a b)))(assert (or (= a b) (distinct a b) (fp.gt a b)))",
        &[("a", "(_ FloatingPoint 5 11)", FLOATS), ("b", "(_ FloatingPoint 5 11)", FLOATS)],
    ),
    (
        "(assert (or (set.subset a b) (set.member 1 (set.minus a b)) (set.is_empty a)))(assert (=> (= a b) (< (set.card (set.inter a b)) 2)))(assert (not (set.member x (set.insert 2 a))))",
        &[("a", "(Set Int)", SETS), ("b", "(Set Int)", SETS), ("x", "Int", INTS)],
    ),
    (
        "(assert (or (bag.subbag a b) (bag.member 1 (bag.difference_subtract a b))))(assert (=> (= a b) (<= (bag.count 1 (bag.union_max a b)) 2)))(assert (not (bag.subbag (bag.inter_min a b) (bag.difference_remove b a))))",
        &[("a", "(Bag Int)", BAGS), ("b", "(Bag Int)", BAGS)],
    ),
    (
        "(assert (or (seq.prefixof a b) (seq.suffixof b a) (not (seq.contains (seq.++ a b) b))))(assert (=> (= a b) (> (seq.len a) 1)))",
        &[("a", "(Seq Int)", SEQS), ("b", "(Seq Int)", SEQS)],
    ),
    (
        "(assert (forall ((u (_ BitVec 2)) (v Bool)) (or v (bvult u #b10) (bvule u ((_ extract 1 0) a)))))(assert (not (exists ((w (_ BitVec 2))) (and (= w ((_ extract 3 2) a)) (bvslt w #b00)))))(assert (or p (exists ((p Bool) (q Bool)) (and p q))))",
        &[("a", "(_ BitVec 4)", BITS), ("p", "Bool", BOOLS)],
    ),
];

/// A seed with the constants of a formula.
fn script(formula: &str, constants: Constants) -> String {
    let declared = constants.iter().map(|(name, sort, _)| format!("(declare-const {name} {sort})"));
    format!("{}{formula}(check-sat)", declared.collect::<String>())
}

/// A random assignment, as solvers print models.
fn assignment(constants: Constants, random: &mut Random) -> String {
    let define = |&(name, sort, values): &(&str, &str, &[&str])| {
        format!("(define-fun {name} () {sort} {})", values[random.index(values.len())])
    };
    format!("({})", constants.iter().map(define).collect::<String>())
}

/// Whether all assertions of a script are true; `None` if that is not determined.
fn holds(script: &str, model: &str) -> Option<bool> {
    let mut arena = Arena::default();
    let mut scope = Scope::default();
    let parsed = parse_in_scope(&mut arena, &mut scope, script).unwrap_or_else(|errors| {
        panic!("{}\n{script}", errors[0]);
    });
    let model = Model::read(&mut arena, &scope, model, StringDialect::Standard).unwrap();
    let mut all = Some(true);
    for term in parsed.assertions() {
        match Evaluator::new(&arena, &model, &NO_DEFINITIONS).evaluate(term) {
            Ok(Value::Bool(true)) => {}
            Ok(_) => return Some(false),
            Err(_) => all = None,
        }
    }
    all
}

fn cases(seed: &Seed, settings: ApproximateSettings, number: u64, count: usize) -> Vec<Case> {
    let strategy = Approximate::new(Signatures::standard(), settings);
    let mut mutator = strategy.open(seed, Random::new(number)).unwrap();
    (0..count).map_while(|_| mutator.next_case()).collect()
}

fn learned(sat: bool, text: &str) -> Learned {
    Learned { question: 0, solver: "z3".to_owned(), sat: Some(sat), text: text.to_owned() }
}

#[test]
fn formulas_grow_and_shrink_in_one_direction() {
    let mut random = Random::new(5);
    let (mut decided, mut open) = (0, 0);
    for (formula, constants) in FORMULAS {
        let text = script(formula, constants);
        let seed = Seed::new("seed", text.as_str());
        let made = cases(&seed, ApproximateSettings::default(), 3, 400);
        assert!(made.len() > 300, "{formula}: {}", made.len());
        for case in &made {
            assert_eq!(case.expectation, Expectation::Unknown);
            let weaker = case.lineage.iter().all(|step| matches!(&*step.action, "weaken" | "remove"));
            let stronger = case.lineage.iter().all(|step| matches!(&*step.action, "strengthen" | "assert"));
            assert!(weaker != stronger, "{:?}", case.lineage);
            for _ in 0..12 {
                let model = assignment(constants, &mut random);
                let (before, after) = (holds(&text, &model), holds(&case.text, &model));
                let implied = if weaker { (before, after) } else { (after, before) };
                match implied {
                    (Some(true), Some(false)) => {
                        panic!("{model}\n{text}\n{}\n{:#?}", case.text, case.lineage)
                    }
                    (Some(_), Some(_)) => decided += 1,
                    _ => open += 1,
                }
            }
        }
    }
    assert!(decided > 20 * open, "{decided} decided, {open} open");
}

#[test]
fn what_follows_from_a_satisfiable_seed_is_true_under_its_model() {
    let mut random = Random::new(6);
    for (formula, constants) in FORMULAS {
        let text = script(formula, constants);
        let model = (0..200).map(|_| assignment(constants, &mut random));
        let Some(model) = model.into_iter().find(|model| holds(&text, model) == Some(true)) else {
            panic!("no model of {text}");
        };
        let mut seed = Seed::new("seed", text.as_str());
        seed.learned.push(learned(true, &model));
        let made = cases(&seed, ApproximateSettings::default(), 4, 100);
        let mut different: Vec<&str> = made.iter().map(|case| case.text.as_str()).collect();
        different.sort_unstable();
        different.dedup();
        assert!(different.len() > 80, "{formula}: only {} cases differ", different.len());
        let mut sat = 0;
        for case in &made {
            match &case.expectation {
                Expectation::Sat { model } => {
                    sat += 1;
                    assert_eq!(holds(&case.text, model), Some(true), "{}", case.text);
                }
                Expectation::Unknown => assert!(case.lineage.iter().all(|step| step.action != "weaken")),
                other => panic!("{other:?}"),
            }
        }
        assert!((40..=98).contains(&sat), "{sat} of {} are expected to be satisfiable", made.len());
    }
}

#[test]
fn what_implies_an_unsatisfiable_seed_is_unsatisfiable() {
    let text = "(declare-const x Int)(assert (<= x 3))(assert (or (> x 3) (> x 5)))(check-sat)";
    let mut seed = Seed::new("seed", text);
    seed.learned.push(learned(false, ""));
    let only = ApproximateSettings { other: 0, ..ApproximateSettings::default() };
    for case in cases(&seed, only, 1, 50) {
        let Expectation::Unsat { reason } = &case.expectation else { panic!("{case:?}") };
        assert_eq!(reason, "it implies the seed, which is unsat by z3");
        for x in INTS {
            let model = format!("((define-fun x () Int {x}))");
            assert_eq!(holds(&case.text, &model), Some(false), "{}", case.text);
        }
    }
    // Solvers that contradict each other leave nothing to rely on.
    seed.learned.push(learned(true, "((define-fun x () Int 1))"));
    let made = cases(&seed, ApproximateSettings::default(), 1, 50);
    assert!(made.iter().all(|case| case.expectation == Expectation::Unknown));
}

#[test]
fn scripts_with_several_questions_are_not_suitable() {
    let strategy = Approximate::new(Signatures::standard(), ApproximateSettings::default());
    for script in
        ["(declare-const p Bool)(assert p)(check-sat)(check-sat)", "(push 1)(assert true)(check-sat)(pop 1)"]
    {
        let seed = Seed::new("seed", script);
        assert!(strategy.open(&seed, Random::new(1)).is_err(), "{script}");
        assert!(strategy.seed_question(&seed, 0).is_none(), "{script}");
    }
}

#[test]
fn names_of_the_script_are_not_taken_for_operators() {
    // `abs` is another function here.
    let text = "(declare-fun abs (Int) Int)(declare-const x Int)(assert (< (abs x) x))(check-sat)";
    for case in cases(&Seed::new("seed", text), ApproximateSettings::default(), 2, 200) {
        let mut arena = Arena::default();
        let parsed = smt::parse_script(&mut arena, &case.text).unwrap();
        assert_eq!(arena.script_text(&parsed), case.text);
        assert!(!case.lineage.iter().any(|step| step.after.starts_with("(abs")), "{:?}", case.lineage);
    }
}

#[test]
fn named_terms_stay() {
    let text = "(declare-const p Bool)(declare-const x Int)(assert (! (and p (< x 1)) :named a))(assert (or (! p :named b) (> x 2)))(check-sat)";
    for case in cases(&Seed::new("seed", text), ApproximateSettings::default(), 2, 100) {
        for name in ["a", "b"] {
            assert_eq!(case.text.matches(&format!(":named {name}")).count(), 1, "{}", case.text);
        }
    }
}
