//! `--proofs`: the proofs of a real cvc5 go to a checker. The one of this test rejects every step of one rule.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const CHECKER: &str = "if grep -q ':rule cong' \"$proof\"; then\n\
    echo \"[ERROR] checking failed on step 't3' with rule 'cong': an example\"; exit 1\nfi\necho valid\n";

fn elenchus(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_rejected_proof_is_found_reduced_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let run = |arguments: &[&str]| elenchus(place, arguments);
    let installed = run(&["solver", "install", "cvc5@1.4.2"]);
    if !installed.status.success() {
        return testing::skip(text(&installed.stderr));
    }
    fs::write(place.join("carcara"), CHECKER).unwrap();
    fs::create_dir(place.join("seeds")).unwrap();
    // One case in four is asked for a proof.
    for number in 1..=16 {
        let script = format!(
            "(set-logic QF_UFLIA)\n(declare-fun f (Int) Int)\n(declare-const x Int)\n(declare-const y Int)\n\
             (assert (< y {number}))\n(assert (= x (+ y 1)))\n(assert (not (= (f x) (f (+ 1 y)))))\n(check-sat)\n"
        );
        fs::write(place.join(format!("seeds/{number}.smt2")), script).unwrap();
    }
    let found = run(&[
        "fuzz",
        "seeds",
        "--strategy",
        "seeds",
        "--solver",
        "cvc5@1.4.2",
        "--proofs",
        "sh ./carcara",
        "--cases",
        "16",
        "--jobs",
        "1",
        "--json",
    ]);
    let printed = text(&found.stdout);
    assert_eq!(found.status.code(), Some(1), "{printed}{}", text(&found.stderr));
    let summary: Value = serde_json::from_str(printed.lines().last().unwrap()).unwrap();
    assert!(summary["statistics"]["proofs"].as_u64() > Some(0), "{summary}");
    let [finding] = summary["findings"].as_array().unwrap().as_slice() else { panic!("{summary}") };
    assert_eq!(finding["class"], "invalid-proof");
    let id = finding["id"].as_str().unwrap();

    let reduced = fs::read_to_string(place.join(format!("elenchus-out/findings/{id}/reduced.smt2"))).unwrap();
    assert!(reduced.len() < 150 && reduced.contains("(get-proof)"), "{reduced}");
    let report = text(&run(&["report", id, "--no-bisect"]).stdout);
    assert!(report.contains("cvc5 1.4.2 returns a proof that a checker rejects"), "{report}");
    assert!(
        report.contains("`sh ./carcara` rejects the proof of cvc5@1.4.2: checking failed on step 't3'"),
        "{report}"
    );
    let replayed = text(&run(&["replay", id]).stdout);
    assert!(replayed.contains("the same bytes"), "{replayed}");

    // Without the checker, nothing can be shown.
    fs::remove_file(place.join("carcara")).unwrap();
    let gone = run(&["reduce", id]);
    assert_eq!(gone.status.code(), Some(2), "{}{}", text(&gone.stdout), text(&gone.stderr));
}

#[test]
fn a_command_that_cannot_check_proofs_is_an_error_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let solver = "[solver.echo]\npath = \"/bin/echo\"\nprofile = \"PROFILE\"\nversion = \"1.4.2\"\n";
    let table = [
        ("cvc5", "/nonexistent/carcara", "there is no program `/nonexistent/carcara`", "install it"),
        ("cvc5", "sh check", "`sh check` names no checker of proofs that is known", "carcara or ethos"),
        (
            "z3",
            "sh carcara",
            "none of the solvers prints proofs that `sh carcara` checks",
            "elenchus oracle list",
        ),
    ];
    for (profile, command, error, hint) in table {
        fs::write(folder.path().join("elenchus.toml"), solver.replace("PROFILE", profile)).unwrap();
        let output =
            elenchus(folder.path(), &["fuzz", "--solver", "echo", "--proofs", command, "--cases", "1"]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(error) && said.contains(hint), "{said}");
    }
}
