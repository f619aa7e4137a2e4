//! External generators from the command line: shell scripts that print scripts, a real Z3 and a solver that lies.

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A folder with generators, and a solver `no` that answers unsat.
struct Place {
    folder: tempfile::TempDir,
}

/// A generator with one ill-typed script among three.
const GENERATOR: &str = "n=$(($2 % 1000))\n\
    echo \"(declare-const x Int)(assert (> x $n))(check-sat)\"\n\
    echo '(reset)'\n\
    echo \"(declare-const x Int)\"\n\
    echo \"(assert (= x #b1))\"\n\
    echo '(exit)'\n\
    echo \"(declare-const y Int)(assert (= (* y 2) (* 2 $ELENCHUS_SEED)))\"";

impl Place {
    fn new() -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        place.program("no", "echo unsat");
        place.program("gen", GENERATOR);
        fs::write(
            place.at("elenchus.toml"),
            "[solver.no]\npath = \"./no\"\nprofile = \"cvc5\"\nversion = \"1.4.0\"\n",
        )
        .unwrap();
        place
    }

    fn program(&self, name: &str, body: &str) {
        let path = self.at(name);
        fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
        command.current_dir(self.folder.path()).args(arguments).stdin(Stdio::null()).output().unwrap()
    }

    /// A short campaign with the liar, which needs no model.
    fn fuzz(&self, strategy: &str, more: &[&str]) -> Output {
        let fixed = ["fuzz", "--solver", "no", "--cold", "--no-own-checks", "--no-triage", "--jobs", "1"];
        let rest = ["--seed", "1", "--cases", "6", "--strategy", strategy];
        self.run(&[&fixed[..], &rest, more].concat())
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The line with the digest of all cases.
fn digest(output: &Output) -> String {
    let shown = text(&output.stdout);
    let line = shown.lines().find(|line| line.contains("digest of all cases"));
    line.unwrap_or_else(|| panic!("{shown}{}", text(&output.stderr))).to_owned()
}

#[test]
fn a_generator_is_used_and_its_cases_are_replayed_without_it() {
    let installing = solver::install::Settings::from_environment().unwrap();
    let z3 = match solver::install::resolve("z3@5.4.0", &installing) {
        Ok(target) => target.id,
        Err(error) => return testing::skip(error),
    };
    let place = Place::new();
    let strategy = "command:'./gen --seed {seed}'";
    let campaign = |out: &str| place.fuzz(strategy, &["--solver", &z3, "--out", out]);
    let output = campaign("out");
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}{}", text(&output.stderr));
    assert!(shown.contains("6 cases"), "{shown}");
    assert!(shown.contains(&format!("4 failures of {strategy}")), "{shown}");
    assert!(shown.contains(":4:9: error: `=` does not take arguments"), "{shown}");
    assert_eq!(digest(&output), digest(&campaign("again")), "the cases differ");
    assert_ne!(digest(&output), digest(&place.fuzz("command:./gen --seed 5", &["--out", "other"])));
    // Another machine does not have the program.
    fs::remove_file(place.at("gen")).unwrap();
    let listed = place.run(&["findings", "--json", "--out", "out"]);
    let findings: Vec<Value> = serde_json::from_slice(&listed.stdout).unwrap();
    let finding = findings.iter().find(|finding| finding["class"] == "wrong-unsat").unwrap();
    let replay = place.run(&["replay", finding["id"].as_str().unwrap(), "--out", "out"]);
    let said = text(&replay.stdout);
    assert!(
        said.contains("the same bytes") && said.contains("answers unsat"),
        "{said}{}",
        text(&replay.stderr)
    );
}

#[test]
fn a_generator_that_cannot_work_is_one_clear_error() {
    let place = Place::new();
    place.program("garbage", "echo hello world");
    place.program("typed", "echo '(declare-const x Int)'; echo '(assert (= x #b1))'");
    place.program("fails", "echo '(check-sat)'; echo 'no grammar' >&2; exit 3");
    place.program("endless", "yes '(check-sat)'");
    place.program("hangs", "sleep 100");
    place.program("silent", ":");
    let table: [(&str, &[&str]); 12] = [
        ("command:./missing {seed}", &["in 3 runs", "exit code 127", "not found", "help: run `./missing "]),
        ("command:./garbage", &["in 10 runs", "the output of `./garbage`:1:1: error:", "hello world"]),
        ("command:./typed", &["2 | (assert (= x #b1))", "elenchus check"]),
        ("command:./fails", &["in 3 runs", "ended with exit code 3: no grammar"]),
        ("command:./endless", &["printed or wrote more than 1024 KiB (setting `kilobytes`)"]),
        ("command:'./hangs':seconds=1", &["in 3 runs", "did not end within 1 s (setting `seconds`)"]),
        ("command:./silent", &["printed nothing"]),
        ("command:echo '(check-sat)", &["printed no usable script", "exit code 2"]),
        ("command", &["needs a command", "docs/command.md"]),
        ("command:'./gen", &["no closing quote"]),
        ("command:'./gen':seconds=few", &["cannot be the setting `seconds`"]),
        ("command:'./gen' 5", &["may follow the closing quote"]),
    ];
    for (strategy, expected) in table {
        let output = place.fuzz(strategy, &[]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{strategy}: {said}");
        for part in expected {
            assert!(said.contains(part), "{strategy}: {part}: {said}");
        }
    }
}

#[test]
fn names_with_commands_may_be_listed() {
    let place = Place::new();
    let list = text(&place.run(&["strategy", "list"]).stdout);
    assert!(list.lines().any(|line| line.starts_with("command ")), "{list}");
    let show = text(&place.run(&["strategy", "show", "command"]).stdout);
    assert!(show.lines().any(|line| line.starts_with("seconds ")), "{show}");
    let output = place.fuzz("command:'./gen a,b 5 2>&1',command:./gen --seed 1 a,enumerate", &[]);
    let shown = text(&output.stdout);
    assert!(shown.contains("command:'./gen a,b 5 2>&1'"), "{shown}{}", text(&output.stderr));
    assert!(shown.contains("command:./gen --seed 1 a,enumerate"), "{shown}");
}
