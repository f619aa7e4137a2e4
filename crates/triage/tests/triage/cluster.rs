//! The facts of findings, and their clusters.

use crate::support::{Programs, SAT, SCRIPT, SEGFAULT, UNSAT, crash_finding, limits, stored};
use case::{Class, Crash, CrashCause};
use std::fs;
use triage::REDUCED;
use triage::cluster::{Facts, ReleaseRange, clusters, normalised, stored_facts};
use triage::predicate::establish;
use triage::releases::Releases;

#[test]
fn facts_come_from_the_suspect_and_the_script() {
    let programs = Programs::new(&[("z3@1", UNSAT), ("z3@2", SAT), ("z3@3", SEGFAULT)]);
    let table =
        [("z3@1 says unsat, z3@2 says sat", Class::WrongUnsat, false), ("z3@3 crashes", Class::Crash, true)];
    for (predicate, class, crashes) in table {
        let established = establish(SCRIPT, &programs.clauses(predicate), limits()).unwrap().unwrap();
        let facts = Facts::of_established("bug", SCRIPT, &established);
        assert_eq!((facts.name.as_str(), facts.solver.as_str(), facts.class), ("bug", "z3", class));
        assert_eq!(facts.crash.is_some(), crashes, "{predicate}");
        assert_eq!(facts.theories, ["Ints".to_owned()].into());
        assert_eq!(facts.operators, ["*".to_owned(), ">".to_owned()].into());
    }
}

#[test]
fn crashes_are_normalised() {
    let table = [
        (Crash::message("../src/ast/a.cpp:12 failed"), "a.cpp:# failed"),
        (Crash::message("C:\\build\\a.cpp"), "a.cpp"),
        (Crash::signal(11), "SIGSEGV"),
        (Crash::from(CrashCause::ExitCode(134)), "exit code #"),
    ];
    for (crash, expected) in table {
        assert_eq!(normalised(&crash), expected);
    }
}

#[test]
fn signatures_name_what_identifies_a_bug() {
    let releases =
        Some(ReleaseRange { first_bad: "z3@4.1".to_owned(), first_good: Some("z3@4.3".to_owned()) });
    let facts =
        |class, crash| Facts { releases: releases.clone(), ..Facts::new("", "z3", class, crash, SCRIPT) };
    let table = [
        (facts(Class::WrongUnsat, None), "wrong-unsat z3 [Ints] * > z3@4.1..z3@4.3", true),
        (facts(Class::Crash, Some(Crash::message("a.cpp 7"))), "crash z3 a.cpp #", false),
        (facts(Class::Crash, Some(Crash::signal(11))), "crash z3 SIGSEGV [Ints] * > z3@4.1..z3@4.3", true),
    ];
    for (facts, signature, needs_functions) in table {
        assert_eq!(facts.signature(), signature);
        assert_eq!(facts.needs_functions(), needs_functions, "{signature}");
    }
}

#[test]
fn a_group_is_led_by_its_first_finding() {
    let crash = |text: &str| Facts::new("", "z3", Class::Crash, Some(Crash::message(text)), "");
    let other = Facts { solver: "cvc5".to_owned(), ..crash("a") };
    let table: [(Vec<Facts>, Vec<Vec<usize>>); 3] = [
        (vec![], vec![]),
        (vec![crash("a"), other, crash("a")], vec![vec![0, 2], vec![1]]),
        (vec![crash("b"), crash("a"), crash("a"), crash("b")], vec![vec![0, 3], vec![1, 2]]),
    ];
    for (facts, expected) in table {
        assert_eq!(clusters(&facts), expected);
    }
}

#[test]
fn stored_facts_use_the_reduced_script_and_its_releases() {
    let folder = tempfile::tempdir().unwrap();
    assert!(stored_facts(folder.path()).is_empty());
    let id = stored(folder.path(), &[crash_finding("a")]).remove(0);
    let read = || stored_facts(folder.path()).remove(0);
    let facts = read();
    assert_eq!((facts.name.as_str(), facts.solver.as_str(), facts.class), (&*id, "z3", Class::Crash));
    assert_eq!((facts.crash, facts.releases), (Some(Crash::message("a")), None));
    let finding_folder = folder.path().join("findings").join(&id);
    let found = Releases {
        solver: "z3".to_owned(),
        probes: Vec::new(),
        first_bad: "z3@1.0".to_owned(),
        no_good_before: true,
        first_good: None,
        newest: None,
        undecided: false,
        untested: Vec::new(),
    };
    found.save(&finding_folder, SCRIPT).unwrap();
    assert_eq!(read().releases, Some(ReleaseRange { first_bad: "z3@1.0".to_owned(), first_good: None }));
    // The releases of the case say nothing about the reduced script.
    fs::write(finding_folder.join(REDUCED), "(declare-const x Int)(assert (< x 1))(check-sat)").unwrap();
    let facts = read();
    assert_eq!((facts.operators, facts.releases), (["<".to_owned()].into(), None));
}
