//! What solvers state in a campaign, against shell scripts that state what is right and what is wrong.

mod support;

use campaign::Settings;
use case::{Class, Finding, Statement};
use solver::Target;
use std::path::Path;
use support::{findings_of, script_solver};

const SCRIPT: &str = "(declare-const x Int)(assert (= 2 (+ x 2)))(check-sat)";

/// A solver that answers `sat` with the model `x = 0`, and then prints what this command makes of the script.
fn solver(folder: &Path, statements: &str) -> Target {
    let body = format!(
        "if grep -q check-sat \"$file\"; then echo sat; fi\n\
         grep get-model \"$file\" | sed 's/.*/((define-fun x () Int 0))/'\n{statements} \"$file\""
    );
    script_solver(folder, "z3@1", &body)
}

/// The findings of a campaign on the script, with their cases, and how many statements were checked.
fn findings(folder: &Path, target: Target, oracles: Vec<Statement>) -> (Vec<(Finding, String)>, u64) {
    findings_about(SCRIPT, folder, target, oracles)
}

fn findings_about(
    script: &str,
    folder: &Path,
    target: Target,
    oracles: Vec<Statement>,
) -> (Vec<(Finding, String)>, u64) {
    let settings = Settings {
        warm: false,
        own_checks: false,
        fixed_timeout: true,
        seed: 7,
        oracles,
        ..Settings::default()
    };
    let (found, statistics) = findings_of(folder, script, vec![target], settings);
    (found, statistics.statements.values().sum())
}

#[test]
fn wrong_statements_are_reported() {
    use Statement::{Apply, Printing, Simplify};
    // Each row: the oracle, its command, what becomes of a line with the command, the statements, and the bug.
    let table = [
        (Simplify, "simplify", r"(simplify \(.*\))/\1", 2, None),
        (Simplify, "simplify", r"(simplify (+ x 2))/(+ 2 x)", 1, None),
        (Simplify, "simplify", r"(simplify .*)/(+ 3 x)", 2, Some(Class::WrongRewrite)),
        (Simplify, "simplify", r"(simplify .*)/nonsense", 2, None),
        (Apply, "apply", r"(apply .*)/(goals (goal (= 0 x) :precision precise :depth 1))", 1, None),
        (
            Apply,
            "apply",
            r"(apply .*)/(goals (goal (<= x 0) :precision precise :depth 1))",
            1,
            Some(Class::WrongRewrite),
        ),
        (Printing, "display", r"(display \(.*\))/\1", 2, None),
        (Printing, "display", r"(display .*)/(+ 3 x)", 2, Some(Class::WrongPrinting)),
    ];
    for (oracle, command, response, stated, expected) in table {
        let folder = tempfile::tempdir().unwrap();
        let target = solver(folder.path(), &format!("sed -n 's/^{response}/p'"));
        let (found, count) = findings(folder.path(), target, vec![oracle]);
        let classes: Vec<Class> = found.iter().map(|(finding, _)| finding.class).collect();
        assert_eq!(classes, Vec::from_iter(expected), "{response}: {found:?}");
        assert_eq!(count, stated, "{response}");
        for (finding, case) in &found {
            assert!(case.contains(&format!("({command}")), "{case}");
            let predicate = finding.predicate.as_ref().unwrap().to_string();
            assert_eq!(predicate, format!("z3@1 {}", oracle.done_wrongly()));
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let target = solver(folder.path(), "sed -n 's/^(simplify .*)/(+ 3 x)/p'");
    assert_eq!(findings(folder.path(), target, Vec::new()), (Vec::new(), 0));
}

/// Prints the values of the objectives of a script in which every number is `value` and every formula true, and adds `more` to the first.
const OBJECTIVES: &str = r#"awk -v value=VALUE -v more=MORE '
/^\((minimize|maximize)/ { best[++count] = value }
/^\(assert-soft/ {
    match($0, /:weight [0-9.]+/); weight = substr($0, RSTART + 8, RLENGTH - 8)
    if (!($NF in at)) { at[$NF] = ++count; best[count] = 0 }
    best[at[$NF]] += ($2 == "(not") ? weight : 0
}
/^\(get-objectives/ {
    best[1] += more
    printf "(objectives"; for (i = 1; i <= count; i++) printf "\n (name %s)", best[i]; print "\n)"
}'"#;

#[test]
fn wrong_optima_are_reported() {
    let mut asked = String::new();
    for value in 1..=8 {
        let script = format!("(declare-const x Int)(assert (= {value} (+ x {value})))(check-sat)");
        for more in [0, 1] {
            let folder = tempfile::tempdir().unwrap();
            let awk = OBJECTIVES.replace("VALUE", &value.to_string()).replace("MORE", &more.to_string());
            let target = solver(folder.path(), &awk);
            let (found, count) = findings_about(&script, folder.path(), target, vec![Statement::Optimum]);
            let classes: Vec<Class> = found.iter().map(|(finding, _)| finding.class).collect();
            let expected = (more == 1 && count > 0).then_some(Class::WrongOptimum);
            assert_eq!(classes, Vec::from_iter(expected), "{value}: {found:?}");
            for (finding, case) in found {
                asked.push_str(&case);
                let predicate = finding.predicate.unwrap().to_string();
                assert_eq!(predicate, format!("z3@1 {}", Statement::Optimum.done_wrongly()));
            }
        }
    }
    // Not every case is asked about.
    assert!(asked.contains("imize") && asked.contains("assert-soft"), "{asked}");
}

#[test]
fn wrong_values_are_reported() {
    // The commands, a right response to each, and a wrong one.
    let table = [
        ("get-value", r"(get-value (\(.*\)))/((\1 \1))", r"(get-value (\((+.*\)))/((\1 (- 1)))"),
        ("eval", r"(eval \(.*\))/\1", r"(eval (+.*)/(- 1)"),
        ("get-assignment", "(get-assignment)/((value-0 true))", "(get-assignment)/((value-0 false) (x y))"),
    ];
    for liar in [None, Some(0), Some(1), Some(2)] {
        let mut found = Vec::new();
        for value in 1..=12 {
            let script = format!("(declare-const x Int)(assert (= {value} (+ x {value})))(check-sat)");
            let lines =
                table.iter().enumerate().map(|(index, (_, right, wrong))| match liar == Some(index) {
                    true => format!("-e 's/^{wrong}/;t' -e 's/^{right}/;t'"),
                    false => format!("-e 's/^{right}/;t'"),
                });
            let sed = format!("sed {} -e d", lines.collect::<Vec<_>>().join(" "));
            let folder = tempfile::tempdir().unwrap();
            let target = solver(folder.path(), &sed);
            found.extend(findings_about(&script, folder.path(), target, vec![Statement::Values]).0);
        }
        assert_eq!(found.is_empty(), liar.is_none(), "{liar:?}: {found:?}");
        for (finding, case) in found {
            assert_eq!(finding.class, Class::WrongValue, "{finding:?}");
            assert!(liar.is_some_and(|liar| case.contains(table[liar].0)), "{case}");
            let predicate = finding.predicate.unwrap().to_string();
            assert_eq!(predicate, format!("z3@1 {}", Statement::Values.done_wrongly()));
        }
    }
}

#[test]
fn crashes_are_reported_too() {
    let folder = tempfile::tempdir().unwrap();
    let target = solver(folder.path(), "grep -q simplify \"$file\" && kill -SEGV $$; true");
    let (found, _) = findings(folder.path(), target, vec![Statement::Simplify]);
    let [(finding, case)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(finding.class, Class::Crash);
    assert!(case.contains("(simplify (+ x 2))"), "{case}");
}
