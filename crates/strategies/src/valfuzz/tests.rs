//! The figures and examples of the paper.

use super::*;
use crate::api::{LiveQuestion, Questioner, Recorded};
use case::{Expectation, Learned};
use smt::{Arena, parse_script};

/// Figure 2a.
const SIMPLE: &str = "(declare-fun x () Int)\n(assert (or (< x 7) (> x -1)))\n(check-sat)\n";

/// Gives the same answer to every question, and records the questions.
struct Always {
    sat: Option<bool>,
    model: String,
    asked: Vec<LiveQuestion>,
    answered: Vec<Learned>,
}

impl Always {
    fn sat(model: &str) -> Always {
        Always { sat: Some(true), model: model.to_owned(), asked: Vec::new(), answered: Vec::new() }
    }

    fn unsat() -> Always {
        Always { sat: Some(false), ..Always::sat("") }
    }
}

impl Questioner for Always {
    fn ask(&mut self, question: &LiveQuestion) -> Option<Learned> {
        let number = self.asked.len();
        self.asked.push(question.clone());
        let learned =
            Learned { question: number, solver: "z3".to_owned(), sat: self.sat, text: self.model.clone() };
        self.answered.push(learned.clone());
        Some(learned)
    }
}

fn open(text: &str, preset: &str) -> ValFuzzMutator {
    open_with(text, ValFuzzSettings::preset(preset).unwrap())
}

fn open_with(text: &str, settings: ValFuzzSettings) -> ValFuzzMutator {
    let strategy = ValFuzz::new(Signatures::standard(), settings);
    strategy.open_seed(&Seed::new("s", text), Random::new(1)).unwrap()
}

fn meta(text: &str, preset: &str) -> String {
    open(text, preset).metas()[0].to_string()
}

/// The only mutant under a model of the meta-formula.
fn mutant(text: &str, preset: &str, model: &str) -> Mutant {
    first_mutant(&mut open(text, preset), model)
}

fn first_mutant(mutator: &mut ValFuzzMutator, model: &str) -> Mutant {
    let mut solver = Always::sat(model);
    loop {
        let mutant = mutator.next_mutant(&mut solver).unwrap();
        if !mutant.is_test {
            return mutant;
        }
    }
}

/// A script as we print it: `-1` is not a standard numeral, so it is printed as `(- 1)`.
fn printed(text: &str) -> String {
    let mut arena = Arena::default();
    let script = parse_script(&mut arena, text).unwrap();
    arena.script_text(&script)
}

#[test]
fn figure_two() {
    // (c): the SMT-LIB skeleton, byte for byte.
    assert_eq!(
        open(SIMPLE, "SKOLU").skeleton(),
        "(declare-fun x () Int)\n\
         ; Fresh variables representing holes\n\
         (declare-fun h1 () Int)\n\
         (declare-fun h2 () Int)\n\
         \n\
         (assert (or (< x h1) (> x h2)))\n\
         (check-sat)\n"
    );
    // (d) and (e): mutants.
    let table = [
        ("6", "(- 1)", "0", "(declare-fun x () Int)\n(assert (or (< x 6) (> x -1)))\n(check-sat)\n"),
        ("6", "7", "8", "(declare-fun x () Int)\n(assert (or (< x 6) (> x 7)))\n(check-sat)\n"),
    ];
    for (h1, h2, x, expected) in table {
        let model = format!(
            "((define-fun h1 () Int {h1}) (define-fun h2 () Int {h2}) (define-fun x () Int {x}) \
             (define-fun m1 () Bool true) (define-fun m2 () Bool true) (define-fun m3 () Bool true))"
        );
        let made = mutant(SIMPLE, "SKOLU", &model);
        assert_eq!(made.case.text, printed(expected));
        // The paper compares solvers only. With `claims`, the evaluator has its say, too.
        assert_eq!(made.case.expectation, Expectation::Unknown);
        let witness = format!("(\n(define-fun x () Int {x})\n)");
        let claims = ValFuzzSettings { claims: true, ..ValFuzzSettings::as_published() };
        let mut claiming = open_with(SIMPLE, claims);
        let made = first_mutant(&mut claiming, &model);
        assert_eq!(made.case.expectation, Expectation::Sat { model: witness });
    }
    let exact = mutant(SIMPLE, "SKOLU", "((define-fun h1 () Int 6) (define-fun h2 () Int 7))");
    assert_eq!(exact.case.text, table[1].3);
}

/// The formula of Figure 3, as in sections III to V.
const ITERATION: &str = "(declare-fun x () Int)\n(assert (or (> x 7) (< x 3)))\n(check-sat)\n";

#[test]
fn figure_three() {
    let mut mutator = open(ITERATION, "SKOLU");
    // Step 2: a monitor for each branch and one for the whole.
    let meta = "(declare-fun x () Int)\n\
                (declare-fun h1 () Int)\n\
                (declare-fun h2 () Int)\n\
                (declare-fun m1 () Bool)\n\
                (declare-fun m2 () Bool)\n\
                (declare-fun m3 () Bool)\n\
                (assert (= m1 (> x h1)))\n\
                (assert (= m2 (< x h2)))\n\
                (assert (= m3 (or (> x h1) (< x h2))))\n";
    assert_eq!(mutator.metas().iter().map(|meta| meta.to_string()).collect::<Vec<_>>(), [meta]);
    // Steps 3 and 4: one monitor at a time, with both Booleans.
    let model = "((define-fun h1 () Int 1) (define-fun h2 () Int 0) (define-fun x () Int 0))";
    let mut solver = Always::sat(model);
    let mut made = Vec::new();
    while let Some(mutant) = mutator.next_mutant(&mut solver) {
        made.extend((!mutant.is_test).then_some(mutant.case.text));
    }
    assert!(solver.asked.iter().all(|question| &*question.prelude == meta));
    let mut questions: Vec<&str> = solver.asked.iter().map(|question| question.assertions.as_str()).collect();
    questions.sort_unstable();
    let expected = ["(assert (not m1))\n", "(assert (not m2))\n", "(assert (not m3))\n"];
    assert_eq!(questions[..3], expected);
    assert_eq!(questions[3..], ["(assert m1)\n", "(assert m2)\n", "(assert m3)\n"]);
    // Step 5: one substitution for the same values.
    assert_eq!(made, ["(declare-fun x () Int)\n(assert (or (> x 1) (< x 0)))\n(check-sat)\n"]);
}

#[test]
fn lets_get_fresh_variables() {
    let text = "(declare-fun y () Int)\n(assert (let ((x 8)) (and (< x 3) (< x 4))))\n(check-sat)\n";
    let published = meta(text, "SKOLU");
    assert!(published.contains("(declare-fun l1 () Int)\n"), "{published}");
    assert!(published.contains("(assert (= m1 (< l1 h2)))\n(assert (= m2 (< l1 h3)))\n"), "{published}");
    assert!(!published.contains("(assert (= l1"), "{published}");
    let ours = ValFuzz::new(Signatures::standard(), ValFuzzSettings::default());
    let mutator = ours.open_seed(&Seed::new("s", text), Random::new(1)).unwrap();
    assert!(mutator.metas()[0].contains("(assert (= l1 h1))\n"), "{}", mutator.metas()[0]);
}

#[test]
fn refinements_match_the_paper() {
    let table: &[(&str, &str, &[&str])] = &[
        // Section V-A, with the third line as in Table I.
        (
            ITERATION,
            "ADOMAIN",
            &["(assert (= m4 (= x 0)))\n(assert (= m5 (< x 0)))\n(assert (= m6 (> x 0)))\n"],
        ),
        (
            "(declare-fun x () Int)(declare-fun y () Int)(assert (< x (+ 1 y)))(check-sat)",
            "ADOMAINE",
            &["(= (+ h1 y) 0)))\n", "(< (+ h1 y) 0)))\n", "(> (+ h1 y) 0)))\n", "(= x 0)))\n"],
        ),
        // Section V-B.
        (
            "(declare-fun x () Int)(assert (and (< x 2) (> x 3)))(check-sat)",
            "LEAFOPT",
            &["(declare-fun m2 () Bool)\n(assert (= m1 (< x h1)))\n(assert (= m2 (> x h2)))\n"],
        ),
        // Section V-C.
        (
            "(assert (exists ((x Int)) (> x 3)))(check-sat)",
            "SKOLU",
            &["(declare-fun q1 () Int)\n(assert (= m1 (> q1 h1)))\n"],
        ),
        (
            "(assert (forall ((x Int)) (or (> x 3) (> x 4))))(check-sat)",
            "COPYU",
            &["(assert (= m2 (forall ((x Int)) (> x h2))))\n"],
        ),
        (
            "(assert (not (exists ((x Int)) (> x 3))))(check-sat)",
            "NOSKOLE",
            &[
                "(assert (= m1 (exists ((x Int)) (> x h1))))\n",
                "(assert (= m2 (not (exists ((x Int)) (> x h1)))))\n",
            ],
        ),
        // Section V-D: the skeleton is part of the meta-formula.
        (ITERATION, "CPOG", &["(assert (or (> x h1) (< x h2)))\n"]),
        // Section V-F, with Table III's other relations.
        (ITERATION, "RELC3", &["(assert (= m4 (= h1 h2)))\n", "(< h1 h2)))\n", "(> h1 h2)))\n"]),
        (
            "(declare-fun x () Int)(declare-fun y () Real)(assert (and (< x 2) (< y 3.5)))(check-sat)",
            "RELC3",
            &["(= (to_real h1) h2)))\n", "(>= (to_real h1) h2)))\n"],
        ),
    ];
    for (text, preset, expected) in table {
        let meta = meta(text, preset);
        for part in *expected {
            assert!(meta.contains(part), "{preset}: {part} is not in\n{meta}");
        }
    }
    let metas = open(ITERATION, "CPOG").metas();
    assert!(metas[1].ends_with("(assert (not (or (> x h1) (< x h2))))\n"), "{}", metas[1]);
}

#[test]
fn the_skeleton_and_every_enforcement_are_cases() {
    let logic = format!("(set-logic QF_LIA)(set-info :status sat){SIMPLE}");
    let mut mutator = open(&logic, "SKOLU");
    let mut solver = Always::unsat();
    let mut made = Vec::new();
    while let Some(mutant) = mutator.next_mutant(&mut solver) {
        assert!(mutant.is_test);
        made.push(mutant.case.text);
    }
    // Constants that become variables may leave the logic of the seed.
    let skeleton = "(set-logic ALL)\n(declare-fun x () Int)\n(declare-fun h1 () Int)\n(declare-fun h2 () Int)\n\
        (assert (or (< x h1) (> x h2)))\n(check-sat)\n";
    assert_eq!(made[0], skeleton);
    assert_eq!(made.len(), 1 + solver.asked.len());
    let seeds: std::collections::BTreeSet<u32> =
        solver.asked.iter().map(|question| question.random_seed).collect();
    assert_eq!(seeds.len(), solver.asked.len());
}

#[test]
fn effinal_asserts_what_was_enforced() {
    let model = "((define-fun h1 () Int 1) (define-fun h2 () Int 0) (define-fun x () Int 0))";
    let mut mutator = open(ITERATION, "EFFINAL");
    let mut solver = Always::sat(model);
    let mut made = Vec::new();
    while let Some(mutant) = mutator.next_mutant(&mut solver) {
        made.extend((!mutant.is_test).then_some(mutant));
    }
    let [only] = &made[..] else { panic!("{made:?}") };
    let (expression, truth) = mutator.enforced(only).remove(0);
    let (monitor, _) = [("m1", "(> x 1)"), ("m2", "(< x 0)"), ("m3", "(or (> x 1) (< x 0))")]
        .into_iter()
        .find(|(_, text)| *text == expression)
        .unwrap();
    let enforced = if truth { monitor.to_owned() } else { format!("(not {monitor})") };
    let expected = format!(
        "(declare-fun x () Int)\n(declare-fun {monitor} () Bool)\n(assert (or (> x 1) (< x 0)))\n\
         (assert (= {monitor} {expression}))\n(assert {enforced})\n(check-sat)\n"
    );
    assert_eq!(only.case.text, expected);
}

/// How many monitors each question enforces if every answer is `unsat`.
fn sizes_of_questions(settings: ValFuzzSettings) -> Vec<usize> {
    let mut solver = Always::unsat();
    let mut mutator = open_with(ITERATION, settings);
    while mutator.next_mutant(&mut solver).is_some() {}
    solver.asked.iter().map(|question| question.assertions.matches("(assert").count()).collect()
}

#[test]
fn contradicting_enforcements_are_halved() {
    let published = ValFuzzSettings::preset("BLENDB").unwrap();
    let sizes = sizes_of_questions(ValFuzzSettings { halves: true, ..published.clone() });
    assert_eq!(sizes[..6], [7, 3, 1, 7, 3, 1]);
    // Twenty-four pairs, none of which can be covered.
    assert_eq!(sizes.len(), 3 * 2 * (3 + 3 + 6));
    assert_eq!(sizes_of_questions(published), [7; 2 * (3 + 3 + 6)]);
}

#[test]
fn a_run_on_a_file_ends_at_the_limit() {
    for limit in [0, 1, 5, 50] {
        let settings = ValFuzzSettings { limit, ..ValFuzzSettings::preset("BLENDB").unwrap() };
        assert_eq!(sizes_of_questions(settings).len(), limit.min(24));
    }
    assert_eq!(ValFuzzSettings::as_published().limit, 50);
    // A turn has room for all iterations, as published.
    let [published, default] = [ValFuzzSettings::as_published(), ValFuzzSettings::default()]
        .map(|settings| ValFuzz::new(Signatures::standard(), settings).cases_per_turn(3));
    assert!(published > 1 + 50 * 2 * 2 && default == 48);
}

/// Figure 1a and Figure 1b differ only in constants.
#[test]
fn figure_one_a_is_a_value_mutant_of_figure_one_b() {
    let figure = |one: &str, two: &str, start: &str, last: &str| {
        format!(
            "(declare-fun a () String)\n(declare-fun b () String)\n\
             (assert (= (str.++ (str.substr \"{one}\" {start} (str.len a)) \"{two}\") b))\n\
             (assert (< (str.to_int b) {last}))\n(check-sat)\n"
        )
    };
    let model = "((define-fun h1 () String \"1\") (define-fun h2 () Int 0) (define-fun h3 () String \"0\")\
                 (define-fun h4 () Int 0) (define-fun a () String \"\") (define-fun b () String \"0\"))";
    let made = mutant(&figure("1", "0", "0", "11"), "SKOLU", model);
    assert_eq!(made.case.text, figure("1", "0", "0", "0"));
}

#[test]
fn constants_of_every_theory_become_holes() {
    let table = [
        ("(declare-fun a () Bool)(assert (= a true))", "(= a h1)"),
        ("(declare-fun a () Real)(assert (= a 1.5))", "(= a h1)"),
        ("(declare-fun a () Real)(assert (= a (/ 1.0 3.0)))", "(= a h1)"),
        ("(declare-fun a () String)(assert (= a \"x\"))", "(= a h1)"),
        ("(declare-fun a () (_ BitVec 8))(assert (= (bvadd a #x01) (_ bv3 8)))", "(= (bvadd a h1) h2)"),
        ("(declare-fun a () Float32)(assert (= (fp.add RNE a a) (_ +oo 8 24)))", "(= (fp.add h1 a a) h2)"),
        ("(declare-fun a () (_ FloatingPoint 2 3))(assert (= a (fp #b0 #b10 #b01)))", "(= a h1)"),
        ("(declare-fun a () (Seq Int))(assert (= a (as seq.empty (Seq Int))))", "(= a h1)"),
        ("(declare-fun a () (Array Int Int))(assert (= (store a 1 2) a))", "(= (store a h1 h2) a)"),
        (
            "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-fun a () L)(assert (= a nil))",
            "(= a h1)",
        ),
        // Regular languages have no variables, and cvc5 accepts only values as the ends of a range.
        (
            "(declare-fun a () String)(assert (str.in_re a (re.union re.none (re.range \"a\" \"b\") (str.to_re \"c\"))))",
            "(str.in_re a (re.union re.none (re.range \"a\" \"b\") (str.to_re h3)))",
        ),
    ];
    for (text, expected) in table {
        let skeleton = open(&format!("{text}(check-sat)"), "SKOLU").skeleton();
        assert!(skeleton.contains(&format!("(assert {expected})")), "{skeleton}");
    }
}

#[test]
fn fresh_names_do_not_clash_with_the_seed() {
    let text = "(declare-fun h1 () Int)(declare-fun m_2 () Bool)(assert (or m_2 (< h1 7)))(check-sat)";
    let meta = meta(text, "SKOLU");
    assert!(meta.contains("(declare-fun h_1 () Int)\n"), "{meta}");
    assert!(meta.contains("(assert (= m1 (< h1 h_1)))\n"), "{meta}");
}

#[test]
fn mutants_that_cover_nothing_new_are_skipped() {
    let model =
        |h1: i64| format!("((define-fun h1 () Int {h1}) (define-fun h2 () Int 0) (define-fun x () Int 0))");
    let settings = ValFuzzSettings { screen: true, ..ValFuzzSettings::as_published() };
    let strategy = ValFuzz::new(Signatures::standard(), settings);
    let mut mutator = strategy.open_seed(&Seed::new("s", ITERATION), Random::new(1)).unwrap();
    let mut made = 0;
    for h1 in 1..20 {
        // Every model makes both branches false, so only the first mutant covers something.
        let mut solver = Always::sat(&model(h1));
        let Some(mutant) = mutator.next_mutant(&mut solver) else { break };
        made += u64::from(!mutant.is_test);
    }
    let tally = mutator.tally();
    assert_eq!((made, tally.mutants), (1, 1));
    assert_eq!((tally.covered, tally.pairs), (3, 6));
    assert_eq!(tally.screened, 3);
}

#[test]
fn recorded_answers_replay_a_dialogue() {
    let model = "((define-fun h1 () Int 1) (define-fun h2 () Int 0) (define-fun x () Int 0))";
    let strategy = ValFuzz::new(Signatures::standard(), ValFuzzSettings::default());
    let seed = Seed::new("s", ITERATION);
    let mut solver = Always::sat(model);
    let mut first = strategy.open(&seed, Random::new(3)).unwrap();
    let cases: Vec<_> = std::iter::from_fn(|| first.next_case_with(&mut solver)).collect();
    assert!(!cases.is_empty());
    let mut alone = strategy.open(&seed, Random::new(3)).unwrap();
    let skeleton = alone.next_case().unwrap();
    assert_eq!((&skeleton, alone.next_case()), (&cases[0], None));
    let mut recorded = Recorded::new(&solver.answered);
    let mut again = strategy.open(&seed, Random::new(3)).unwrap();
    assert_eq!(std::iter::from_fn(|| again.next_case_with(&mut recorded)).collect::<Vec<_>>(), cases);
}

#[test]
fn value_mutation_follows_another_strategy() {
    let strategy =
        crate::by_name("swap+valfuzz:rbase", &crate::StrategyContext::new(Signatures::standard())).unwrap();
    assert_eq!(strategy.name(), "swap+valfuzz:rbase");
    let text = "(declare-fun x () Int)(assert (< (+ x 1) (* 2 x)))(assert (> x 3))(check-sat)";
    let seed = Seed::new("s", text);
    let cases = |seed: &Seed| {
        let mut mutator = strategy.open(seed, Random::new(3)).unwrap();
        let mut no_answers = Recorded::default();
        (0..60).filter_map(|_| mutator.next_case_with(&mut no_answers)).collect::<Vec<_>>()
    };
    let made = cases(&seed);
    assert_eq!(made.len(), 60);
    assert_eq!(made, cases(&seed));
    let actions: Vec<&str> = made[1].lineage.iter().map(|step| &*step.action).collect();
    assert_eq!(actions[0], made[0].lineage[0].action);
    assert!(actions.contains(&"value"), "{actions:?}");
    for case in &made {
        assert!(parse_script(&mut Arena::default(), &case.text).is_ok(), "{}", case.text);
    }
}
