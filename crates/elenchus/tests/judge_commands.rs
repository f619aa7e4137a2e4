//! `elenchus eval` and `elenchus validate` as a person uses them.

use std::path::Path;
use std::process::Command;

const SCRIPT: &str = "(set-logic ALL)\n(declare-const x Int)\n(declare-const y Int)\n(assert (> x 1))\n\
                      (assert (= (div x y) 7))\n(check-sat)\n";

/// Runs the program in a folder and gives its exit code, standard output and standard error.
fn elenchus(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_elenchus"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("script.smt2", SCRIPT);
    write("good.txt", "((define-fun x () Int 14) (define-fun y () Int 2))");
    write("bad.txt", "((define-fun x () Int 14) (define-fun y () Int 3))");
    write("open.txt", "((define-fun x () Int 14) (define-fun y () Int 0))");
    write("lacking.txt", "((define-fun x () Int 14))");
    write("told.txt", "((define-fun x () Int 14) (define-fun y () Int 0))\n(((div x y) 7))");
    write("broken.txt", "((define-fun x () Int 14)");
    write("broken.smt2", "(assert (+ 1 true))");
    folder
}

#[test]
fn terms_are_evaluated() {
    let folder = folder();
    let table: &[(&[&str], i32, &str)] = &[
        (&["eval", "(bvudiv #x05 #x00)"], 0, "#xff\n"),
        (&["eval", "(+ x 1)", "--script", "script.smt2", "--model", "good.txt"], 0, "15\n"),
        (&["eval", "(+ x 1)", "--script", "script.smt2"], 0, "undetermined: the model does not define `x`\n"),
        (&["eval", "(str.len \"abc\")", "--json"], 0, "{\"sort\":\"Int\",\"value\":\"3\"}\n"),
        (&["eval", "(+ x 1)"], 2, ""),
    ];
    for (arguments, code, expected) in table {
        let (found, stdout, stderr) = elenchus(folder.path(), arguments);
        assert_eq!((found, stdout.as_str()), (*code, *expected), "{arguments:?}\n{stderr}");
    }
}

#[test]
fn models_are_judged() {
    let folder = folder();
    let table = [
        ("good.txt", 0, "valid\n"),
        ("bad.txt", 1, "invalid: assertion 2 is false\n"),
        // Some value of `(div 14 0)` makes it so.
        ("open.txt", 0, "valid\n"),
        ("lacking.txt", 0, "undetermined\n  the model does not define `y`\n"),
        // What a solver answers to get-value may stand behind its model.
        ("told.txt", 0, "valid\n"),
        ("broken.txt", 2, ""),
    ];
    for (model, code, expected) in table {
        let (found, stdout, stderr) = elenchus(folder.path(), &["validate", "script.smt2", "--model", model]);
        assert_eq!(found, code, "{model}\n{stdout}{stderr}");
        assert!(stdout.starts_with(expected), "{model}\n{stdout}");
        assert_eq!(stderr.contains("help:"), code == 2, "{model}\n{stderr}");
    }
}

#[test]
fn what_cannot_be_judged_is_told() {
    let folder = folder();
    let table: &[(&[&str], &str)] = &[
        (&["validate", "script.smt2"], "--model"),
        (&["validate", "broken.smt2", "--model", "good.txt"], "elenchus check"),
        (&["validate", ".", "--model", "good.txt"], "one script"),
        (&["examine", "--theory", "Nothing"], "choose from"),
    ];
    for (arguments, hint) in table {
        let (code, stdout, stderr) = elenchus(folder.path(), arguments);
        assert_eq!(code, 2, "{arguments:?}\n{stdout}{stderr}");
        assert!(stderr.contains(hint), "{arguments:?}\n{stderr}");
    }
}
