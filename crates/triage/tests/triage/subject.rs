//! Scripts and findings as the subject of reduction, bisection and reports.

use crate::support::{Programs, SAT_WITHOUT_MODEL, SCRIPT, UNSAT, crash_finding, finding, limits, stored};
use case::{Answer, Class, Expectation, Outcome, Predicate, RunMode, RunResult, Signature};
use std::fs;
use triage::predicate::Basis;
use triage::{REDUCED, Subject, Version};

#[test]
fn a_finding_is_read_with_and_without_its_reduced_script() {
    let folder = tempfile::tempdir().unwrap();
    let id = stored(folder.path(), &[crash_finding("a")]).remove(0);
    let read = |version| Subject::of_finding(folder.path(), &id, version, None).unwrap();
    assert_eq!(read(Version::Reduced).script, SCRIPT);
    let subject = read(Version::Case);
    assert_eq!(
        (subject.origin.as_str(), subject.predicate.to_string().as_str()),
        (&*id, "z3@1.0 crashes with a")
    );
    let finding_folder = subject.folder().unwrap().to_owned();
    assert_eq!(finding_folder, folder.path().join("findings").join(&id));
    fs::write(finding_folder.join(REDUCED), "(check-sat)\n").unwrap();
    for (version, script) in [(Version::Case, SCRIPT), (Version::Reduced, "(check-sat)\n")] {
        assert_eq!(read(version).script, script, "{version:?}");
    }
}

#[test]
fn a_predicate_of_the_user_replaces_that_of_the_finding() {
    let folder = tempfile::tempdir().unwrap();
    let result = |answer| RunResult { outcome: Outcome::Answered, answers: vec![answer] };
    let leak = Signature::StateLeak {
        solver: "z3".to_owned(),
        mode: RunMode::Session,
        warm: result(Answer::Sat),
        cold: result(Answer::Unsat),
        theories: Default::default(),
    };
    let leak =
        finding(Class::StateLeak, leak, vec![testing::solver_run("z3@1.0", result(Answer::Sat), true)]);
    let id = stored(folder.path(), &[leak]).remove(0);
    let error = Subject::of_finding(folder.path(), &id, Version::Case, None).unwrap_err();
    assert_eq!(error.to_string(), "no plain run can show a finding of class state-leak");
    let keep = Predicate::parse("z3 says sat, cvc5 says unsat").unwrap();
    let subject = Subject::of_finding(folder.path(), &id, Version::Case, Some(keep.clone())).unwrap();
    assert_eq!(subject.predicate, keep);
}

#[test]
fn the_model_of_the_construction_is_evidence() {
    let programs = Programs::new(&[("z3@1.0", UNSAT), ("cvc5@1.0", SAT_WITHOUT_MODEL)]);
    let result = |answer| RunResult { outcome: Outcome::Answered, answers: vec![answer] };
    let runs = vec![
        testing::solver_run("z3@1.0", result(Answer::Unsat), true),
        testing::solver_run("cvc5@1.0", result(Answer::Sat), false),
    ];
    let table = [
        (Expectation::Sat { model: "((define-fun x () Int 3))".to_owned() }, true),
        (Expectation::Sat { model: "((define-fun x () Int 1))".to_owned() }, false),
        (Expectation::Unknown, false),
    ];
    for (number, (expectation, expected)) in table.into_iter().enumerate() {
        let out = programs.folder().join(format!("out-{number}"));
        let signature = Signature::Solver {
            class: Class::WrongUnsat,
            solver: "z3".to_owned(),
            theories: Default::default(),
        };
        let mut built = finding(Class::WrongUnsat, signature, runs.clone());
        built.expectation = expectation.clone();
        let id = stored(&out, &[built]).remove(0);
        let subject = Subject::of_finding(&out, &id, Version::Case, None).unwrap();
        let established = subject.establish(&subject.clauses(&programs).unwrap(), limits()).unwrap();
        let by_model =
            matches!(&established.basis, Basis::Model { from, .. } if from == "the construction of the case");
        assert_eq!(by_model, expected, "{expectation:?}");
    }
}

#[test]
fn a_subject_that_shows_nothing_fails_with_what_solvers_did() {
    let programs = Programs::new(&[("z3@1.0", UNSAT)]);
    let predicate = Predicate::parse("z3@1.0 says sat").unwrap();
    let subject = Subject::of_script(SCRIPT.to_owned(), predicate, "bug.smt2");
    assert_eq!(subject.folder(), None);
    let error = subject.establish(&subject.clauses(&programs).unwrap(), limits()).unwrap_err();
    assert_eq!(error.to_string(), "bug.smt2 does not show that z3@1.0 says sat; z3@1.0: unsat");
    let missing =
        Subject::of_script(SCRIPT.to_owned(), Predicate::parse("z3@2.0 crashes").unwrap(), "bug.smt2");
    assert_eq!(missing.clauses(&programs).unwrap_err().to_string(), "z3@2.0 is not installed");
}
