//! Every oracle asks real solvers, and finds nothing wrong in what they say about simple formulas.

use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// A formula of linear arithmetic: every second one is unsatisfiable.
fn formula(number: u32) -> String {
    let more = match number % 2 {
        0 => format!("(or (> x {number}) (= y (* 2 x)))"),
        _ => "(> x y)".to_owned(),
    };
    format!(
        "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n(assert (< (+ x {number}) y))\n\
         (assert {more})\n(check-sat)\n"
    )
}

#[test]
fn every_oracle_asks_and_nothing_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let elenchus = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
        command.current_dir(folder.path()).args(arguments).output().unwrap()
    };
    let installed = elenchus(&["solver", "install", "z3@5.4.0", "cvc5@1.4.2"]);
    if !installed.status.success() {
        return testing::skip(String::from_utf8_lossy(&installed.stderr));
    }
    let seeds = folder.path().join("seeds");
    std::fs::create_dir(&seeds).unwrap();
    for number in 1..=150 {
        std::fs::write(seeds.join(format!("{number}.smt2")), formula(number)).unwrap();
    }
    let output = elenchus(&[
        "fuzz",
        "seeds",
        "--strategy",
        "seeds",
        "--solver",
        "cvc5@1.4.2",
        "--solver",
        "z3@5.4.0",
        "--cases",
        "150",
        "--jobs",
        "1",
        "--seed",
        "1",
        "--no-performance",
        // With shorter limits, a busy machine may answer no question about abducts.
        "--timeout",
        "10s",
        "--fixed-timeout",
        "--json",
    ]);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    let summary: Value = serde_json::from_str(printed.lines().last().unwrap()).unwrap();
    let statistics = &summary["statistics"];
    for kind in case::Statement::ALL {
        assert!(statistics["statements"][kind.name()].as_u64() > Some(0), "{kind}: {statistics}");
    }
    for counted in ["cores", "forms", "tactics"] {
        assert!(statistics[counted].as_u64() > Some(0), "{counted}: {statistics}");
    }
}

/// A Z3 that answers `sat` with x = 0, and rewrites sums wrongly for a value that nobody would try.
const LIAR: &str = r#"#!/bin/sh
for file; do :; done
if grep -q check-sat "$file"; then echo sat; fi
if grep -q get-model "$file"; then echo '((define-fun x () Int 0))'; fi
sed -n -e 's/^(simplify \((=.*)\))$/\1/p' -e 's/^(simplify \((+.*)\))$/(ite (= (* 7 x) 544439) 0 \1)/p' "$file"
"#;

#[test]
fn what_only_another_solver_refutes_is_found_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let elenchus = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
        command.current_dir(folder.path()).args(arguments).output().unwrap()
    };
    let installed = elenchus(&["solver", "install", "cvc5@1.4.2"]);
    if !installed.status.success() {
        return testing::skip(String::from_utf8_lossy(&installed.stderr));
    }
    let place = folder.path();
    std::fs::write(place.join("liar"), LIAR).unwrap();
    std::fs::set_permissions(place.join("liar"), PermissionsExt::from_mode(0o755)).unwrap();
    let config = "[solver.liar]\npath = \"./liar\"\nprofile = \"z3\"\nversion = \"5.4.0\"\n";
    std::fs::write(place.join("elenchus.toml"), config).unwrap();
    std::fs::create_dir(place.join("seeds")).unwrap();
    for value in 1..=32 {
        let script = format!("(declare-const x Int)\n(assert (= {value} (+ x {value})))\n(check-sat)\n");
        std::fs::write(place.join(format!("seeds/{value}.smt2")), script).unwrap();
    }
    let output = elenchus(&[
        "fuzz",
        "seeds",
        "--strategy",
        "seeds",
        "--solver",
        "liar",
        "--solver",
        "cvc5@1.4.2",
        "--oracle",
        "simplify",
        "--cases",
        "32",
        "--jobs",
        "1",
        "--seed",
        "1",
        "--cold",
        "--no-own-checks",
        "--no-performance",
        "--no-triage",
        "--json",
    ]);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    let summary: Value = serde_json::from_str(printed.lines().last().unwrap()).unwrap();
    let finding = &summary["findings"][0];
    assert_eq!(finding["class"], "wrong-rewrite", "{finding}");
    let replayed = elenchus(&["replay", finding["id"].as_str().unwrap()]);
    let printed = String::from_utf8_lossy(&replayed.stdout);
    assert_eq!(replayed.status.code(), Some(1), "{printed}");
    assert!(printed.contains("wrong-rewrite: ") && printed.contains("544439"), "{printed}");
}
