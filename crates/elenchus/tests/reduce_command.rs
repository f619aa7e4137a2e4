//! `elenchus reduce` with little programs as solvers and as commands, and with a real bug of a real release.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A program that does what `body` says, under a name that makes it a Z3.
fn program(folder: &Path, name: &str, body: &str) -> String {
    let folder = folder.join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("z3");
    let version = "case \"$*\" in *version*) echo 'Z3 version 4.8.12 - 64 bit'; exit 0;; esac";
    // The script is a file or, for those that are kept warm, standard input.
    let read = "for last in \"$@\"; do :; done\nif [ \"$last\" = -in ]; then text=$(cat); else text=$(cat \"$last\"); fi";
    std::fs::write(&program, format!("#!/bin/sh\n{version}\n{read}\n{body}\n")).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    program.to_str().unwrap().to_owned()
}

const SCRIPT: &str = "(set-logic ALL)\n(declare-fun number () Int)\n(declare-fun text () String)\n\
    (assert (> number 100))\n(assert (= (str.len text) number))\n(assert (distinct text \"hello\"))\n(check-sat)\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bug.smt2"), SCRIPT).unwrap();
    folder
}

fn reduce(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
    command.current_dir(folder).arg("reduce").args(arguments).output().unwrap()
}

fn texts(output: &Output) -> (String, String) {
    (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

#[test]
fn answers_are_kept_and_the_rest_goes() {
    let folder = folder();
    let wrong =
        program(folder.path(), "wrong", "case \"$text\" in *str.len*) echo unsat;; *) echo sat;; esac");
    let right = program(folder.path(), "right", "echo sat");
    let crashing = program(
        folder.path(),
        "crashing",
        "case \"$text\" in *distinct*) kill -SEGV $$;; *) echo sat;; esac",
    );
    let table = [
        (format!("{wrong} says unsat, {right} says sat"), "str.len"),
        (format!("{crashing} crashes"), "distinct"),
        (format!("{crashing} crashes with SIGSEGV"), "distinct"),
    ];
    for (predicate, expected) in table {
        let output = reduce(folder.path(), &["bug.smt2", "--keep", &predicate, "--cold"]);
        let (stdout, stderr) = texts(&output);
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        assert!(stdout.contains(expected) && stdout.len() < 60, "{predicate}: {stdout}");
        assert_eq!(std::fs::read_to_string(folder.path().join("bug.reduced.smt2")).unwrap(), stdout);
    }
}

#[test]
fn any_command_can_decide() {
    let folder = folder();
    let check = program(folder.path(), "check", "case \"$text\" in *hello*) echo found; exit 3;; esac");
    let noisy = program(folder.path(), "noisy", "date +%N; case \"$text\" in *hello*) exit 3;; esac");
    let output = reduce(folder.path(), &["bug.smt2", "--cmd", &check, "--output", "small.smt2"]);
    let (stdout, stderr) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(stdout.contains("hello") && stdout.len() < 20, "{stdout}");
    assert_eq!(std::fs::read_to_string(folder.path().join("small.smt2")).unwrap(), stdout);
    // What differs from run to run is found out before anything is changed.
    let output = reduce(folder.path(), &["bug.smt2", "--cmd", &noisy]);
    assert_eq!(output.status.code(), Some(2));
    assert!(texts(&output).1.contains("two runs"), "{}", texts(&output).1);
    let output = reduce(folder.path(), &["bug.smt2", "--cmd", &noisy, "--ignore-output", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(texts(&output).0.contains("\"stopped\":false"), "{}", texts(&output).0);
}

#[test]
fn what_is_slow_stays_slow() {
    let folder = folder();
    let slow = program(
        folder.path(),
        "slow",
        "case \"$text\" in *str.len*) while :; do :; done;; *) echo sat;; esac",
    );
    let fast = program(folder.path(), "fast", "case \"$text\" in *check-sat*) echo sat;; esac");
    let predicate = format!("{slow} is slow, {fast} is fast");
    // How much of this time a busy machine gives is left open: only CPU time counts.
    let output = reduce(folder.path(), &["bug.smt2", "--keep", &predicate, "--timeout", "1"]);
    let (stdout, stderr) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("of CPU time against"), "{stderr}");
    assert!(stdout.contains("str.len") && stdout.contains("(check-sat)") && stdout.len() < 60, "{stdout}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
    let line = ["report", "bug.reduced.smt2", "--keep", &predicate, "--timeout", "1", "--no-bisect"];
    let report = command.current_dir(folder.path()).args(line).output().unwrap();
    let (stdout, stderr) = texts(&report);
    assert_eq!(report.status.code(), Some(0), "{stderr}");
    for expected in ["is far slower than another solver", "timeout after", "performance", "str.len"] {
        assert!(stdout.contains(expected), "{expected}: {stdout}");
    }
    // Two that are as slow as each other show nothing.
    let output = reduce(folder.path(), &["bug.smt2", "--keep", &format!("{fast} is slow, {fast} is fast")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(texts(&output).1.contains("does not show"), "{}", texts(&output).1);
}

#[test]
fn a_script_that_does_not_show_it_is_not_touched() {
    let folder = folder();
    let right = program(folder.path(), "right", "echo sat");
    // To releases from before the standard this is another question.
    let old = "(declare-const s String)(assert (= (str.len \"\\n\") 1))(check-sat)";
    std::fs::write(folder.path().join("old.smt2"), old).unwrap();
    let table = [
        (vec!["bug.smt2".to_owned()], "needs --keep"),
        (
            vec!["old.smt2".to_owned(), "--keep".into(), format!("{right} says sat")],
            "old releases read differently",
        ),
        (vec!["missing.smt2".to_owned(), "--keep".into(), format!("{right} crashes")], "no such file"),
        (vec!["bug.smt2".to_owned(), "--keep".into(), format!("{right} says unsat")], "does not show"),
        (vec!["bug.smt2".to_owned(), "--keep".into(), format!("{right} says maybe")], "does not say what"),
    ];
    for (arguments, expected) in table {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = reduce(folder.path(), &arguments);
        let (_, stderr) = texts(&output);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    }
    assert!(!folder.path().join("bug.reduced.smt2").exists());
}

#[test]
fn interrupted_the_best_so_far_is_on_disk_and_printed() {
    let folder = folder();
    // Slow enough to be interrupted in the middle.
    let check = program(folder.path(), "check", "sleep 0.05; case \"$text\" in *hello*) exit 3;; esac");
    let child = Command::new(env!("CARGO_BIN_EXE_elenchus"))
        .current_dir(folder.path())
        .args(["reduce", "bug.smt2", "--cmd", &check, "--output", "small.smt2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let best: PathBuf = folder.path().join("small.smt2");
    while !best.exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let (stdout, stderr) = texts(&output);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("stopped early"), "{stderr}");
    assert_eq!(std::fs::read_to_string(&best).unwrap(), stdout);
    assert!(stdout.contains("hello") && stdout.len() < SCRIPT.len());
}

#[test]
fn an_earlier_result_that_is_smaller_is_kept() {
    let folder = folder();
    let check = program(folder.path(), "check", "case \"$text\" in *hello*) exit 3;; esac");
    let best = folder.path().join("small.smt2");
    let line = ["bug.smt2", "--cmd", &check, "--output", "small.smt2", "--time", "1ms"];
    // It stops after the first test, long before it has found anything as small.
    std::fs::write(&best, "(hello)\n").unwrap();
    let (stdout, stderr) = {
        let output = reduce(folder.path(), &line);
        assert_eq!(output.status.code(), Some(1), "{:?}", texts(&output));
        texts(&output)
    };
    assert_eq!(
        (std::fs::read_to_string(&best).unwrap().as_str(), stdout.as_str()),
        ("(hello)\n", "(hello)\n")
    );
    assert!(stderr.contains("an earlier run found") && stderr.contains("stopped early"), "{stderr}");
    // One that does not show the bug is replaced.
    std::fs::write(&best, "(goodbye)\n").unwrap();
    let output = reduce(folder.path(), &line);
    assert_eq!(output.status.code(), Some(1), "{:?}", texts(&output));
    assert!(std::fs::read_to_string(&best).unwrap().contains("hello"));
    // So is one that is larger than the result.
    std::fs::write(&best, format!("(hello)\n{SCRIPT}")).unwrap();
    let output = reduce(folder.path(), &line[..5]);
    assert_eq!(output.status.code(), Some(0), "{:?}", texts(&output));
    assert!(std::fs::read_to_string(&best).unwrap().len() < 20);
}

#[test]
fn an_interruption_does_not_wait_for_a_solver() {
    let folder = folder();
    let started = folder.path().join("started");
    let check = program(folder.path(), "check", &format!("touch {}; sleep 300", started.display()));
    let child = Command::new(env!("CARGO_BIN_EXE_elenchus"))
        .current_dir(folder.path())
        .args(["reduce", "bug.smt2", "--cmd", &check, "--timeout", "60"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !started.exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let (_, stderr) = texts(&output);
    // If it waited, the run would end by its time limit, and the reduction would go on to its first test.
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("interrupted before there was a smaller script"), "{stderr}");
    assert!(!folder.path().join("bug.reduced.smt2").exists());
}

#[test]
fn a_real_wrong_answer_is_reduced_with_its_model_in_hand() {
    let folder = tempfile::tempdir().unwrap();
    // Z3 4.8.10 takes a half for an integer; the rest has nothing to do with it.
    let script = "(set-logic ALL)\n(declare-fun x () Int)\n(declare-fun y () (_ BitVec 16))\n\
        (assert (bvult y #x00FF))\n(assert (or (> x 5) (is_int (to_real x))))\n\
        (assert (and (> (* x x) 2) (not (is_int (to_real (/ 1 2))))))\n(check-sat)\n";
    std::fs::write(folder.path().join("bug.smt2"), script).unwrap();
    let output = reduce(folder.path(), &["bug.smt2", "--keep", "z3@4.8.10 says unsat, cvc5@1.4.2 says sat"]);
    let (stdout, stderr) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("satisfies the script by our own evaluation"), "{stderr}");
    assert!(stdout.contains("is_int") && stdout.len() < 70, "{stdout}");
}

#[test]
fn what_was_made_to_be_satisfiable_stays_so() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("seed.smt2"),
        "(declare-fun x () Int)\n(assert (> x 100))\n(check-sat)\n",
    )
    .unwrap();
    // Knows the model of the seed, and nothing of its mutants.
    let wrong = program(
        folder.path(),
        "wrong",
        "case \"$text\" in *'(> x 100)'*) echo sat; echo '((define-fun x () Int 200))';; *) echo unsat;; esac",
    );
    let line =
        ["fuzz", "seed.smt2", "--strategy", "diver", "--solver", &wrong, "--cases", "1", "--seed", "1"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
    let output =
        command.current_dir(folder.path()).args(line).args(["--jobs", "1", "--cold"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{:?}", texts(&output));
    let output = reduce(folder.path(), &["wrong-unsat", "--cold"]);
    let (stdout, stderr) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("the construction of the case"), "{stderr}");
    // The one who is wrong says `unsat` to the negation as well; that would be no bug.
    assert!(!stdout.contains("false") && stdout.len() < 60, "{stdout}");
}
