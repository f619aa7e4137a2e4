//! `elenchus fuzz` and the commands around it, run against scripts that act as solvers.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder with two fake solvers, `yes` and `no`, which disagree on scripts whose size is a multiple of three.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        let differ = "n=$(wc -c < \"$file\"); if [ $((n % 3)) = 0 ]; then echo unsat; else echo sat; fi";
        place.solver("yes", "echo sat");
        place.solver("no", differ);
        fs::write(
            place.at("elenchus.toml"),
            "[solver.yes]\npath = \"./yes\"\nprofile = \"cvc5\"\nversion = \"1.4.0\"\n\
             [solver.no]\npath = \"./no\"\nprofile = \"z3\"\nversion = \"5.0.0\"\n",
        )
        .unwrap();
        place
    }

    fn solver(&self, name: &str, body: &str) {
        let path = self.at(name);
        fs::write(&path, format!("#!/bin/sh\nfor file; do :; done\n{body}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
        command.current_dir(self.folder.path()).args(arguments).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }
}

const FUZZ: [&str; 9] =
    ["fuzz", "--solver", "yes", "--solver", "no", "--cold", "--no-own-checks", "--jobs", "2"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    FUZZ.iter().chain(more).copied().collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn listed(place: &Place) -> Vec<Value> {
    listed_with(place, &["findings", "--json"])
}

fn listed_with(place: &Place, arguments: &[&str]) -> Vec<Value> {
    let output = place.run(arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice::<Vec<Value>>(&output.stdout).unwrap()
}

#[test]
fn variants_and_settings_of_strategies_are_listed_used_and_replayed() {
    let place = Place::new();
    let list = text(&place.run(&["strategy", "list"]).stdout);
    for name in strategies::names() {
        assert!(list.lines().any(|line| line.starts_with(name)), "{name}: {list}");
    }
    let show = text(&place.run(&["strategy", "show", "diver"]).stdout);
    let mutants = show.lines().find(|line| line.starts_with("mutants")).unwrap();
    assert!(mutants.contains(" 4 ") && mutants.contains(" 1000 ") && show.contains("no-weight"), "{show}");
    let json: Value =
        serde_json::from_slice(&place.run(&["strategy", "show", "falcon", "--json"]).stdout).unwrap();
    assert_eq!(json["settings"][0]["published"], "100");
    let unknown = place.run(&["strategy", "show", "magic"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("there is no strategy `magic`"), "{}", text(&unknown.stderr));

    let strategy = "typefuzz:published:chain=3";
    let place = Place::new();
    let output = place.run(&[
        "fuzz",
        "--solver",
        "yes",
        "--solver",
        "no",
        "--cold",
        "--no-own-checks",
        "--strategy",
        strategy,
        "--cases",
        "20",
        "--seed",
        "1",
        "--jobs",
        "1",
    ]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let findings = listed(&place);
    let finding = findings.iter().find(|finding| finding["class"] == "contradiction").unwrap();
    let id = finding["id"].as_str().unwrap();
    let said = text(&place.run(&["replay", id]).stdout);
    assert!(said.contains(strategy) && said.contains("the same bytes"), "{said}");
}

#[test]
fn from_nothing_to_findings_that_can_be_listed_shown_and_replayed() {
    let place = Place::new();
    let output = place.run(&with(&["--cases", "40", "--seed", "1"]));
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}{}", text(&output.stderr));
    assert!(shown.contains("found contradiction-") && shown.contains("All cases done"), "{shown}");
    let findings = listed(&place);
    let finding = findings.iter().find(|finding| finding["class"] == "contradiction").unwrap();
    let id = finding["id"].as_str().unwrap();
    let folder = place.at("elenchus-out/findings").join(id);
    for name in ["case.smt2", "seed.smt2", "finding.json", "README.md", "lineage.txt", "outputs/no.txt"] {
        assert!(folder.join(name).is_file(), "{name}");
    }
    let show = text(&place.run(&["show", id]).stdout);
    assert!(show.contains("no answers unsat") && show.contains("yes answers sat"), "{show}");
    let replay = place.run(&["replay", id]);
    let said = text(&replay.stdout);
    assert_eq!(replay.status.code(), Some(1), "{said}{}", text(&replay.stderr));
    assert!(said.contains("the same bytes") && said.contains("contradiction: "), "{said}");
}

#[test]
fn triage_reduces_merges_and_reports_what_a_campaign_left() {
    let place = Place::new();
    place.solver("no", "if grep -q '(assert' \"$file\"; then echo unsat; else echo sat; fi");
    place.run(&with(&["--cases", "40", "--seed", "1", "--strategy", "grammar", "--no-triage"]));
    let before = listed(&place);
    assert!(
        before.len() > 1 && before.iter().all(|finding| finding["reduced_bytes"].is_null()),
        "{before:?}"
    );
    let output = place.run(&["triage", "--no-bisect"]);
    let said = text(&output.stderr);
    assert!(output.status.success() && said.contains("is the same bug as"), "{said}");
    assert!(text(&output.stdout).starts_with("finding "), "{}", text(&output.stdout));
    let after = listed(&place);
    assert!(
        after.len() < before.len() && after.iter().any(|finding| finding["reduced_bytes"].is_u64()),
        "{after:?}"
    );
    let all = place.run(&["findings", "--merged", "--json"]);
    assert_eq!(serde_json::from_slice::<Vec<Value>>(&all.stdout).unwrap().len(), before.len());
    let id = after[0]["id"].as_str().unwrap();
    let report = fs::read_to_string(place.at("elenchus-out/findings").join(id).join("report.md")).unwrap();
    assert_eq!(text(&place.run(&["show", id]).stdout).lines().next(), report.lines().next());
    let again = place.run(&["triage", "--no-bisect"]);
    assert!(!text(&again.stderr).contains("reduced "), "{}", text(&again.stderr));
}

#[test]
fn nothing_found_ends_with_zero_and_bad_usage_with_two() {
    let place = Place::new();
    let table: [(&[&str], i32, &str); 11] = [
        (
            &["fuzz", "--solver", "yes", "--cold", "--strategy", "opfuzz", "--cases", "3", "--out", "a"],
            0,
            "No bugs found",
        ),
        (&["fuzz", "--solver", "yes", "--strategy", "magic"], 2, "there is no strategy `magic`"),
        (&["fuzz", "--solver", "yes", "--strategy", "diver:magic"], 2, "has no variant `magic`"),
        (&["fuzz", "--solver", "yes", "--strategy", "diver:tries=x"], 2, "`x` cannot be the setting `tries`"),
        (&["fuzz", "--solver", "nosuch"], 2, "nosuch"),
        (&["fuzz", "--solver", "yes", "nowhere.smt2", "--out", "b"], 2, "no usable seed"),
        (&["fuzz", "--resume", "--out", "c"], 2, "no campaign to resume"),
        (&["fuzz", "--time", "soon"], 2, "is not a time"),
        (&["fuzz", "--seed", "9007199254740992"], 2, "is not in 0..=9007199254740991"),
        (&["findings", "--out", "nowhere"], 2, "there is no campaign in nowhere"),
        (&["show", "crash-1", "--out", "a"], 2, "there is no finding `crash-1`"),
    ];
    for (arguments, code, message) in table {
        let output = place.run(arguments);
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(message), "{arguments:?}: {said}");
        assert!(code != 2 || said.contains("help: ") || said.contains("--help"), "{arguments:?}: {said}");
    }
}

#[test]
fn a_configuration_file_is_written_and_used() {
    let place = Place::new();
    assert_eq!(place.run(&["init"]).status.code(), Some(2), "an existing file is left alone");
    assert!(place.run(&["init", "other.toml"]).status.success());
    let own = fs::read_to_string(place.at("elenchus.toml")).unwrap();
    let table =
        "[fuzz]\nsolvers = [\"yes\"]\ncases = 2\nwarm = false\nout = \"there\"\nstrategies = [\"seeds\"]\n";
    fs::write(place.at("elenchus.toml"), format!("{table}{own}")).unwrap();
    let output = place.run(&["fuzz"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(place.at("there/elenchus.db").is_file());
}

#[test]
fn every_kind_of_bad_seed_has_a_message_and_the_campaign_goes_on() {
    let place = Place::new();
    let seeds = place.at("seeds");
    fs::create_dir_all(seeds.join("folder.smt2")).unwrap();
    fs::write(seeds.join("good.smt2"), "(declare-const x Int)(assert (> x 1))(check-sat)").unwrap();
    fs::write(seeds.join("empty.smt2"), "").unwrap();
    fs::write(seeds.join("binary.smt2"), [0x7f, b'E', b'L', b'F', 0, 255]).unwrap();
    fs::write(seeds.join("ill.smt2"), "(assert (+ 1 true))(check-sat)").unwrap();
    std::os::unix::fs::symlink("nowhere", seeds.join("dangling.smt2")).unwrap();
    let output = place.run(&["fuzz", "seeds", "--solver", "yes", "--cold", "--cases", "20"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}{}", text(&output.stderr));
    for message in [
        "empty.smt2 is not used as a seed: it is empty",
        "binary.smt2 is not used as a seed: it is not text",
        "dangling.smt2 is not used as a seed: it cannot be read",
        "ill.smt2 (",
    ] {
        assert!(said.contains(message), "{message}: {said}");
    }
}

#[test]
fn folders_that_cannot_be_written_end_the_campaign_with_a_clear_message() {
    let place = Place::new();
    fs::write(place.at("file"), "").unwrap();
    fs::create_dir(place.at("foreign")).unwrap();
    fs::write(place.at("foreign/elenchus.db"), "a text of another program, long enough to be looked at")
        .unwrap();
    let table =
        [("/proc/self/nothing", "error: "), ("file", "error: "), ("foreign", "was not written by elenchus")];
    for (out, message) in table {
        let output = place.run(&["fuzz", "--solver", "yes", "--cold", "--cases", "3", "--out", out]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{out}: {said}");
        assert!(said.contains(message) && said.contains("help: "), "{out}: {said}");
    }
}

#[test]
fn a_full_disk_stops_the_campaign_cleanly_and_it_can_go_on() {
    let place = Place::new();
    // A file-size limit has the same effect as a full disk: the database cannot grow.
    let line = with(&["--seed", "2"]).join(" ");
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -f 300; exec {} {line}", env!("CARGO_BIN_EXE_elenchus")))
        .current_dir(place.folder.path())
        .output()
        .unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{}{said}", text(&output.stdout));
    assert!(said.contains("no space left") && said.contains("--resume"), "{said}");
    let before = listed(&place).len();
    assert!(before > 0);
    let resumed = place.run(&["fuzz", "--resume", "--time", "2s", "--cases", "100000"]);
    // Whether two seconds find something new is left open.
    assert!(matches!(resumed.status.code(), Some(0 | 1)), "{}", text(&resumed.stderr));
    assert!(listed(&place).len() >= before);
}

/// Runs a campaign, kills it once it has printed `events` events of one kind, and returns the findings that it showed.
fn killed(place: &Place, arguments: &[&str], kind: &str, events: u64) -> BTreeSet<String> {
    let mut child = place.command(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut shown = BTreeSet::new();
    let mut seen = 0;
    // What it printed before the kill is read to the end. The kill may cut off the last line.
    for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
        let Ok(event) = serde_json::from_str::<Value>(&line) else { continue };
        if event["event"] == "found" {
            shown.insert(event["finding"]["id"].as_str().unwrap().to_owned());
        }
        seen += u64::from(event["event"] == kind);
        if seen == events {
            child.kill().unwrap();
        }
    }
    child.wait().unwrap();
    shown
}

#[test]
fn killed_ten_times_it_resumes_and_no_finding_that_was_shown_is_lost() {
    let place = Place::new();
    let mut shown = BTreeSet::new();
    for round in 0..10 {
        // The first one shows a finding. The others are killed anywhere between their start and their second report.
        let (arguments, kind, events) = match round {
            0 => (with(&["--json", "--seed", "5"]), "found", 1),
            round if round % 3 == 1 => (vec!["fuzz", "--resume", "--json"], "started", 1),
            round => (vec!["fuzz", "--resume", "--json"], "progress", round % 3),
        };
        shown.extend(killed(&place, &arguments, kind, events.max(1)));
        // Some may have turned out to be the same bug as others.
        let kept = listed_with(&place, &["findings", "--merged", "--json"]);
        let kept: BTreeSet<String> =
            kept.iter().map(|finding| finding["id"].as_str().unwrap().to_owned()).collect();
        assert!(shown.is_subset(&kept), "round {round}: {:?}", shown.difference(&kept));
        for id in &kept {
            let folder: &Path = &place.at("elenchus-out/findings").join(id);
            assert!(folder.join("README.md").is_file() && folder.join("case.smt2").is_file(), "{id}");
        }
    }
    assert!(!shown.is_empty());
    let output = place.run(&["fuzz", "--resume", "--cases", "1"]);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output.stderr));
}

#[test]
fn only_bugs_of_this_run_count() {
    let place = Place::new();
    place.solver("no", "kill -SEGV $$");
    fs::write(place.at("seed.smt2"), "(declare-const x Int)(assert (> x 1))(check-sat)").unwrap();
    let line = |cases: &'static str| {
        ["fuzz", "seed.smt2", "--solver", "no", "--cold", "--strategy", "seeds", "--json", "--cases", cases]
    };
    let summary = |output: &Output| -> Value {
        serde_json::from_str(text(&output.stdout).lines().last().unwrap()).unwrap()
    };
    let first = place.run(&line("1"));
    assert_eq!(first.status.code(), Some(1), "{}", text(&first.stderr));
    assert!(!summary(&first)["new_findings"].as_array().unwrap().is_empty());
    // The same case again shows nothing new, and no case shows nothing at all.
    for cases in ["1", "0"] {
        let again = place.run(&line(cases));
        assert_eq!(again.status.code(), Some(0), "{}{}", text(&again.stdout), text(&again.stderr));
        assert_eq!(summary(&again)["new_findings"], serde_json::json!([]));
        assert_ne!(summary(&again)["bugs"], 0);
    }
}

#[test]
fn a_campaign_that_tests_nothing_is_an_error() {
    let place = Place::new();
    fs::write(place.at("seed.smt2"), "(assert (+ 1 true))(check-sat)\n").unwrap();
    let line = ["fuzz", "seed.smt2", "--solver", "yes", "--cold", "--strategy", "opfuzz,typefuzz"];
    let output = place.run(&line);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("Nothing was tested.") && said.contains("error: nothing was tested"), "{said}");
    assert!(said.contains("1 seed that a strategy could not use"), "{said}");
    assert!(said.contains("expected: Bool") && !said.contains("No bugs found"), "{said}");
    let json = place.run(&[&line[..], &["--json", "--out", "other"]].concat());
    let last: Value = serde_json::from_str(text(&json.stdout).lines().last().unwrap()).unwrap();
    for strategy in ["opfuzz", "typefuzz"] {
        assert_eq!(last["statistics"]["strategies"][strategy]["unusable"], 1, "{last}");
    }
}

#[test]
fn a_campaign_that_used_its_limit_needs_a_new_one() {
    let place = Place::new();
    let begun = place.run(&[
        "fuzz",
        "--solver",
        "yes",
        "--cold",
        "--cases",
        "5",
        "--jobs",
        "1",
        "--strategy",
        "opfuzz",
    ]);
    let said = text(&begun.stdout);
    assert!(said.contains("To continue: `elenchus fuzz --resume --cases 5 --out elenchus-out`"), "{said}");
    let resumed = place.run(&["fuzz", "--resume"]);
    let said = text(&resumed.stderr);
    assert_eq!(resumed.status.code(), Some(2), "{said}");
    assert!(said.contains("limit of 5 cases") && said.contains("--resume --cases 5"), "{said}");
    let more = place.run(&["fuzz", "--resume", "--cases", "3", "--json"]);
    let last: Value = serde_json::from_str(text(&more.stdout).lines().last().unwrap()).unwrap();
    assert_eq!((&last["statistics"]["cases"], &last["this_run"]["cases"]), (&8.into(), &3.into()));
    let timed = place.run(&["fuzz", "--resume", "--time", "1s", "--json"]);
    let last: Value = serde_json::from_str(text(&timed.stdout).lines().last().unwrap()).unwrap();
    assert!(last["this_run"]["cases"].as_u64().unwrap() > 0, "{last}");
}

#[test]
fn the_same_seed_gives_the_same_cases() {
    let place = Place::new();
    let digest = |out: &str| {
        let output = place.run(&[
            "fuzz", "--solver", "yes", "--cold", "--jobs", "1", "--seed", "9", "--cases", "60", "--json",
            "--out", out,
        ]);
        let said = text(&output.stdout);
        let last: Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
        assert_eq!(last["event"], "summary");
        assert_eq!(last["statistics"]["cases"], 60);
        // Readers of JSON may round large numbers.
        assert_eq!(last["statistics"]["digest"], last["digest"]);
        last["digest"].as_str().unwrap().to_owned()
    };
    assert_eq!(digest("a"), digest("b"));
}
