//! Unsat cores in a campaign, against shell scripts that print right and wrong ones.

mod support;

use campaign::Settings;
use case::{Answer, AskedScript, Class, Evidence, Finding};
use solver::Target;
use std::path::Path;
use support::{findings_of, script_solver};

/// Three assertions, of which the first two contradict each other.
const SCRIPT: &str =
    "(declare-const x Int)(assert (> x 1))(assert (< x 1))(assert (distinct x 5))(check-sat)";

/// A solver that answers `unsat` to any script with both contradictory assertions, and prints a fixed core.
fn solver(folder: &Path, id: &str, core: &str) -> Target {
    let no_model = match id {
        "z3@1" => "model is not available",
        _ => "Cannot get model unless after a SAT or UNKNOWN response.",
    };
    let body = format!(
        "if grep -q '> x 1' \"$file\" && grep -q '< x 1' \"$file\"; then\n\
           echo unsat; if grep -q get-model \"$file\"; then echo '(error \"{no_model}\")'; fi\n\
           if grep -q get-unsat-core \"$file\"; then echo '{core}'; fi\n\
         else echo sat; echo '((define-fun x () Int 2))'; fi"
    );
    script_solver(folder, id, &body)
}

/// The findings of a campaign on the script, and how many cores it checked.
fn findings(folder: &Path, targets: Vec<Target>, cores: u64) -> (Vec<(Finding, String)>, u64) {
    findings_about(SCRIPT, folder, targets, cores)
}

fn findings_about(
    script: &str,
    folder: &Path,
    targets: Vec<Target>,
    cores: u64,
) -> (Vec<(Finding, String)>, u64) {
    let settings = Settings {
        warm: false,
        own_checks: false,
        fixed_timeout: true,
        seed: 7,
        cores,
        ..Settings::default()
    };
    let (found, statistics) = findings_of(folder, script, targets, settings);
    (found, statistics.cores)
}

#[test]
fn a_core_with_a_model_is_reported() {
    let table = [
        // A right core, a right one that is larger than necessary, and no core.
        ("(core-1 core-2)", None),
        ("(core-1 core-2 core-3)", None),
        ("(error \"no core\")", None),
        // A core with unknown names cannot be refuted.
        ("(core-1 core-9)", None),
        ("(core-1 core-3)", Some("(core-1 core-3)")),
        ("( core-1 )", Some("( core-1 )")),
    ];
    for (core, wrong) in table {
        let folder = tempfile::tempdir().unwrap();
        let right = solver(folder.path(), "cvc5@1", "(core-1 core-2)");
        let targets = vec![right, solver(folder.path(), "z3@1", core)];
        let (found, checked) = findings(folder.path(), targets, 1);
        let reported: Vec<(Class, Evidence)> =
            found.iter().map(|(finding, _)| (finding.class, finding.evidence[0].clone())).collect();
        let evidence = wrong.map(|core| Evidence::CoreSatisfied {
            solver: "z3@1".to_owned(),
            core: core.to_owned(),
            by: "cvc5@1".to_owned(),
        });
        let expected: Vec<(Class, Evidence)> =
            evidence.into_iter().map(|evidence| (Class::InvalidCore, evidence)).collect();
        assert_eq!(reported, expected, "{core}");
        assert!(checked >= 1, "{core}");
        for (finding, case) in &found {
            assert!(case.contains("(assert (! (> x 1) :named core-1))"), "{case}");
            assert!(case.ends_with("(check-sat)\n(get-unsat-core)\n"), "{case}");
            let results: Vec<(&[Answer], AskedScript, bool)> =
                finding.runs.iter().map(|run| (&run.result.answers[..], run.asked, run.suspect)).collect();
            let asked = [AskedScript::Case, AskedScript::CoreAlone];
            assert_eq!(
                results,
                [(&[Answer::Unsat][..], asked[0], true), (&[Answer::Sat][..], asked[1], false)]
            );
        }
    }
}

#[test]
fn a_single_solver_checks_its_own_core() {
    let folder = tempfile::tempdir().unwrap();
    let (found, _) = findings(folder.path(), vec![solver(folder.path(), "z3@1", "()")], 1);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0.signature.key(), "invalid-core z3 [Ints]");
}

#[test]
fn cores_are_checked_with_the_options_for_them() {
    let folder = tempfile::tempdir().unwrap();
    // Only options make it print a wrong core.
    let right = solver(folder.path(), "z3@1", "(core-1 core-2)");
    let z3 = folder.path().join("z3@1");
    let body = std::fs::read_to_string(&z3).unwrap();
    let liar = "if grep -q '\\.core\\.' \"$file\"; then echo '(core-1)'; else echo '(core-1 core-2)'; fi";
    std::fs::write(&z3, body.replace("echo '(core-1 core-2)'", liar)).unwrap();
    let (found, checked) = findings(folder.path(), vec![right], 1);
    let [(finding, case)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((finding.class, checked), (Class::InvalidCore, 2));
    assert!(case.starts_with("(set-option :") && case.contains(".core."), "{case}");
    let predicate = finding.predicate.as_ref().unwrap().to_string();
    assert!(predicate.starts_with("z3@1 "), "{predicate}");
}

#[test]
fn other_commands_for_cores_are_checked_too() {
    for command in ["get-unsat-assumptions", "get-timeout-core"] {
        let mut found = Vec::new();
        for number in 1..=20 {
            let folder = tempfile::tempdir().unwrap();
            let script = SCRIPT.replace('5', &format!("{}", 10 + number));
            let right = solver(folder.path(), "cvc5@1", "(core-1 core-2)");
            let program = folder.path().join("cvc5@1");
            let body = std::fs::read_to_string(&program).unwrap();
            // Only this command makes it print a wrong core.
            let model = "((define-fun x () Int 2) (define-fun core-1 () Bool true) (define-fun core-2 () Bool false) \
                         (define-fun core-3 () Bool false))";
            let liar = format!(
                "if grep -q {command} \"$file\"; then echo unsat; echo '(core-1)'; exit; fi\n\
                 if grep -q get-unsat-assumptions \"$file\"; then echo unsat; echo '(core-1 core-2)'; exit; fi\n\
                 if grep -q get-timeout-core \"$file\"; then echo unsat; echo '(core-1 core-2)'; exit; fi\n\
                 if grep -q '=> core-1' \"$file\"; then echo sat; echo '{model}'; exit; fi\nif grep"
            );
            std::fs::write(&program, body.replacen("if grep", &liar, 1)).unwrap();
            found.extend(findings_about(&script, folder.path(), vec![right], 1).0);
        }
        assert!(!found.is_empty(), "{command}");
        for (finding, case) in found {
            assert_eq!(finding.class, Class::InvalidCore, "{case}");
            assert!(case.ends_with(&format!("({command})\n")), "{case}");
        }
    }
}

#[test]
fn core_checks_can_be_switched_off() {
    let folder = tempfile::tempdir().unwrap();
    let (found, checked) = findings(folder.path(), vec![solver(folder.path(), "z3@1", "()")], 0);
    assert_eq!((found.len(), checked), (0, 0));
}
