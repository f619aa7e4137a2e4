//! `elenchus ci`: with releases of a real solver, and with little programs as solvers.

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder to run in.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    /// A folder with these seeds in `seeds`.
    fn new(seeds: &[&str]) -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(place.at("seeds")).unwrap();
        for (number, seed) in seeds.iter().enumerate() {
            fs::write(place.at(&format!("seeds/{number}.smt2")), seed).unwrap();
        }
        place
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A program that does what `body` says with the script in `$text`, as a Z3 with this name.
    fn program(&self, name: &str, body: &str) -> String {
        let folder = self.at(name);
        fs::create_dir_all(&folder).unwrap();
        let program = folder.join("z3");
        let version = "case \"$*\" in *version*) echo 'Z3 version 4.8.12 - 64 bit'; exit 0;; esac";
        let read = "for last in \"$@\"; do :; done\ntext=$(cat \"$last\")";
        fs::write(&program, format!("#!/bin/sh\n{version}\n{read}\n{body}\n")).unwrap();
        fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        format!("./{name}/z3")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
        command.current_dir(self.folder.path()).args(arguments).stdin(Stdio::null());
        command.env_remove("GITHUB_STEP_SUMMARY");
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs `elenchus ci seeds` and returns its exit code and its JSON.
    fn ci(&self, arguments: &[&str]) -> (Option<i32>, Value) {
        let arguments = [&["ci", "seeds", "--json", "--jobs", "1"], arguments].concat();
        let output = self.run(&arguments);
        let report = serde_json::from_slice(&output.stdout);
        (output.status.code(), report.unwrap_or_else(|_| panic!("{}", text(&output.stderr))))
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The standings of the findings, by name.
fn standings(report: &Value) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| (&finding["id"], &finding["standing"]))
        .map(|(id, standing)| (id.as_str().unwrap().to_owned(), standing.as_str().unwrap().to_owned()))
        .collect();
    all.sort();
    all
}

/// Whether releases can be installed; skips the test if not.
fn installs(place: &Place, releases: &[&str]) -> bool {
    let output = place.run(&[&["solver", "install"], releases].concat());
    if !output.status.success() {
        testing::skip(text(&output.stderr));
    }
    output.status.success()
}

/// Z3 4.8.7 answers `unsat`, and 5.4.0 answers `sat`, which is right.
const FIXED_BUG: &str = "(assert (bvsmul_noovfl #b00010 #b10000))\n(check-sat)\n";
const NO_BUG: &str = "(declare-const x Int)\n(assert (> x 1))\n(check-sat)\n";

#[test]
fn an_older_build_fails_and_a_newer_one_passes_again_and_again() {
    let place = Place::new(&[FIXED_BUG, NO_BUG]);
    if !installs(&place, &["z3@4.8.7", "z3@5.4.0"]) {
        return;
    }
    let older = ["--solver", "z3@4.8.7", "--baseline", "z3@5.4.0", "--cases", "12"];
    let reports = ["--junit", "junit.xml", "--sarif", "report.sarif"];
    // Twice in one folder and once in a fresh one.
    let mut first = None;
    for (folder, phase) in [("one", "seeds"), ("one", "regressions"), ("two", "seeds")] {
        let (code, report) = place.ci(&[&older[..], &reports, &["--findings", folder]].concat());
        assert_eq!((code, report["verdict"].as_str()), (Some(1), Some("failed")), "{report}");
        let new = |finding: &&Value| finding["standing"] == "new" && finding["class"] == "wrong-unsat";
        let finding = report["findings"].as_array().unwrap().iter().find(new).unwrap().clone();
        assert_eq!(
            (finding["phase"].as_str(), finding["severity"].as_str()),
            (Some(phase), Some("wrong-unsat"))
        );
        let id = finding["id"].as_str().unwrap().to_owned();
        let again = first.get_or_insert(id.clone()).clone();
        assert_eq!(id, again);
        assert!(place.read("junit.xml").contains("<failure message=\"new wrong unsat"));
        let sarif: Value = serde_json::from_str(&place.read("report.sarif")).unwrap();
        let uri =
            &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        assert!(place.at(folder).join(uri.as_str().unwrap()).is_file(), "{uri}");
    }
    let id = first.unwrap();
    // The folder is that of a campaign.
    let shown = place.run(&["show", &id, "--out", "one"]);
    assert!(shown.status.success() && text(&shown.stdout).contains("bvsmul_noovfl"), "{shown:?}");
    // A known bug does not fail.
    let known =
        ["known", "add", &id, "--out", "one", "--link", "https://example.org/1", "--list", "known.json"];
    let added = place.run(&known);
    assert!(added.status.success(), "{}", text(&added.stderr));
    let (code, report) = place.ci(&[&older[..], &["--findings", "one", "--known", "known.json"]].concat());
    assert_eq!(code, Some(0), "{report}");
    assert!(standings(&report).contains(&(id, "known".to_owned())), "{report}");
    // The other way round, the baseline's bug is no finding.
    let newer = ["--solver", "z3@5.4.0", "--baseline", "z3@4.8.7", "--cases", "12"];
    for folder in ["three", "three", "four"] {
        let (code, report) = place.ci(&[&newer[..], &reports, &["--findings", folder]].concat());
        assert_eq!((code, report["verdict"].as_str()), (Some(0), Some("passed")), "{report}");
        assert_eq!(report["seeds"], 2);
        assert!(!place.read("junit.xml").contains("<failure"));
        let sarif: Value = serde_json::from_str(&place.read("report.sarif")).unwrap();
        assert_eq!(sarif["runs"][0]["results"], Value::Array(Vec::new()));
    }
    // An operator that the baseline does not have cannot be compared.
    let (code, report) = place.ci(&[&newer[..], &["--findings", "five", "--regressions", "one"]].concat());
    assert_eq!(code, Some(0), "{report}");
    assert!(standings(&report).iter().all(|(_, standing)| standing == "not-shown"), "{report}");
}

#[test]
fn only_what_the_baseline_does_not_show_is_new() {
    let place = Place::new(&[NO_BUG]);
    let wrong = "case \"$text\" in *bug*) echo unsat;; *) echo sat;; esac";
    let candidate = place.program("candidate", wrong);
    let baseline = place.program(
        "baseline",
        "case \"$text\" in *old-bug*) echo unsat;; *foreign-bug*) echo '(error \"line 1: unknown constant f\")';; \
         *hard-bug*) echo unknown;; *) echo sat;; esac",
    );
    fs::create_dir(place.at("kept")).unwrap();
    for name in ["old-bug", "new-bug", "foreign-bug", "hard-bug", "fixed"] {
        let script = format!("; elenchus: z3 says unsat\n(declare-const |{name}| Int)\n(check-sat)\n");
        fs::write(place.at(&format!("kept/{name}.smt2")), script).unwrap();
    }
    let arguments =
        ["--solver", &candidate, "--baseline", &baseline, "--cases", "0", "--regressions", "kept"];
    let expected = [
        ("fixed.smt2", "not-shown"),
        ("foreign-bug.smt2", "not-comparable"),
        ("hard-bug.smt2", "new"),
        ("new-bug.smt2", "new"),
        ("old-bug.smt2", "old"),
    ];
    let expected: Vec<(String, String)> =
        expected.map(|(id, standing)| (id.to_owned(), standing.to_owned())).to_vec();
    let (code, report) = place.ci(&arguments);
    assert_eq!((code, standings(&report)), (Some(1), expected), "{report}");
    // Nothing is remembered beside the scripts.
    assert_eq!(fs::read_dir(place.at("kept")).unwrap().count(), 5);
    for name in ["new-bug", "hard-bug"] {
        fs::remove_file(place.at(&format!("kept/{name}.smt2"))).unwrap();
    }
    let (code, report) = place.ci(&arguments);
    assert_eq!((code, standings(&report).len()), (Some(0), 3), "{report}");
}

#[test]
fn a_retry_goes_no_further_than_the_first_run() {
    let place = Place::new(&[NO_BUG]);
    let (one, two) = (place.program("one", "echo sat"), place.program("two", "echo sat"));
    let arguments = ["--solver", &one, "--baseline", &two, "--strategy", "typefuzz", "--cases", "40"];
    let counted = |arguments: &[&str]| {
        let (code, report) = place.ci(arguments);
        assert_eq!(code, Some(0), "{report}");
        (report["seeds"].as_u64().unwrap(), report["cases"].as_u64().unwrap())
    };
    assert_eq!(counted(&arguments), (1, 40));
    // As if the time of the first run had ended earlier.
    let extent = place.read("elenchus-ci/ci.json");
    let earlier = extent.replace("\"cases\": 40", "\"cases\": 25");
    assert_ne!(extent, earlier);
    fs::write(place.at("elenchus-ci/ci.json"), &earlier).unwrap();
    assert_eq!(counted(&arguments), (1, 25));
    // Another build is not a retry.
    place.program("one", "echo sat # another build");
    assert_eq!(counted(&arguments), (1, 40));
}

#[test]
fn the_summary_goes_to_the_page_of_the_job() {
    let place = Place::new(&[NO_BUG]);
    let (one, two) = (place.program("one", "echo sat"), place.program("two", "echo sat"));
    fs::write(place.at("page.md"), "# Earlier step\n").unwrap();
    let mut command = place.command(&["ci", "seeds", "--solver", &one, "--baseline", &two, "--cases", "0"]);
    let output = command.env("GITHUB_STEP_SUMMARY", place.at("page.md")).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    assert!(printed.starts_with("## ✅ Elenchus: no new finding in ./one/z3\n"), "{printed}");
    assert_eq!(place.read("page.md"), format!("# Earlier step\n{printed}"));
    assert!(text(&output.stderr).contains("two/z3 with seeds on 1 seed"));
}

#[test]
fn a_run_that_tests_nothing_is_an_error() {
    let place = Place::new(&[NO_BUG]);
    let good = place.program("good", "echo sat");
    let broken = place.program("broken", "echo '(error \"line 1 column 1: cannot load\")'");
    fs::create_dir(place.at("empty")).unwrap();
    let table: [(&[&str], &str); 5] = [
        (&["seeds", "--solver", "./absent/z3", "--baseline", &good], "cannot use the candidate ./absent/z3"),
        (&["seeds", "--solver", &good, "--baseline", "z3@0.0.1"], "cannot use the baseline z3@0.0.1"),
        (&["seeds", "--solver", &good, "--baseline", &good], "the candidate and the baseline are both"),
        (&["seeds", "--solver", &broken, "--baseline", &good], "broken/z3 answered none of 1 script"),
        (&["empty", "--solver", &good, "--baseline", &broken], "no usable seed"),
    ];
    for (arguments, expected) in table {
        let output = place.run(&[&["ci", "--cases", "0"], arguments].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

#[test]
fn an_interrupted_run_writes_its_reports() {
    let place = Place::new(&[NO_BUG]);
    let (one, two) = (place.program("one", "sleep 0.2; echo sat"), place.program("two", "echo sat"));
    let arguments = ["ci", "seeds", "--solver", &one, "--baseline", &two, "--time", "1h"];
    let mut command =
        place.command(&[&arguments[..], &["--junit", "junit.xml", "--sarif", "report.sarif"]].concat());
    let mut running = command.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(running.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("with typefuzz")));
    let pid = running.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    let output = running.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{rest:?}");
    assert!(text(&output.stdout).contains("interrupted: no verdict"));
    assert!(rest.iter().any(|line| line.contains("interrupted before a new finding")), "{rest:?}");
    assert!(place.read("junit.xml").contains("<testsuites"));
    assert!(Path::new(&place.at("report.sarif")).is_file());
}
