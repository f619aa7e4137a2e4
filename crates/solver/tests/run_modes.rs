//! All run modes agree on real solvers, whatever scripts came before.
//!
//! Missing solvers are installed into the user's cache.

use solver::install::{self, Settings};
use solver::run::{Limits, RunSettings, Want};
use solver::{Answer, Observation, Outcome, RunMode, RunRequest, Target, runner};
use std::time::Duration;

fn target(spec: &str) -> Option<Target> {
    let mut settings = Settings::from_environment().expect("the environment is usable");
    settings.driver = env!("CARGO_BIN_EXE_elenchus-driver").into();
    match install::resolve(spec, &settings) {
        Ok(target) => Some(target),
        Err(error) => {
            testing::skip(format_args!("{spec} is not available: {error}"));
            None
        }
    }
}

/// Scripts that leave state in a process, and scripts that would reveal it.
const SCRIPTS: &[&str] = &[
    "(declare-fun x () Int)\n(assert (> x 3))\n(check-sat)\n",
    "(set-logic QF_LIA)\n(declare-fun x () Int)\n(assert (and (> x 3) (< x 3)))\n(check-sat)\n(exit)\n",
    "(set-option :print-success true)\n(set-logic QF_UF)\n(declare-fun x () Bool)\n(assert (! x :named a))\n(check-sat)\n",
    "(set-logic QF_UF)\n(declare-fun x () Bool)\n(declare-fun a () Bool)\n(assert (and x (not a)))\n(check-sat)\n",
    "(set-option :produce-unsat-cores true)\n(set-logic QF_UF)\n(declare-fun p () Bool)\n(assert (! p :named b))\n\
     (assert (! (not p) :named c))\n(check-sat)\n(get-unsat-core)\n",
    "(set-option :produce-models true)\n(set-logic QF_BV)\n(declare-fun v () (_ BitVec 8))\n(assert (= v #x2a))\n\
     (check-sat)\n(get-value (v))\n",
    "(set-logic QF_LIA)\n(declare-fun x () Int)\n(push 1)\n(assert (> x 0))\n(check-sat)\n(pop 1)\n(push 1)\n\
     (assert (and (> x 0) (< x 1)))\n(check-sat)\n",
    "(set-logic QF_UF)\n(declare-sort U 0)\n(declare-fun f (U) U)\n(declare-fun x () U)\n(assert (not (= (f x) x)))\n\
     (check-sat)\n",
    "(set-logic QF_LIA)\n(declare-fun x () Bool)\n(assert x)\n(check-sat)\n",
    "(set-logic QF_ALL)\n(declare-heap (Int Int))\n(declare-fun x () Int)\n(assert (pto x x))\n(check-sat)\n",
    "(set-logic QF_LIA)\n(assert (> undeclared 3))\n(check-sat)\n",
    "(set-logic QF_LIA)\n(declare-fun x () Int)\n(assert (= x 1))\n(check-sat)\n(",
];

/// Compares what must not depend on the mode: outcome and answers, and the whole output of a script without errors.
fn assert_same(target: &Target, script: &str, plain: &Observation, other: &Observation) {
    let context = || format!("{} {} on\n{script}\n{plain:#?}\n{other:#?}", target.id, other.mode);
    assert_eq!(plain.answers, other.answers, "{}", context());
    assert_eq!(plain.outcome.word(), other.outcome.word(), "{}", context());
    if plain.outcome == Outcome::Answered && !plain.stdout.contains("success") {
        assert_eq!(plain.stdout, other.stdout, "{}", context());
    }
}

fn all_modes_agree(spec: &str) {
    let Some(target) = target(spec) else { return };
    let settings = RunSettings::default();
    let mut plain = runner(&target, RunMode::OneShot, &settings).unwrap();
    for mode in [RunMode::Session, RunMode::Fork, RunMode::Incremental] {
        let mut warm = runner(&target, mode, &settings).unwrap();
        let mut in_this_mode = 0;
        for script in SCRIPTS.iter().chain(SCRIPTS.iter().rev()).chain(SCRIPTS) {
            let request = RunRequest::new(script);
            let expected = plain.run(&request).unwrap();
            let seen = warm.run(&request).unwrap();
            assert_same(&target, script, &expected, &seen);
            in_this_mode += usize::from(seen.mode == mode);
        }
        let serves = mode != RunMode::Fork || target.profile.fork.is_some();
        assert!(!serves || in_this_mode > SCRIPTS.len() * 2, "{spec} {mode}: only {in_this_mode} scripts");
    }
}

#[test]
fn all_modes_agree_on_the_newest_z3() {
    all_modes_agree("z3@latest");
}

#[test]
fn all_modes_agree_on_an_old_z3() {
    all_modes_agree("z3@4.8.5");
}

#[test]
fn all_modes_agree_on_cvc5() {
    all_modes_agree("cvc5@latest");
}

#[test]
fn all_modes_agree_on_yices() {
    all_modes_agree("yices");
}

/// Runs each script several times in one mode and compares the results with those of the plain executable.
fn repeatedly(mode: RunMode, scripts: &[&str], times: usize, check: impl Fn(&Observation)) {
    for target in ["z3@latest", "z3@4.8.5", "cvc5@latest"].into_iter().filter_map(target) {
        let settings = RunSettings::default();
        let mut plain = runner(&target, RunMode::OneShot, &settings).unwrap();
        let mut warm = runner(&target, mode, &settings).unwrap();
        for script in scripts {
            let expected = plain.run(&RunRequest::new(script)).unwrap();
            for _ in 0..times {
                let seen = warm.run(&RunRequest::new(script)).unwrap();
                assert_same(&target, script, &expected, &seen);
                check(&seen);
            }
        }
    }
}

/// A server that runs many scripts moves its code into huge pages, which must have no effect.
#[test]
fn a_server_gives_the_same_results_after_many_scripts() {
    let scripts = [SCRIPTS[1], SCRIPTS[8], SCRIPTS[10]];
    repeatedly(RunMode::Fork, &scripts, 40, |seen| assert_eq!(seen.mode, RunMode::Fork));
}

/// A process that prepares for the next script is prepared for the right one.
#[test]
fn a_session_gives_the_same_results_for_any_sequence_of_scripts() {
    repeatedly(RunMode::Session, SCRIPTS, 5, |_| {});
}

/// A script that is sent while the process still prepares arrives completely, and its output is not mixed up with that of
/// another script.
#[test]
fn a_session_separates_the_output_of_queued_scripts() {
    let Some(target) = target("z3@latest") else { return };
    let warned = "(set-logic UFLIA)\n(declare-fun f (Int) Int)\n\
                  (assert (forall ((x Int)) (! (> (f x) x) :pattern ((f 1)))))\n(push)\n(assert false)\n(check-sat)\n";
    let long = format!("(set-logic UFLIA)\n{}(check-sat)\n", "(assert (= (+ 1 2) 3))\n".repeat(20_000));
    let scripts = [warned, "(set-logic UFLIA)\n(check-sat)\n", &long];
    let mut plain = runner(&target, RunMode::OneShot, &RunSettings::default()).unwrap();
    let mut session = runner(&target, RunMode::Session, &RunSettings::default()).unwrap();
    let expected = scripts.map(|script| plain.run(&RunRequest::new(script)).unwrap());
    assert!(expected[0].stderr.contains("WARNING"), "{:#?}", expected[0]);
    for round in 0..90 {
        let index = round * round % 7 % scripts.len();
        let seen = session.run(&RunRequest::new(scripts[index])).unwrap();
        assert_same(&target, scripts[index], &expected[index], &seen);
        assert_eq!(seen.stderr.is_empty(), expected[index].stderr.is_empty(), "{round}: {seen:#?}");
    }
}

#[test]
fn limits_hold_in_every_mode() {
    let Some(target) = target("z3@latest") else { return };
    let hard = "(declare-fun x () Int)\n(declare-fun y () Int)\n(declare-fun z () Int)\n(assert (> x 1))\n\
                (assert (> y 1))\n(assert (> z 1))\n(assert (= (+ (* x x x) (* y y y)) (* z z z)))\n(check-sat)\n";
    for mode in RunMode::ALL {
        let mut runner = runner(&target, mode, &RunSettings::default()).unwrap();
        let limits = Limits { wall: Duration::from_millis(300), ..Limits::default() };
        let late = runner.run(&RunRequest::new(hard).limits(limits)).unwrap();
        assert_eq!(late.outcome, Outcome::Timeout, "{mode}");
        let next = runner.run(&RunRequest::new(SCRIPTS[0])).unwrap();
        assert_eq!((next.answer(), next.mode), (Some(Answer::Sat), mode), "{mode} continues after a timeout");
    }
}

#[test]
fn models_are_printed_on_request_in_every_mode() {
    let Some(target) = target("z3@latest") else { return };
    let want = Want { model: true, seed: Some(3), ..Want::default() };
    for mode in RunMode::ALL {
        let mut runner = runner(&target, mode, &RunSettings::default()).unwrap();
        for script in SCRIPTS[..2].iter().chain(&SCRIPTS[..1]) {
            let seen = runner.run(&RunRequest::new(script).want(want)).unwrap();
            assert_eq!(seen.outcome, Outcome::Answered, "{mode}: {seen:#?}");
            let has_model = seen.model().is_some_and(|model| model.contains("define-fun x"));
            assert_eq!(has_model, seen.answer() == Some(Answer::Sat), "{mode}: {seen:#?}");
        }
    }
}

/// The first script of a runner decides whether the solver can be forked. Its options must not.
#[test]
fn an_option_of_the_first_script_does_not_prevent_forks() {
    let Some(target) = target("cvc5@1.4.2") else { return };
    // A self-test that another test has passed does not count for this target.
    let target = Target { env: [("ELENCHUS_TEST".to_owned(), "1".to_owned())].into(), ..target };
    let mut warm = runner(&target, RunMode::Fork, &RunSettings::default()).unwrap();
    let mut run = |script: &str| {
        let seen = warm.run(&RunRequest::new(script)).unwrap();
        assert_eq!(seen.answers, [Answer::Sat], "{script}: {seen:?}");
        seen.fallback
    };
    assert_eq!(run("(set-option :no-such-option true)(set-logic QF_LIA)(check-sat)"), None);
    assert_eq!(run("(set-logic QF_LIA)(check-sat)"), None);
    let late = "(set-logic QF_LIA)(declare-const p Bool)(set-option :incremental true)(check-sat)";
    assert_eq!(run(late).as_deref(), Some("the script sets options late"));
}
