//! Triage without being asked: findings get plain and small, and those of one bug become one.

use crate::support::{Programs, SAT, SCRIPT, SEGFAULT, UNSAT, WRONG_MODEL, crash_finding, limits, stored};
use case::{Class, Finding, Predicate};
use store::Store;
use triage::automatic::{
    Identity, REPORT, Relation, TriagedFinding, record_triaged, releases_of, triage_finding, write_report,
};
use triage::report::ReportSettings;
use triage::{Subject, Version};

fn triaged(programs: &Programs, script: &str, predicate: &str) -> TriagedFinding {
    let subject = Subject::of_script(script.to_owned(), Predicate::parse(predicate).unwrap(), "test");
    triage_finding(&subject, limits(), programs, &|| false).unwrap()
}

#[test]
fn a_finding_is_shown_as_plainly_as_possible() {
    let crash = format!("echo 'Failed to verify: a.cpp'; {SEGFAULT}");
    let needs_b = format!("case \"$*\" in *bb=1*) {crash};; *) echo sat;; esac");
    let own_check = format!(
        "{WRONG_MODEL}; case \"$*\" in *model_validate*) echo '(error \"an invalid model was generated\")';; esac"
    );
    let only_check =
        "echo sat; case \"$*\" in *model_validate*) echo '(error \"an invalid model was generated\")';; esac";
    let programs = Programs::new(&[
        ("z3@1.0", &crash),
        ("z3@2.0", &needs_b),
        ("z3@3.0", &own_check),
        ("z3@4.0", only_check),
    ]);
    // What the finding claims, and what is left of the claim.
    let table = [
        ("z3@1.0 aa=1 bb=1 crashes", "z3@1.0 crashes", Class::Crash),
        ("z3@2.0 aa=1 bb=1 cc=1 crashes", "z3@2.0 bb=1 crashes", Class::Crash),
        // It answers `sat` even to an assertion that is false.
        ("z3@3.0 finds its model wrong", "z3@3.0 gives a wrong model", Class::WrongSat),
        ("z3@4.0 finds its model wrong", "z3@4.0 finds its model wrong", Class::InvalidModel),
    ];
    for (claimed, plain, class) in table {
        let found = triaged(&programs, SCRIPT, claimed);
        assert_eq!((found.predicate.to_string().as_str(), found.class), (plain, class), "{claimed}");
    }
}

#[test]
fn equal_failures_on_equal_operators_are_one_bug() {
    let uses_mod = "grep -q '(assert.*(mod x ' \"$file\" && grep -q check-sat \"$file\"";
    let programs = Programs::new(&[
        ("z3@1.0", &format!("if {uses_mod}; then {WRONG_MODEL}; else echo unknown; fi")),
        ("z3@2.0", &format!("if {uses_mod}; then {UNSAT}; else echo unknown; fi")),
        ("cvc5@1.0", "echo sat; if grep -q get-model \"$file\"; then echo '((define-fun x () Int 3))'; fi"),
    ]);
    let with =
        |assertion: &str| format!("(declare-const x Int)(assert {assertion})(assert (> x 2))(check-sat)");
    let unused = "(declare-const s String)".to_owned() + &with("(= (mod x 5) 3)");
    let wrong_model = triaged(&programs, &unused, "z3@1.0 gives a wrong model");
    let wrong_unsat = triaged(&programs, &with("(= (mod x 7) 3)"), "z3@2.0 says unsat, cvc5@1.0 says sat");
    assert_eq!((wrong_model.class, wrong_unsat.class), (Class::InvalidModel, Class::WrongUnsat));
    assert!(!wrong_model.script.contains("String"), "{}", wrong_model.script);
    assert_eq!(wrong_model.identity.relation(&wrong_unsat.identity, true), Relation::Same);
    for found in [&wrong_model, &wrong_unsat] {
        assert!(found.identity.operators.contains("mod"), "{found:?}");
        assert!(found.title.contains("with mod"), "{}", found.title);
    }
}

#[test]
fn an_operator_that_is_computed_wrongly_is_isolated() {
    let uses_mod = "grep -q '(assert.*(mod ' \"$file\"";
    let programs = Programs::new(&[
        ("z3@1.0", &format!("if {uses_mod}; then {UNSAT}; else {SAT}; fi")),
        ("z3@2.0", &format!("if {uses_mod}; then {WRONG_MODEL}; else echo unknown; fi")),
        (
            "z3@3.0",
            &format!("{SAT}; if {uses_mod}; then echo '(error \"an invalid model was generated\")'; fi"),
        ),
        ("cvc5@1.0", "echo sat; if grep -q get-model \"$file\"; then echo '((define-fun x () Int 13))'; fi"),
    ]);
    let script = "(declare-const x Int)(assert (or (< x 2) (and (> (* x x) 7) (= (mod x 5) 3))))(assert (> x 2))(check-sat)";
    let found = triaged(&programs, script, "z3@1.0 says unsat, cvc5@1.0 says sat");
    assert_eq!(found.predicate.to_string(), "z3@1.0 says unsat, cvc5@1.0 says sat");
    assert_eq!((found.class, found.identity.operators.len()), (Class::WrongUnsat, 1));
    assert!(found.script.len() < 45 && !found.script.contains('x'), "{}", found.script);
    // This one answers right about values, and then rejects its model.
    let found = triaged(&programs, script, "z3@3.0 finds its model wrong");
    assert_eq!(found.predicate.to_string(), "z3@3.0 finds its model wrong");
    assert!(found.script.len() < 45 && !found.script.contains('x'), "{}", found.script);
    // This one gives no wrong answer about values.
    let found = triaged(&programs, script, "z3@2.0 gives a wrong model");
    assert_eq!(found.predicate.to_string(), "z3@2.0 gives a wrong model");
}

#[test]
fn a_folder_keeps_the_results_and_merges_findings_of_one_bug() {
    let crash = format!("echo 'Failed to verify: a.cpp'; {SEGFAULT}");
    let programs = Programs::new(&[("z3@1.0", &crash), ("z3@1.1", "echo sat")]);
    let out = programs.folder().join("out");
    let ids = stored(&out, &[crash_finding("a"), crash_finding("a.c")]);
    let mut store = Store::open_existing(&out).unwrap();
    let mut merged = Vec::new();
    for id in &ids {
        let subject = Subject::of_finding(&out, id, Version::Case, None).unwrap();
        let found = triage_finding(&subject, limits(), &programs, &|| false).unwrap();
        assert!(found.finished);
        merged.push(record_triaged(&mut store, id, &found).unwrap().merged_into);
    }
    assert_eq!(merged, [None, Some(ids[0].clone())]);
    let listed = store.findings().unwrap();
    assert_eq!((listed.len(), listed[0].count), (1, 2));
    assert!(listed[0].reduced_bytes.unwrap() < SCRIPT.len() as u64);
    let settings = ReportSettings { out: &out, limits: limits(), bisect: true };
    let report = write_report(&settings, &ids[0], &programs, &mut |_| {}).unwrap();
    assert!(out.join(&listed[0].folder).join(REPORT).is_file());
    assert!(report.script.len() as u64 == listed[0].reduced_bytes.unwrap(), "{}", report.script);
    assert_eq!(releases_of(&out, &listed[0]).unwrap().range(), "1.0..1.0");
}

#[test]
fn a_crash_that_needs_a_question_for_the_model_is_reduced() {
    let crash = format!(
        "echo sat; if grep -q get-model \"$file\"; then echo 'Failed to verify: a.cpp'; {SEGFAULT}; fi"
    );
    let programs = Programs::new(&[("z3@1.0", &crash)]);
    let out = programs.folder().join("out");
    let ids = stored(&out, &[Finding { models: true, ..crash_finding("a.cpp") }]);
    let subject = Subject::of_finding(&out, &ids[0], Version::Case, None).unwrap();
    let found = triage_finding(&subject, limits(), &programs, &|| false).unwrap();
    assert!(found.script.ends_with("(get-model)\n") && found.script.len() < SCRIPT.len(), "{}", found.script);
}

#[test]
fn a_merged_finding_still_represents_its_bug() {
    let mut programs = Programs::new(&[]);
    let out = programs.folder().join("out");
    let ids = stored(&out, &["a", "b", "c"].map(crash_finding));
    let mut store = Store::open_existing(&out).unwrap();
    programs.add("z3@1.0", UNSAT);
    programs.add("cvc5@1.0", SAT);
    let wrong = triaged(&programs, SCRIPT, "z3@1.0 says unsat, cvc5@1.0 says sat");
    let with = |operators: &str, class: Class| {
        let operators = operators.split_whitespace().map(str::to_owned).collect();
        TriagedFinding { class, identity: Identity { operators, ..wrong.identity.clone() }, ..wrong.clone() }
    };
    // The second explains the others, and the first is the most severe.
    let table =
        [("mod div", Class::WrongUnsat), ("mod", Class::InvalidModel), ("mod abs", Class::InvalidModel)];
    for (id, (operators, class)) in ids.iter().zip(table) {
        record_triaged(&mut store, id, &with(operators, class)).unwrap();
    }
    let listed: Vec<String> = store.findings().unwrap().into_iter().map(|finding| finding.id).collect();
    assert_eq!(listed, [ids[0].clone()]);
}

#[test]
fn a_reduction_that_is_stopped_is_not_finished() {
    let programs = Programs::new(&[("z3@1.0", &format!("grep -q 7 \"$file\" && {SEGFAULT}; echo sat"))]);
    let script: String = (0..9).map(|number| format!("(assert (< {number} 0))\n")).collect();
    let subject = Subject::of_script(script.clone(), Predicate::parse("z3@1.0 crashes").unwrap(), "test");
    let found = triage_finding(&subject, limits(), &programs, &|| true).unwrap();
    assert!(!found.finished && found.script.contains('7'));
    let found = triage_finding(&subject, limits(), &programs, &|| false).unwrap();
    assert!(found.finished && found.script.len() < script.len());
}

#[test]
fn a_model_of_a_script_that_has_none_is_a_wrong_sat() {
    let model = "echo sat; if grep -q get-model \"$file\"; then echo '((define-fun x () Int 1))'; fi";
    let programs = Programs::new(&[("z3@1.0", model)]);
    // The assertion, and what is wrong about `sat` with `x = 1`.
    let table = [
        ("(str.< \"\" \"\")", Class::WrongSat),
        ("(and (= x 2) (< 2 1))", Class::WrongSat),
        ("(= x 2)", Class::InvalidModel),
    ];
    for (assertion, class) in table {
        let script = format!("(declare-const x Int)(assert {assertion})(check-sat)");
        let predicate = Predicate::parse("z3@1.0 gives a wrong model").unwrap();
        let subject = Subject::of_script(script, predicate, "test");
        let found = triage_finding(&subject, limits(), &programs, &|| true).unwrap();
        assert_eq!(found.class, class, "{assertion}");
    }
}
