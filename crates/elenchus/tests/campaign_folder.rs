//! What happens to the folder of a campaign: it is removed, damaged, repaired, and used from elsewhere.

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A folder with two solvers that contradict each other, defined in `conf/solvers.toml`.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        fs::create_dir(place.at("conf")).unwrap();
        for (name, answer) in [("yes", "sat"), ("no", "unsat")] {
            let path = place.at("conf").join(name);
            fs::write(&path, format!("#!/bin/sh\necho {answer}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let block = |name: &str, profile: &str| {
            format!("[solver.{name}]\npath = \"./{name}\"\nprofile = \"{profile}\"\nversion = \"1.0\"\n")
        };
        fs::write(place.at("conf/solvers.toml"), block("yes", "cvc5") + &block("no", "z3")).unwrap();
        fs::write(place.at("seed.smt2"), "(declare-const x Int)\n(assert (> x 1))\n(check-sat)\n").unwrap();
        place
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
        command.current_dir(self.0.path()).args(arguments).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Fuzzes until there are findings.
    fn fuzz(&self) {
        let output = self.run(&[&FUZZ[..], &["--cases", "20"]].concat());
        assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    }

    fn findings(&self) -> Vec<Value> {
        let output = self.run(&["findings", "--json"]);
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

const FUZZ: [&str; 17] = [
    "fuzz",
    "seed.smt2",
    "--config",
    "conf/solvers.toml",
    "--solver",
    "yes",
    "--solver",
    "no",
    "--jobs",
    "1",
    "--seed",
    "1",
    "--cold",
    "--no-own-checks",
    "--no-triage",
    "--strategy",
    "typefuzz",
];

fn shown(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

/// Waits until a folder has an entry.
fn wait_for_entry(folder: &Path) {
    let start = Instant::now();
    while fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none()) {
        assert!(start.elapsed() < Duration::from_secs(60), "{} stays empty", folder.display());
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_campaign_whose_folder_is_removed_stops() {
    let place = Place::new();
    let mut campaign = place.command(&[&FUZZ[..], &["--time", "60s"]].concat());
    let campaign = campaign.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The campaign runs when it has a finding.
    wait_for_entry(&place.at("elenchus-out/findings"));
    let start = Instant::now();
    // The campaign may write a file at the same time.
    while place.at("elenchus-out").exists() {
        let _ = fs::remove_dir_all(place.at("elenchus-out"));
    }
    let output = campaign.wait_with_output().unwrap();
    assert!(start.elapsed() < Duration::from_secs(30), "it went on for {:?}", start.elapsed());
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(shown(&output).contains("was removed or replaced while the campaign ran"), "{}", shown(&output));
}

#[test]
fn a_damaged_database_is_rebuilt_from_the_findings() {
    let place = Place::new();
    place.fuzz();
    let before = place.findings();
    assert!(!before.is_empty());
    let database = place.at("elenchus-out/elenchus.db");
    let intact = fs::read(&database).unwrap();
    let middle = [&intact[..intact.len() / 2], &vec![0x5a; intact.len() / 2]].concat();
    let damages: [(&str, &[u8]); 3] = [("empty", b""), ("text", b"not a database"), ("half", &middle)];
    for (what, bytes) in damages {
        for log in ["-wal", "-shm"] {
            let _ = fs::remove_file(place.at(&format!("elenchus-out/elenchus.db{log}")));
        }
        fs::write(&database, bytes).unwrap();
        if what != "half" {
            for arguments in [&["findings"][..], &[&FUZZ[..], &["--cases", "5"]].concat()] {
                let output = place.run(arguments);
                assert_eq!(output.status.code(), Some(2), "{what}: {}", shown(&output));
                assert!(
                    shown(&output).contains("elenchus doctor --out elenchus-out"),
                    "{what}: {}",
                    shown(&output)
                );
            }
        }
        let output = place.run(&["doctor"]);
        assert_eq!(output.status.code(), Some(1), "{what}: {}", shown(&output));
        assert!(
            shown(&output).contains(&format!("Restored {} finding", before.len())),
            "{what}: {}",
            shown(&output)
        );
        let ids = |findings: &[Value]| {
            let mut ids: Vec<String> = findings.iter().map(|finding| finding["id"].to_string()).collect();
            ids.sort();
            ids
        };
        assert_eq!(ids(&place.findings()), ids(&before), "{what}");
        let output = place.run(&["doctor"]);
        assert_eq!(output.status.code(), Some(0), "{what}: {}", shown(&output));
    }
    // The damaged files are kept.
    assert!(place.at("elenchus-out/elenchus.db.damaged-3").is_file());
}

#[test]
fn a_campaign_remembers_its_configuration_file() {
    let place = Place::new();
    place.fuzz();
    let id = place.findings()[0]["id"].as_str().unwrap().to_owned();
    let resumed = place.run(&["fuzz", "--resume", "--cases", "5"]);
    assert_ne!(resumed.status.code(), Some(2), "{}", shown(&resumed));
    for arguments in [
        &["replay", &id][..],
        &["report", &id, "--no-bisect"],
        &["solve", "seed.smt2", "--config", "conf/solvers.toml", "--solver", "yes"],
    ] {
        let output = place.run(arguments);
        assert_ne!(output.status.code(), Some(2), "{arguments:?}: {}", shown(&output));
    }
}

#[test]
fn files_without_an_end_are_refused() {
    let place = Place::new();
    assert!(Command::new("mkfifo").arg(place.at("pipe")).status().unwrap().success());
    for file in ["/dev/zero", "/dev/random", "pipe"] {
        for command in ["check", "fmt"] {
            let start = Instant::now();
            let output = place.run(&[command, file]);
            assert_eq!(output.status.code(), Some(2), "{command} {file}: {}", shown(&output));
            assert!(
                shown(&output).contains("it is not a regular file"),
                "{command} {file}: {}",
                shown(&output)
            );
            assert!(start.elapsed() < Duration::from_secs(10), "{command} {file}");
        }
    }
}
