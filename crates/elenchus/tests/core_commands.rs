//! Wrong cores on the command line: `validate --core-by`, `reduce`, `report` and `regress`, with a little program as the solver
//! that gives them and real ones that show it.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

const SCRIPT: &str = "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const unrelated Int)\n\
                      (assert (and (> x 1) (distinct unrelated 7)))\n(assert (< x 1))\n(check-sat)\n";

/// A Z3 that says `unsat` to whatever holds a contradiction of `x`, with a core that leaves the second half of it out: the name of
/// the assertion that holds `(> x 1)` alone.
fn forgetful(folder: &Path) -> String {
    let program = folder.join("z3");
    let body = "#!/bin/sh\ncase \"$*\" in *version*) echo 'Z3 version 4.8.12 - 64 bit'; exit 0;; esac\n\
                for file in \"$@\"; do :; done\n\
                name=$(grep '> [a-z]* 1' \"$file\" | sed 's/.*:named \\([^ )]*\\).*/\\1/')\n\
                if grep -q '> [a-z]* 1' \"$file\" && grep -q '< [a-z]* 1' \"$file\"\n\
                then echo unsat; if grep -q get-unsat-core \"$file\" && grep -q produce-unsat-cores \"$file\"; then echo \"($name)\"; fi\n\
                else echo sat; fi\n";
    std::fs::write(&program, body).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    program.to_str().unwrap().to_owned()
}

fn elenchus(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_elenchus")).current_dir(folder).args(arguments).output().unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

#[test]
fn cores_of_real_solvers_hold() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("script.smt2"), SCRIPT).unwrap();
    for (solver, other) in [("z3@5.4.0", "cvc5@1.4.2"), ("cvc5@1.4.2", "z3@5.4.0")] {
        let (code, text) =
            elenchus(folder.path(), &["validate", "script.smt2", "--solver", solver, "--core-by", other]);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains(&format!("valid: {other} answers unsat on the core alone")), "{text}");
        assert!(!text.contains("invalid"), "{text}");
    }
}

#[test]
fn a_wrong_core_is_shown_reduced_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = forgetful(folder.path());
    std::fs::write(folder.path().join("script.smt2"), SCRIPT).unwrap();
    let (code, text) = elenchus(
        folder.path(),
        &["validate", "script.smt2", "--solver", &wrong, "--core-by", "cvc5@1.4.2", "--json"],
    );
    assert_eq!(code, Some(1), "{text}");
    let judged: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(
        (judged["verdict"].as_str(), judged["core"].as_str()),
        (Some("invalid"), Some("(core-1)")),
        "{text}"
    );
    std::fs::write(folder.path().join("bug.smt2"), judged["question"].as_str().unwrap()).unwrap();

    let predicate = format!("{wrong} gives a wrong core, cvc5@1.4.2 satisfies it");
    let (code, text) = elenchus(folder.path(), &["reduce", "bug.smt2", "--keep", &predicate]);
    assert_eq!(code, Some(0), "{text}");
    let reduced = std::fs::read_to_string(folder.path().join("bug.reduced.smt2")).unwrap();
    assert!(reduced.len() < 200 && !reduced.contains("distinct"), "{reduced}");
    assert!(reduced.contains("(get-unsat-core)") && reduced.contains(":produce-unsat-cores"), "{reduced}");

    let (code, text) =
        elenchus(folder.path(), &["report", "bug.reduced.smt2", "--keep", &predicate, "--no-bisect"]);
    assert_eq!(code, Some(0), "{text}");
    for part in [
        "Z3 4.8.12 returns a satisfiable unsat core",
        "severity: wrong core or proof",
        "The model of cvc5@",
        "makes every assertion of it true by our own evaluation",
        "an unsatisfiable core",
    ] {
        let text = text.replace("the model of", "The model of");
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    // What is right shows nothing.
    let (code, text) = elenchus(
        folder.path(),
        &["reduce", "bug.smt2", "--keep", "z3 gives a wrong core, cvc5@1.4.2 satisfies it"],
    );
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("does not show that z3 gives a wrong core"), "{text}");
}
