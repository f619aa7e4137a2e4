//! The list of known bugs.

use crate::support::{Programs, SAT, SCRIPT, SEGFAULT, UNKNOWN, UNSAT, crash_finding, limits, stored};
use case::{Class, Crash, Hinted, Predicate};
use std::fs;
use store::{Listed, ListedSolver};
use triage::automatic::{Identity, TriagedFinding};
use triage::cluster::{Facts, ReleaseRange};
use triage::known::{KnownBug, KnownBugs};
use triage::releases::State;
use triage::{Subject, Version};

fn bug(signature: &str, fixed_in: Option<&str>, facts: Facts) -> KnownBug {
    KnownBug {
        signature: signature.to_owned(),
        link: "https://example.org/1".to_owned(),
        predicate: Predicate::parse("z3@1.0 says unsat").unwrap(),
        fixed_in: fixed_in.map(str::to_owned),
        facts,
        script: SCRIPT.to_owned(),
    }
}

fn facts(name: &str, crash: Option<Crash>, first_bad: Option<&str>) -> Facts {
    let class = if crash.is_some() { Class::Crash } else { Class::WrongUnsat };
    let releases = first_bad.map(|release| ReleaseRange { first_bad: release.to_owned(), first_good: None });
    Facts { releases, ..Facts::new(name, "z3", class, crash, SCRIPT) }
}

fn listed(signature: &str, solvers: &[(&str, &str)]) -> Listed {
    let solvers = solvers.iter().map(|(name, version)| ListedSolver {
        id: format!("{name}@{version}"),
        name: (*name).to_owned(),
        version: (*version).to_owned(),
    });
    Listed {
        severity: case::Severity::Crash,
        reduced_bytes: None,
        merged_into: None,
        id: "finding".to_owned(),
        class: Class::WrongUnsat,
        title: String::new(),
        signature: signature.to_owned(),
        bug: true,
        solvers: solvers.collect(),
        count: 1,
        first_seen: 0,
        last_seen: 0,
        folder: String::new(),
    }
}

/// A solver's name and release.
type Release<'a> = (&'a str, &'a str);

#[test]
fn a_known_signature_repeats_until_the_release_that_fixes_it() {
    let table: [(Option<&str>, &[Release], bool); 8] = [
        (None, &[("z3", "4.8.7")], true),
        (None, &[], true),
        (Some("4.8.9"), &[("z3", "4.8.7")], true),
        (Some("4.8.9"), &[("z3", "4.8.9")], false),
        (Some("4.8.9"), &[("z3", "4.8.10")], false),
        (Some("4.8.9"), &[("cvc5", "1.0.0"), ("z3", "4.8.8")], true),
        // The fix is one of Z3, whatever the release of cvc5.
        (Some("4.8.9"), &[("cvc5", "1.0.0")], false),
        (Some("4.8.9"), &[("z3", "")], false),
    ];
    for (fixed_in, solvers, expected) in table {
        let mut known = KnownBugs::default();
        known.add(bug("a", fixed_in, facts("", None, None)));
        assert_eq!(known.repeated(&listed("a", solvers)).is_some(), expected, "{fixed_in:?} {solvers:?}");
        assert!(known.repeated(&listed("b", solvers)).is_none());
    }
}

#[test]
fn likely_repetitions_have_the_same_facts() {
    let crash = |text: &str| Some(Crash::message(text));
    let table = [
        (facts("", crash("a.cpp 12"), None), facts("finding", crash("a.cpp 14"), None), true),
        (facts("", crash("a.cpp"), None), facts("finding", crash("b.cpp"), None), false),
        (facts("", None, Some("4.8.1")), facts("finding", None, Some("4.8.1")), true),
        (facts("", None, Some("4.8.1")), facts("finding", None, Some("4.8.2")), false),
        (facts("", None, Some("4.8.1")), facts("finding", None, None), false),
        // The facts of another finding.
        (facts("", crash("a.cpp"), None), facts("other", crash("a.cpp"), None), false),
    ];
    for (known_facts, own, expected) in table {
        let mut known = KnownBugs::default();
        known.add(bug("a", None, known_facts.clone()));
        let found = known.likely_repeated(&listed("b", &[("z3", "4.8.7")]), std::slice::from_ref(&own));
        assert_eq!(found.is_some(), expected, "{known_facts:?} {own:?}");
    }
}

#[test]
fn a_signature_is_listed_once() {
    let mut known = KnownBugs::default();
    known.add(bug("a", None, facts("", None, None)));
    known.add(KnownBug { link: "new".to_owned(), ..bug("a", None, facts("", None, None)) });
    known.add(bug("b", None, facts("", None, None)));
    let links: Vec<&str> = known.entries.iter().map(|entry| entry.link.as_str()).collect();
    assert_eq!(links, ["new", "https://example.org/1"]);
}

#[test]
fn the_list_survives_its_file_and_old_formats_are_refused_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("known.json");
    assert!(KnownBugs::read(&path).unwrap().entries.is_empty());
    let mut known = KnownBugs::default();
    known.add(bug("a", Some("4.8.9"), facts("", Some(Crash::signal(11)), Some("4.8.1"))));
    known.write(&path).unwrap();
    let read = KnownBugs::read(&path).unwrap();
    assert_eq!(serde_json::json!(read), serde_json::json!(known));
    let table = [
        (r#"{"entries": [{"claim": "z3 says unsat"}]}"#, "it has format 1, this version reads format 2"),
        (r#"{"format": 3, "entries": []}"#, "it has format 3, this version reads format 2"),
        ("not JSON", "expected ident at line 1 column 2"),
    ];
    for (text, problem) in table {
        fs::write(&path, text).unwrap();
        let error = KnownBugs::read(&path).unwrap_err();
        let expected =
            format!("{} is not a list of known bugs that this version reads: {problem}", path.display());
        assert_eq!(error.to_string(), expected);
        assert!(error.hint().is_some());
    }
}

#[test]
fn a_check_records_the_release_that_fixes_a_bug() {
    let programs =
        Programs::new(&[("z3@1.0", UNSAT), ("z3@2.0", SAT), ("z3@3.0", UNKNOWN), ("cvc5@1.0", SAT)]);
    let mut known = KnownBugs::default();
    known.add(bug("a", None, facts("", None, None)));
    let table = [
        ("z3@1.0", Some(State::Bad), None),
        // Another solver has no bugs on the list.
        ("cvc5@1.0", None, None),
        ("z3@2.0", Some(State::Good), Some("2.0")),
        // A release that gives up changes nothing.
        ("z3@3.0", Some(State::Unclear), Some("2.0")),
        ("z3@1.0", Some(State::Bad), None),
    ];
    for (spec, state, fixed_in) in table {
        let mut seen = None;
        known.check(programs.target(spec), limits(), &mut |_, probe| seen = Some(probe.state)).unwrap();
        assert_eq!((seen, known.entries[0].fixed_in.as_deref()), (state, fixed_in), "{spec}");
    }
}

#[test]
fn an_entry_keeps_only_the_claims_about_wrong_solvers() {
    let programs = Programs::new(&[("z3@1.0", UNSAT), ("cvc5@1.0", SAT)]);
    let predicate = Predicate::parse("cvc5@1.0 says sat, z3@1.0 says unsat").unwrap();
    let subject = Subject::of_script(SCRIPT.to_owned(), predicate, "bug.smt2");
    let bug = KnownBug::new(subject, "link".to_owned(), limits(), programs.folder(), &programs).unwrap();
    assert_eq!(bug.predicate.to_string(), "z3@1.0 says unsat");
    assert_eq!(bug.signature, "wrong-unsat z3 [Ints] * > ..");
    assert_eq!((bug.facts.class, bug.fixed_in), (Class::WrongUnsat, None));
}

#[test]
fn an_entry_of_a_finding_has_its_signature() {
    let programs = Programs::new(&[("z3@1.0", &format!("echo 'Failed to verify: a'; {SEGFAULT}"))]);
    let out = programs.folder().join("out");
    let id = stored(&out, &[crash_finding("a")]).remove(0);
    let subject = Subject::of_finding(&out, &id, Version::Reduced, None).unwrap();
    let bug = KnownBug::new(subject, "link".to_owned(), limits(), &out, &programs).unwrap();
    assert_eq!(bug.signature, "crash z3 a");
    assert_eq!(bug.facts.name, id);
}

#[test]
fn an_entry_is_as_narrow_as_its_finding() {
    let known_script = "(declare-const x Int)(assert (= (mod x 0) 1))(check-sat)";
    let predicate = Predicate::parse("z3@1 gives a wrong model").unwrap();
    let of = |script: &str| Facts::new("finding", "z3", Class::InvalidModel, None, script);
    let mut known = KnownBugs::default();
    let facts = of(known_script);
    known.add(KnownBug { predicate: predicate.clone(), ..bug(&facts.signature(), None, facts) });
    // Findings that have one signature before triage, and whether they are known after it.
    let table = [(known_script, true), ("(declare-const x Int)(assert (= (div x 0) 1))(check-sat)", false)];
    for (script, expected) in table {
        let folder = tempfile::tempdir().unwrap();
        let listed = listed("invalid-model z3 [Ints]", &[("z3", "1")]);
        assert!(known.repeated_in(folder.path(), &listed).is_none());
        let triaged = TriagedFinding {
            class: Class::InvalidModel,
            title: String::new(),
            identity: Identity::new(Class::InvalidModel, &predicate.clauses[0], &of(script), script),
            predicate: predicate.clone(),
            script: script.to_owned(),
            model: None,
            needs_options: false,
            finished: true,
        };
        triaged.save(folder.path()).unwrap();
        assert_eq!(known.repeated_in(folder.path(), &listed).is_some(), expected, "{script}");
    }
}
