//! Regression runs on a new build.

use crate::support::{Programs, SAT, SCRIPT, SEGFAULT, UNKNOWN, UNSAT, crash_finding, limits, stored};
use case::Predicate;
use std::fs;
use triage::REDUCED;
use triage::regress::{Progress, Regression, of_campaign, of_script, stated_predicate};

#[test]
fn progress_follows_from_the_last_state() {
    let programs = Programs::new(&[("z3@bad", UNSAT), ("z3@good", SAT), ("z3@unclear", UNKNOWN)]);
    let regression = Regression {
        name: "bug".to_owned(),
        script: SCRIPT.to_owned(),
        predicate: Predicate::parse("z3@4.8.10 says unsat, cvc5 says sat").unwrap(),
        memory: programs.folder().join("bug.regress.json"),
    };
    let table = [
        ("z3@unclear", Progress::Unclear),
        ("z3@bad", Progress::StillThere),
        ("z3@unclear", Progress::Unclear),
        ("z3@bad", Progress::StillThere),
        ("z3@good", Progress::Fixed),
        ("z3@good", Progress::Fixed),
        ("z3@unclear", Progress::Unclear),
        ("z3@bad", Progress::CameBack),
        ("z3@bad", Progress::StillThere),
    ];
    for (index, (spec, expected)) in table.into_iter().enumerate() {
        let (progress, probe) = regression.check(programs.target(spec), limits()).unwrap().unwrap();
        assert_eq!(progress, expected, "run {index}");
        assert_eq!(probe.release, spec);
    }
}

#[test]
fn only_claims_about_the_solver_are_run() {
    let programs = Programs::new(&[("z3@new", SAT), ("cvc5@new", SAT), ("yices@new", SAT)]);
    // A build, a predicate, and what becomes of the bug.
    let table = [
        ("z3@new", "z3@4.8.10 says unsat, cvc5 says sat", Some(Progress::Fixed)),
        ("z3@new", "../build/z3 says unsat, cvc5 says sat", Some(Progress::Fixed)),
        ("cvc5@new", "z3@4.8.10 says unsat, cvc5 says sat", Some(Progress::StillThere)),
        // The fault counts, not the answer of another release.
        ("z3@new", "z3@4.8.7 says sat, z3@4.8.10 crashes", Some(Progress::Fixed)),
        ("yices@new", "z3@4.8.10 says unsat, cvc5 says sat", None),
    ];
    for (index, (spec, predicate, expected)) in table.into_iter().enumerate() {
        let memory = programs.folder().join(format!("{index}.json"));
        let predicate = Predicate::parse(predicate).unwrap();
        let regression = Regression { name: String::new(), script: SCRIPT.to_owned(), predicate, memory };
        let found = regression.check(programs.target(spec), limits()).unwrap();
        assert_eq!(found.map(|(progress, _)| progress), expected, "{spec}: {}", regression.predicate);
    }
}

#[test]
fn a_crash_is_the_same_in_another_release() {
    let programs = Programs::new(&[("z3@new", SEGFAULT)]);
    let table = [("z3 crashes", Progress::StillThere), ("z3 crashes with SIGABRT", Progress::Unclear)];
    for (index, (predicate, expected)) in table.into_iter().enumerate() {
        let memory = programs.folder().join(format!("{index}.json"));
        let predicate = Predicate::parse(predicate).unwrap();
        let regression = Regression { name: String::new(), script: SCRIPT.to_owned(), predicate, memory };
        let (progress, _) = regression.check(programs.target("z3@new"), limits()).unwrap().unwrap();
        assert_eq!(progress, expected);
    }
}

#[test]
fn scripts_state_what_they_show_in_their_first_line() {
    let table = [
        ("; elenchus: z3 says unsat, cvc5 says sat\n(check-sat)", Some("z3 says unsat, cvc5 says sat")),
        (";;elenchus: z3 crashes", Some("z3 crashes")),
        ("; elenchus: z3 dances", None),
        ("; a comment", None),
        ("(check-sat)\n; elenchus: z3 crashes", None),
        ("", None),
    ];
    for (script, expected) in table {
        let found = stated_predicate(script).map(|predicate| predicate.to_string());
        assert_eq!(found.as_deref(), expected, "{script}");
    }
    let path = std::path::Path::new("bugs/one.smt2");
    let regression = of_script("one".to_owned(), path, "; elenchus: z3 crashes\n".to_owned()).unwrap();
    assert_eq!(regression.memory, std::path::Path::new("bugs/one.regress.json"));
}

#[test]
fn a_campaign_gives_a_regression_for_each_finding() {
    let folder = tempfile::tempdir().unwrap();
    let ids = stored(folder.path(), &[crash_finding("a"), crash_finding("b")]);
    let reduced = folder.path().join("findings").join(&ids[1]).join(REDUCED);
    fs::write(reduced, "(check-sat)\n").unwrap();
    let mut all = of_campaign(folder.path()).unwrap();
    all.sort_by_key(|one| ids.iter().position(|id| *id == one.name));
    let found: Vec<(&str, String)> =
        all.iter().map(|one| (one.script.as_str(), one.predicate.to_string())).collect();
    let expected =
        [(SCRIPT, "z3@1.0 crashes with a".to_owned()), ("(check-sat)\n", "z3@1.0 crashes with b".to_owned())];
    assert_eq!(found, expected);
}
