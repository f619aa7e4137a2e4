//! Which functions of a real release tell a wrong answer from what passes.
//!
//! The releases are installed into the user's cache if they are not there; where that is impossible, the test says so and ends.

use case::{Class, Predicate};
use solver::install::{self, Settings};
use solver::run::Limits;
use std::time::Duration;
use triage::cluster::Facts;
use triage::distinguishing_functions;
use triage::predicate::establish;

/// Z3 4.8.10 finds an integer that is written with a sign; and a string of one character that it says is not one.
const SIGNED: [&str; 2] = [
    "(declare-const a Int)\n(assert (= \"-1\" (str.from_int a)))\n(check-sat)\n",
    "(declare-const b Int)\n(assert (= \"-7\" (str.from_int b)))\n(check-sat)\n",
];
const EMPTY_ESCAPE: &str = "(assert (= (str.at \"\\u{}\" 0) \"\\u{}\"))\n(check-sat)\n";

/// What is known of a wrong answer of Z3 4.8.10, with its functions; nothing where the releases cannot be had.
fn facts(script: &str) -> Option<Facts> {
    let settings = Settings::from_environment().expect("the environment is usable");
    let predicate = Predicate::parse("z3@4.8.10 says sat, z3@5.4.0 says unsat").unwrap();
    let mut clauses = Vec::new();
    for clause in &predicate.clauses {
        match install::resolve(&clause.spec, &settings) {
            Ok(target) => clauses.push((clause.clone(), target)),
            Err(error) => {
                testing::skip(format_args!("{} is not available: {error}", clause.spec));
                return None;
            }
        }
    }
    let limits = Limits { wall: Duration::from_secs(20), ..Limits::default() };
    let established =
        establish(script, &clauses, limits).unwrap().expect("the releases contradict each other");
    let functions = distinguishing_functions(script, &established).unwrap();
    assert_ne!(functions.neighbour, script);
    Some(Facts {
        theories: ["Strings".to_owned()].into(),
        functions: functions.functions,
        ..Facts::new("", "z3", Class::WrongSat, None, "")
    })
}

#[test]
fn functions_tell_bugs_of_a_release_apart() {
    let (Some(one), Some(other), Some(another)) = (facts(SIGNED[0]), facts(SIGNED[1]), facts(EMPTY_ESCAPE))
    else {
        return;
    };
    assert!(one.is_same(&other), "{one:?} {other:?}");
    assert!(!one.is_same(&another), "{one:?} {another:?}");
}
