//! What solvers state in a campaign, against shell scripts that state what is right and what is wrong.

mod support;

use campaign::Settings;
use case::{AskedScript, Class, Finding, Statement};
use solver::Target;
use std::path::Path;
use support::{findings_of, script_solver};

/// One of the scripts about which solvers are asked.
const SCRIPT: &str = "(declare-const x Int)(assert (= 2 (+ x 2)))(check-sat)(exit)\n";

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
        (Apply, "apply", r"(apply .*)/(goals (goal (= 0 x) :precision precise :depth 1))", 12, None),
        (
            Apply,
            "apply",
            r"(apply .*)/(goals (goal (<= x 0) :precision precise :depth 1))",
            12,
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

/// A solver that answers `sat` with the model `x = 0`. The values of the objectives of a level are those if every number is `value` and
/// every formula true; `more` is added to the first.
const OBJECTIVES: &str = r#"if grep -q get-objectives "$file"; then
awk -v value=VALUE -v more=MORE '
/^\(push/ { count = 0; split("", best); split("", at) }
/^\(check-sat/ { print "sat" }
/^\(get-model/ { print "((define-fun x () Int 0))" }
/^\((minimize|maximize)/ { best[++count] = value }
/^\(assert-soft/ {
    match($0, /:weight [0-9.]+/); weight = substr($0, RSTART + 8, RLENGTH - 8)
    if (!($NF in at)) { at[$NF] = ++count; best[count] = 0 }
    best[at[$NF]] += ($2 == "(not") ? weight : 0
}
/^\(get-objectives/ {
    best[1] += more
    printf "(objectives"; for (i = 1; i <= count; i++) printf "\n (name %s)", best[i]; print "\n)"
}' "$file"
else
    echo sat
    grep get-model "$file" | sed 's/.*/((define-fun x () Int 0))/'
fi"#;

#[test]
fn wrong_optima_are_reported() {
    let mut asked = String::new();
    for value in 1..=8 {
        let script = format!("(declare-const x Int)(assert (= {value} (+ x {value})))(check-sat)");
        for more in [0, 1] {
            let folder = tempfile::tempdir().unwrap();
            let awk = OBJECTIVES.replace("VALUE", &value.to_string()).replace("MORE", &more.to_string());
            let target = script_solver(folder.path(), "z3@1", &awk);
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
        for value in 1..=24 {
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

/// A solver with the commands of cvc5: this answer to every check, the model `x = 6` after `sat`, and this sed script for everything
/// else.
fn cvc5_stating(folder: &Path, answer: &str, sed: &str) -> Target {
    let model = match answer {
        "sat" => "((define-fun x () Int 6))",
        _ => "(error \"Cannot get model unless after a SAT or UNKNOWN response.\")",
    };
    let body = format!("sed -n -e 's/^(check-sat)/{answer}/p' -e 's/^(get-model)/{model}/p' {sed} \"$file\"");
    script_solver(folder, "cvc5@1", &body)
}

#[test]
fn wrong_consequences_are_reported() {
    use Statement::{Abduct, Blocking, Elimination, Interpolant, Learned};
    let sat = |oracle: Statement, value: u32| {
        let operator = if value.is_multiple_of(2) { ">" } else { ">=" };
        let formula = format!("({operator} x {})", value / 2);
        // An abduct needs a goal, and terms to be made of.
        let formula = if oracle == Abduct { format!("(or {formula} (> x 50))") } else { formula };
        format!("(declare-const x Int)\n(assert {formula})\n(check-sat)\n")
    };
    let unsat = |value: u32| {
        format!("(declare-const x Int)\n(assert (> x {}))\n(assert (< x {value}))\n(check-sat)\n", value + 5)
    };
    let formula =
        |command: &str, formula: &str| format!("-e 's/^({command}.*/(define-fun f () Bool {formula})/p'");
    // Only the further formulas are wrong.
    let then = |command: &str, first: &str, further: &str| {
        let first = formula(&format!("{command} "), first);
        format!("{first} {}", formula(&format!("{command}-next"), further))
    };
    let block = "-e 's/^(get-value (\\(.*\\)))/((\\1))/p'";
    // The oracle, the answer, what is right, what is wrong, and the bug.
    let table = [
        (
            Interpolant,
            "unsat",
            formula("get-interpolant", "(> x VALUE)"),
            formula("get-interpolant", "(> x 99)"),
            Class::WrongConsequence,
        ),
        (
            Interpolant,
            "unsat",
            formula("get-interpolant", "(> x VALUE)"),
            then("get-interpolant", "(> x VALUE)", "(> x 99)"),
            Class::WrongConsequence,
        ),
        (
            Abduct,
            "sat",
            formula("get-abduct", "false"),
            formula("get-abduct", "true"),
            Class::WrongConsequence,
        ),
        (
            Abduct,
            "sat",
            formula("get-abduct", "false"),
            then("get-abduct", "false", "true"),
            Class::WrongConsequence,
        ),
        (
            Elimination,
            "sat",
            "-e 's/^(get-qe \\(.*\\))/\\1/p'".to_owned(),
            "-e 's/^(get-qe .*/false/p'".to_owned(),
            Class::WrongRewrite,
        ),
        (
            Learned,
            "sat",
            "-e 's/^(get-learned.*/((>= x 0))/p'".to_owned(),
            "-e 's/^(get-learned.*/((>= x 60))/p'".to_owned(),
            Class::WrongConsequence,
        ),
        (
            Blocking,
            "sat",
            block.replace("\\1", "\\1 false"),
            block.replace("\\1", "\\1 true"),
            Class::RepeatedModel,
        ),
    ];
    for (oracle, answer, right, wrong, class) in table {
        let mut found = Vec::new();
        for value in 0..12 {
            let script = if answer == "sat" { sat(oracle, value) } else { unsat(value) };
            let folder = tempfile::tempdir().unwrap();
            let honest = cvc5_stating(folder.path(), answer, &right.replace("VALUE", &value.to_string()));
            let (alarms, _) = findings_about(&script, folder.path(), honest, vec![oracle]);
            assert_eq!(alarms, [], "{oracle}");
            let folder = tempfile::tempdir().unwrap();
            let liar = cvc5_stating(folder.path(), answer, &wrong.replace("VALUE", &value.to_string()));
            found.extend(findings_about(&script, folder.path(), liar, vec![oracle]).0);
        }
        assert!(!found.is_empty(), "{oracle}");
        for (finding, case) in found {
            assert_eq!(finding.class, class, "{oracle} {case}");
            let predicate = finding.predicate.unwrap().to_string();
            // A solver that is alone is asked itself for an assignment that refutes it.
            let predicate = predicate.trim_end_matches(", cvc5@1 refutes it");
            assert_eq!(predicate, format!("cvc5@1 {}", oracle.done_wrongly()));
        }
    }
}

#[test]
fn another_solver_refutes_what_no_assignment_does() {
    let mut found = Vec::new();
    for value in 1..=12 {
        let script = format!("(declare-const x Int)(assert (= {value} (+ x {value})))(check-sat)");
        let folder = tempfile::tempdir().unwrap();
        let liar = solver(
            folder.path(),
            r"sed -n -e 's/^(simplify \((=.*)\))$/\1/p' -e 's/^(simplify \((+.*)\))$/(ite (= (* 7 x) 544439) 0 \1)/p'",
        );
        let other = "echo sat; if grep -q 544439 \"$file\"; then x=77777; else x=0; fi\n\
                     if grep -q get-model \"$file\"; then echo \"((define-fun x () Int $x))\"; fi";
        let other = script_solver(folder.path(), "cvc5@1", other);
        let settings = Settings {
            warm: false,
            own_checks: false,
            fixed_timeout: true,
            seed: 7,
            oracles: vec![Statement::Simplify],
            ..Settings::default()
        };
        found.extend(findings_of(folder.path(), &script, vec![liar, other], settings).0);
    }
    // One script in four goes to another solver.
    assert!(!found.is_empty());
    for (finding, case) in found {
        assert_eq!(finding.class, Class::WrongRewrite, "{case}");
        assert_eq!(case.matches("(simplify").count(), 1, "{case}");
        let predicate = finding.predicate.unwrap().to_string();
        assert_eq!(predicate, "z3@1 simplifies wrongly, cvc5@1 refutes it");
        let asked: Vec<AskedScript> = finding.runs.iter().map(|run| run.asked).collect();
        assert_eq!(asked, [AskedScript::Case, AskedScript::Doubt]);
    }
}
