//! Regression runs on a new build.

use crate::support::{Programs, SAT, SCRIPT, SEGFAULT, UNKNOWN, UNSAT, crash_finding, limits, stored};
use case::Predicate;
use std::fs;
use triage::REDUCED;
use triage::regress::{Progress, Regression, of_campaign, of_folder, stated_predicate};

#[test]
fn a_bug_comes_back_only_in_a_later_build() {
    use Progress::{CameBack, Fixed, StillThere, Unclear};
    let predicate = Predicate::parse("z3@4.8.10 says unsat, cvc5 says sat").unwrap();
    // The runs of one table: a build, what it does, and what becomes of the bug.
    let tables: [&[(&str, &str, Progress)]; 3] = [
        // Releases in any order.
        &[
            ("z3@4.8.7", UNSAT, StillThere),
            ("z3@5.4.0", SAT, Fixed),
            ("z3@4.8.7", UNSAT, StillThere),
            ("z3@4.8.7", UNSAT, StillThere),
            ("z3@4.8.5", SAT, Fixed),
            ("z3@4.8.7", UNSAT, CameBack),
            ("z3@4.8.7", UNSAT, CameBack),
        ],
        // A build that is made anew under the same name.
        &[
            ("z3@5.5.0", UNKNOWN, Unclear),
            ("z3@5.5.0", UNSAT, StillThere),
            ("z3@5.5.0", UNKNOWN, Unclear),
            ("z3@5.5.0", UNSAT, StillThere),
            ("z3@5.5.0", SAT, Fixed),
            ("z3@5.5.0", SAT, Fixed),
            ("z3@5.5.0", UNKNOWN, Unclear),
            ("z3@5.5.0", UNSAT, CameBack),
            ("z3@5.5.0", UNSAT, CameBack),
            ("z3@5.6.0", UNSAT, CameBack),
            ("z3@5.6.0", SAT, Fixed),
            ("z3@5.5.0", UNSAT, CameBack),
        ],
        // Builds without a release number, side by side.
        &[
            ("z3@old", UNSAT, StillThere),
            ("z3@new", SAT, Fixed),
            ("z3@old", UNSAT, StillThere),
            ("z3@newest", UNSAT, CameBack),
            ("z3@newest", UNSAT, CameBack),
        ],
    ];
    for (number, table) in tables.into_iter().enumerate() {
        let mut programs = Programs::new(&[]);
        let regression = Regression {
            name: "bug".to_owned(),
            script: SCRIPT.to_owned(),
            predicate: predicate.clone(),
            memory: programs.folder().join("bug.regress.json"),
        };
        for (index, (spec, body, expected)) in table.iter().enumerate() {
            programs.add(spec, body);
            let (progress, probe) = regression.check(programs.target(spec), limits()).unwrap().unwrap();
            assert_eq!(progress, *expected, "table {number}, run {index}");
            assert_eq!(probe.release, *spec);
        }
    }
}

#[test]
fn a_record_that_cannot_be_read_is_an_error() {
    let programs = Programs::new(&[("z3@new", SAT)]);
    let memory = programs.folder().join("bug.regress.json");
    fs::write(&memory, "{\"state\":\"good\"}\n").unwrap();
    let predicate = Predicate::parse("z3 says unsat, cvc5 says sat").unwrap();
    let regression = Regression { name: String::new(), script: SCRIPT.to_owned(), predicate, memory };
    let error = regression.check(programs.target("z3@new"), limits()).unwrap_err();
    assert!(error.to_string().contains("is not a record of earlier `regress` runs"), "{error}");
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
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("one.smt2"), "; elenchus: z3 crashes\n").unwrap();
    fs::write(folder.path().join("two.smt2"), "; a comment\n").unwrap();
    let all = of_folder(folder.path()).unwrap();
    let found: Vec<_> = all.iter().map(|one| (one.name.as_str(), one.memory.clone())).collect();
    assert_eq!(found, [("one.smt2", folder.path().join("one.regress.json"))]);
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
