//! Signature files are part of a campaign and of its findings.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// A folder with two fake solvers that disagree on scripts whose size is a multiple of three, a seed that needs an operator of
/// `mine.smt2`, and another signature file.
fn workspace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let solver = |name: &str, body: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\nfor file; do :; done\n{body}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    solver("yes", "echo sat");
    solver("no", "n=$(wc -c < \"$file\"); if [ $((n % 3)) = 0 ]; then echo unsat; else echo sat; fi");
    let files = [
        (
            "elenchus.toml",
            "[solver.yes]\npath = \"./yes\"\nprofile = \"cvc5\"\nversion = \"1.4.0\"\n\
             [solver.no]\npath = \"./no\"\nprofile = \"z3\"\nversion = \"5.0.0\"\n",
        ),
        ("mine.smt2", "(theory Ints :funs ((my.next Int Int :unevaluated \"only for this test\")))\n"),
        ("other.smt2", "(theory Ints :funs ((my.other Int Int :unevaluated \"only for this test\")))\n"),
        (
            "seed.smt2",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (> (my.next (+ x 1)) (my.next y)))\n\
             (assert (= (+ x y) (my.next x)))\n(check-sat)\n",
        ),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
    command.current_dir(folder).args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn campaigns_and_findings_keep_their_signature_files() {
    let folder = workspace();
    let run = |arguments: &[&str]| run(folder.path(), arguments);
    let fuzz = "fuzz seed.smt2 --solver yes --solver no --cold --no-own-checks --jobs 1 --seed 1 --cases 40 --strategy typefuzz";
    let fuzz: Vec<&str> = fuzz.split(' ').collect();
    let without = run(&[&fuzz[..], &["--out", "without"]].concat());
    assert!(text(&without).contains("my.next"), "the seed needs the operator: {}", text(&without));

    let started = run(&[&fuzz[..], &["--signatures", "mine.smt2"]].concat());
    assert_eq!(started.status.code(), Some(1), "{}", text(&started));

    // The campaign has its own copy.
    fs::remove_file(folder.path().join("mine.smt2")).unwrap();
    let resumed = run(&["fuzz", "--resume", "--cases", "60"]);
    assert_eq!(resumed.status.code(), Some(1), "{}", text(&resumed));
    assert!(!text(&resumed).contains("could not use"), "{}", text(&resumed));
    let refused = run(&["fuzz", "--resume", "--cases", "80", "--signatures", "other.smt2"]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
    assert!(text(&refused).contains("was made with mine.smt2"), "{}", text(&refused));

    let listed = run(&["findings", "--json"]);
    let findings: Vec<serde_json::Value> = serde_json::from_slice(&listed.stdout).unwrap();
    let id = findings[0]["id"].as_str().unwrap();
    let replayed = run(&["replay", id]);
    assert_eq!(replayed.status.code(), Some(1), "{}", text(&replayed));
    assert!(text(&replayed).contains("the same bytes"), "{}", text(&replayed));
    let refused = run(&["replay", id, "--signatures", "other.smt2"]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
}
