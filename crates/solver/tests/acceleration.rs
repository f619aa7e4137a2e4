//! The techniques that make runs fast change no result.

use solver::install::{self, Settings};
use solver::run::RunSettings;
use solver::{Acceleration, Observation, Outcome, RunMode, RunRequest, Target, runner};

fn target(spec: &str) -> Option<Target> {
    let mut settings = Settings::from_environment().expect("the environment is usable");
    settings.driver = env!("CARGO_BIN_EXE_elenchus-driver").into();
    install::resolve(spec, &settings)
        .map_err(|error| testing::skip(format_args!("{spec} is not available: {error}")))
        .ok()
}

const SCRIPTS: [&str; 5] = [
    "(set-logic QF_LIA)\n(declare-fun x () Int)\n(assert (> x 3))\n(check-sat)\n",
    "(set-logic QF_LIA)\n(declare-fun x () Int)\n(assert (and (> x 3) (< x 3)))\n(check-sat)\n(exit)\n",
    "(set-option :produce-models true)\n(set-logic QF_BV)\n(declare-fun v () (_ BitVec 8))\n(assert (= v #x2a))\n\
     (check-sat)\n(get-value (v))\n",
    "(set-logic QF_LIA)\n(declare-fun x () Int)\n(push 1)\n(assert (> x 0))\n(check-sat)\n(pop 1)\n(push 1)\n\
     (assert (and (> x 0) (< x 1)))\n(check-sat)\n",
    "(set-logic QF_LIA)\n(assert (> undeclared 3))\n(check-sat)\n",
];

/// More than a fork server runs before it moves its code.
const ROUNDS: usize = 8;

fn observe(target: &Target, mode: RunMode) -> Vec<Observation> {
    let mut runner = runner(target, mode, &RunSettings::default()).unwrap();
    let scripts = std::iter::repeat_n(SCRIPTS, ROUNDS).flatten();
    scripts.map(|script| runner.run(&RunRequest::new(script)).unwrap()).collect()
}

fn results_are_the_same(spec: &str) {
    let Some(target) = target(spec) else { return };
    let fast = Target { acceleration: Acceleration::ALL, ..target.clone() };
    let plain = Target { acceleration: Acceleration::NONE, ..target };
    for mode in RunMode::ALL {
        let runs = observe(&fast, mode).into_iter().zip(observe(&plain, mode));
        for (index, (fast, plain)) in runs.enumerate() {
            let context = format!("{spec} {mode} {}", SCRIPTS[index % SCRIPTS.len()]);
            assert_eq!((&fast.answers, fast.mode), (&plain.answers, plain.mode), "{context}");
            assert_eq!(fast.outcome.word(), plain.outcome.word(), "{context}");
            if fast.outcome == Outcome::Answered {
                assert_eq!(fast.stdout, plain.stdout, "{context}");
            }
        }
    }
}

#[test]
fn switches_change_no_result_of_z3() {
    results_are_the_same("z3@latest");
}

#[test]
fn switches_change_no_result_of_cvc5() {
    results_are_the_same("cvc5@latest");
}
