//! ValFuzz with a real solver: dialogues, mutants and their expectations.

mod support;

use campaign::{Plan, Pool, Settings, SolverQuestioner};
use smt::{Arena, Signatures, parse_script};
use solver::install::{self, Settings as InstallSettings};
use solver::run::{Dialogue, Limits, RunSettings, Want};
use solver::{Answer, Outcome, RunMode, RunRequest, Target, runner};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use store::Store;
use strategies::{Expectation, Random, Recorded, Seed, Strategy, StrategyContext};
use support::{Silent, script_solver};

fn z3() -> Target {
    install::resolve("z3@5.4.0", &InstallSettings::from_environment().unwrap()).unwrap()
}

/// Seeds of many theories.
const SEEDS: &[&str] = &[
    "(declare-fun x () Int)(assert (or (< x 7) (> x (- 1))))(assert (< (* 3 x) 40))(check-sat)",
    "(set-logic QF_SLIA)(declare-fun a () String)(declare-fun b () String)\
     (assert (= (str.++ (str.substr \"1\" 0 (str.len a)) \"0\") b))(assert (< (str.to_int b) 11))(check-sat)",
    "(set-logic QF_BV)(declare-fun v () (_ BitVec 8))(assert (bvult (bvadd v #x03) #x10))\
     (assert (let ((w (bvmul v #x05))) (or (= w #x0a) (bvslt w #x00))))(check-sat)",
    "(declare-fun r () Real)(assert (forall ((y Real)) (=> (> y 2.5) (> (+ y r) 1.0))))(check-sat)",
    "(declare-fun f () (_ FloatingPoint 5 11))(assert (fp.leq (fp.add RNE f (fp #b0 #b01111 #b0000000000)) f))(check-sat)",
    "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-fun l () L)\
     (assert (or (= l nil) (> (hd l) 4)))(check-sat)",
    "(declare-fun g (Int) Int)(declare-fun s () (Array Int Int))(assert (= (select (store s 1 (g 2)) 3) 4))\
     (push 1)(assert (> (g 2) 5))(check-sat)(pop 1)(check-sat)",
];

/// Every mutant parses and is accepted, and Z3 contradicts no expectation.
#[test]
fn mutants_of_all_theories_parse_and_expectations_hold() {
    let target = z3();
    let mut enforcing = SolverQuestioner::new(std::slice::from_ref(&target), &Settings::default()).unwrap();
    let mut solving = runner(&target, RunMode::Fork, &RunSettings::default()).unwrap();
    let (mut mutants, mut claims) = (0, 0);
    for preset in ["valfuzz", "valfuzz:adomaine_cpog_effinal", "valfuzz:noskole_multief3_relc2"] {
        let strategy = strategies::by_name(preset, &StrategyContext::new(Signatures::standard())).unwrap();
        for (number, text) in SEEDS.iter().enumerate() {
            let seed = Seed::new(format!("seed {number}"), *text);
            let mut mutator = strategy.open(&seed, Random::new(7)).unwrap();
            enforcing.begin();
            let mut made = 0;
            for _ in 0..12 {
                let Some(case) = mutator.next_case_with(&mut enforcing) else { break };
                made += 1;
                let mut arena = Arena::default();
                let script = parse_script(&mut arena, &case.text).unwrap();
                assert_eq!(arena.script_text(&script), case.text);
                let want = Want { model: true, ..Want::default() };
                let seen = solving.run(&RunRequest::new(&case.text).want(want)).unwrap();
                let answered = matches!(seen.outcome, Outcome::Answered | Outcome::Timeout);
                assert!(answered, "{preset} {number}: {}\n{}", seen.outcome, case.text);
                if let Expectation::Sat { .. } = case.expectation {
                    claims += 1;
                    assert_ne!(seen.answer(), Some(Answer::Unsat), "{}", case.text);
                }
            }
            assert!(made > 0, "{preset} makes no mutant of seed {number}");
            mutants += made;
            let mut recorded = Recorded::new(enforcing.answers());
            let mut again = strategy.open(&seed, Random::new(7)).unwrap();
            let repeated = (0..made).map_while(|_| again.next_case_with(&mut recorded)).count();
            assert_eq!(repeated, made, "{preset} {number}");
        }
    }
    assert!(claims * 10 > mutants, "{claims} claims of {mutants} mutants");
}

/// One process serves many questions and many preludes, and a question leaves no state behind.
#[test]
fn a_dialogue_keeps_its_process() {
    let want = Want { model: true, variety: Some(3), ..Want::default() };
    let limit = Duration::from_secs(5);
    let limits = Limits { wall: limit, ..Limits::default() };
    let mut dialogue = Dialogue::new(&z3(), &RunSettings::default(), want, limit);
    for opening in
        ["(set-logic ALL)\n(declare-fun x () Int)\n(assert (> x 3))\n", "(declare-fun x () Bool)\n"]
    {
        dialogue.open(opening);
        let question = if opening.contains("Int") { "(assert (< x 5))\n" } else { "(assert x)\n" };
        for _ in 0..3 {
            let seen = dialogue.ask(question, limits).unwrap();
            assert_eq!((seen.answer(), &seen.outcome), (Some(Answer::Sat), &Outcome::Answered));
            let value = if opening.contains("Int") { "4" } else { "true" };
            assert!(seen.model().is_some_and(|model| model.contains(value)), "{}", seen.stdout);
            let seen = dialogue.ask("(assert false)\n", limits).unwrap();
            assert_eq!((seen.answer(), seen.outcome), (Some(Answer::Unsat), Outcome::Answered));
        }
    }
    assert_eq!(dialogue.starts(), 1);
    // A question with a syntax error costs the process, but the next one is still answered.
    let seen = dialogue.ask("(assert nonsense)\n", limits).unwrap();
    assert_ne!(seen.outcome, Outcome::Answered);
    assert_eq!(dialogue.ask("(assert x)\n", limits).unwrap().answer(), Some(Answer::Sat));
    assert_eq!(dialogue.starts(), 2);
}

/// A campaign asks its own solvers, and its findings can be made again from the record alone.
#[test]
fn findings_of_a_campaign_keep_the_dialogue() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = script_solver(folder.path(), "yices@1", "echo unsat");
    let mut store = Store::open(&folder.path().join("out")).unwrap();
    // The skeleton needs no dialogue.
    let name = "valfuzz:skeleton=false";
    let strategy: Arc<dyn Strategy> =
        Arc::from(strategies::by_name(name, &StrategyContext::new(Signatures::standard())).unwrap());
    let plan = Plan {
        settings: Settings { cases: Some(40), seed: 5, jobs: 1, timeout: 4_000, ..Settings::default() },
        targets: vec![z3(), wrong],
        strategies: vec![strategy.clone()],
        pool: Pool { seeds: vec![Seed::new("seed", SEEDS[0])], ..Pool::default() },
        judges: &|| Box::<triage::Evaluated>::default(),
        options: Vec::new(),
        installer: None,
    };
    let summary = campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Silent).unwrap();
    assert!(summary.snapshot.statistics.cases > 5);
    let findings = store.findings().unwrap();
    let listed = findings.iter().find(|finding| finding.class == case::Class::WrongUnsat).unwrap();
    let (finding, case, text) = store.read(listed).unwrap();
    assert!(!finding.dialogue.is_empty());
    let origin = &finding.origin;
    let seed = campaign::seed_again(&finding, text);
    let again =
        campaign::case_again(strategy.as_ref(), &seed, origin.campaign_seed, origin.round, origin.index);
    assert_eq!(again.unwrap().map(|case| case.text), Some(case));
}
