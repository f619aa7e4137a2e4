//! `elenchus solve` with little programs as solvers: exit codes, the table, JSON.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that is removed at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("elenchus-solve-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// A program that does what `body` says, under a name that makes it a Z3.
    fn solver(&self, name: &str, body: &str) -> String {
        let folder = self.0.join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let program = folder.join("z3");
        let version = "case \"$*\" in *version*) echo 'Z3 version 4.8.12 - 64 bit'; exit 0;; esac";
        std::fs::write(&program, format!("#!/bin/sh\n{version}\n{body}\n")).unwrap();
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        program.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

fn solve(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_elenchus"))
        .current_dir(folder)
        .arg("solve")
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn the_exit_code_says_whether_there_is_a_bug_or_no_answer() {
    let folder = Folder::new("codes");
    let script = folder.0.join("a.smt2");
    std::fs::write(&script, "(check-sat)\n(check-sat)\n").unwrap();
    let script = script.to_str().unwrap();
    let yes = folder.solver("yes", "echo sat; echo sat");
    let no = folder.solver("no", "echo sat; echo unsat");
    let unsure = folder.solver("unsure", "echo sat; echo unknown");
    let crashing = folder.solver("crashing", "echo sat; kill -SEGV $$");
    let refusing = folder.solver("refusing", "echo '(error \"unsupported logic\")'; exit 1");
    let rejecting = folder
        .solver("rejecting", "echo sat; echo '(error \"line 2: an invalid model was generated\")'; echo sat");
    let table: [(&[&str], i32, &str); 11] = [
        (&[script, "--solver", &crashing], 1, "sat (crash: SIGSEGV)"),
        (&[script, "--solver", &refusing, "--solver", &crashing], 1, "sat (crash: SIGSEGV)"),
        (&[script, "--solver", &rejecting], 1, "invalid model"),
        (&[script, "--solver", &refusing], 2, "error: no solver answered "),
        (&[script, "--solver", &refusing, "--json"], 2, "error: no solver answered "),
        (&[script, "--solver", &refusing, "--solver", &yes], 0, "refused"),
        (&[script, "--solver", &yes, "--solver", &no], 1, "the solvers disagree on check 2"),
        (&[script, "--solver", &yes, "--solver", &yes], 0, "sat×2"),
        (&[script, "--solver", &yes, "--solver", &unsure], 0, "sat unknown"),
        (&[script, "--solver", &yes, "--solver", &crashing], 1, "sat (crash: SIGSEGV)"),
        (&[script, "--solver", &no, "--json"], 0, "\"answers\":[\"sat\",\"unsat\"]"),
    ];
    for (arguments, code, expected) in table {
        let output = solve(&folder.0, arguments);
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{text}");
        assert!(text.contains(expected), "{arguments:?}\n{text}");
    }
}

#[test]
fn bad_input_is_told_in_one_error() {
    let folder = Folder::new("bad");
    let yes = folder.solver("yes", "echo sat");
    std::fs::write(folder.0.join("a.smt2"), "(check-sat)\n").unwrap();
    let table: [(&[&str], &str); 3] = [
        (&["missing.smt2", "--solver", &yes], "missing.smt2"),
        (&["a.smt2", "--solver", &yes, "--timeout", "-1"], "is not a time"),
        (&["a.smt2", "--solver", "./a.smt2"], "executable"),
    ];
    for (arguments, expected) in table {
        let output = solve(&folder.0, arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}\n{text}");
        assert!(text.contains(expected), "{arguments:?}\n{text}");
    }
}

#[test]
fn a_wrapper_in_the_python_of_the_user_is_a_solver() {
    if Command::new("python3").arg("--version").output().is_err() {
        return testing::skip("there is no python3");
    }
    let folder = Folder::new("python");
    let script = folder.0.join("a.smt2");
    std::fs::write(&script, "(check-sat)\n").unwrap();
    let program = folder.solver("wrapper", "");
    let body = "import json, sys\nprint('Z3 version 4.8.12' if any('version' in word for word in sys.argv) else 'unsat')";
    std::fs::write(&program, format!("#!/usr/bin/env python3\n{body}\n")).unwrap();
    let output = solve(&folder.0, &[script.to_str().unwrap(), "--solver", &program]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("unsat"), "{output:?}");
}
