//! SIGKILL at random moments of every command that writes: what was reported is still there, no database is damaged, and no process or
//! temporary file is left.
//!
//! `ELENCHUS_KILLS=1000 cargo test -p elenchus --test kills -- --nocapture` kills that often; the default is a few for each command.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Makes wheels, see `solver_command.rs`.
const MAKE_WHEEL: &str = include_str!("support/make_wheel.py");

/// How often to kill, unless `ELENCHUS_KILLS` says so.
const KILLS: usize = 12;

/// A folder with a campaign, two lying solvers, a package index and a cache.
struct Place(tempfile::TempDir);

/// A command to kill.
struct Victim {
    name: &'static str,
    arguments: &'static [&'static str],
    /// It is killed within this time.
    within: Duration,
}

const VICTIMS: [Victim; 6] = [
    Victim {
        name: "fuzz",
        arguments: &["fuzz", "seeds", "--solver", "yes", "--solver", "no", "--jobs", "1", "--time", "60s"],
        within: Duration::from_millis(3000),
    },
    Victim {
        name: "reduce",
        arguments: &["reduce", "FINDING", "--time", "60s"],
        within: Duration::from_millis(1500),
    },
    Victim { name: "triage", arguments: &["triage", "--no-bisect"], within: Duration::from_millis(2000) },
    Victim {
        name: "learn",
        arguments: &["learn", "--solver", "z3@5.4.0", "--time", "60s", "--out", "learned.json"],
        within: Duration::from_millis(4000),
    },
    Victim {
        name: "history",
        arguments: &["history", "mine", "seeds", "--out", "library.txt"],
        within: Duration::from_millis(300),
    },
    Victim {
        name: "install",
        arguments: &["solver", "install", "z3@4.99.0"],
        within: Duration::from_millis(5000),
    },
];

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        for folder in ["seeds", "tmp", "index/z3-solver", "packages"] {
            fs::create_dir_all(place.at(folder)).unwrap();
        }
        // One crashes at another place for every size of a script, so that there is always something to find.
        let crash = "for file; do :; done\nn=$(wc -c < \"$file\")\necho \"ASSERTION VIOLATION\"\n\
                     echo \"File: ../src/f$n.cpp\"\necho \"Line: $n\"\necho \"x$n\"\nexit 114";
        for (name, body) in [("yes", "echo sat"), ("no", crash)] {
            let path = place.at(name);
            fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let block = |name: &str, profile: &str| {
            format!("[solver.{name}]\npath = \"./{name}\"\nprofile = \"{profile}\"\nversion = \"1.0\"\n")
        };
        fs::write(place.at("elenchus.toml"), block("yes", "cvc5") + &block("no", "z3")).unwrap();
        for number in 0..40 {
            let text = format!("(declare-const x Int)\n(assert (> (* x {number}) (+ x 1)))\n(check-sat)\n");
            fs::write(place.at(&format!("seeds/{number}.smt2")), text).unwrap();
        }
        place
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
        command.current_dir(self.0.path()).args(arguments).env("TMPDIR", self.at("tmp")).stdin(Stdio::null());
        command
    }

    /// The same with our own package index and cache.
    fn installing(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(arguments);
        command
            .env("ELENCHUS_CACHE", self.at("cache"))
            .env("PIP_CONFIG_FILE", "/dev/null")
            .env("PIP_INDEX_URL", format!("file://{}", self.at("index").display()))
            .env("PIP_FIND_LINKS", "")
            .env("PIP_RETRIES", "0")
            .env("PIP_NO_CACHE_DIR", "1");
        command
    }

    fn make_wheel(&self) {
        let packages = self.at("packages");
        let made = Command::new("python3")
            .args(["-c", MAKE_WHEEL])
            .arg(&packages)
            .args(["4.99.0.0", "any", "none"])
            .status();
        assert!(made.unwrap().success());
        let links = fs::read_to_string(packages.join("index.txt")).unwrap();
        let link = |link: &str| {
            let name = Path::new(link.split('#').next().unwrap())
                .file_name()
                .unwrap()
                .to_string_lossy()
                .into_owned();
            format!("<a href=\"file://{link}\">{name}</a>\n")
        };
        let page = format!(
            "<!DOCTYPE html><html><body>{}</body></html>",
            links.lines().map(link).collect::<String>()
        );
        fs::write(self.at("index/z3-solver/index.html"), page).unwrap();
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.command(arguments).output().unwrap();
        assert_ne!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn ids(&self) -> BTreeSet<String> {
        let findings = self.json(&["findings", "--merged", "--json"]);
        findings
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| finding["id"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Waits until nothing of a killed command is left: processes in this folder, and temporary files.
    fn check_leftovers(&self, what: &str) {
        let start = Instant::now();
        loop {
            let processes = processes_in(self.0.path());
            let files: Vec<PathBuf> =
                fs::read_dir(self.at("tmp")).unwrap().flatten().map(|entry| entry.path()).collect();
            if processes.is_empty() && files.is_empty() {
                return;
            }
            assert!(start.elapsed() < Duration::from_secs(10), "{what} left {processes:?} {files:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The processes whose working folder is below a folder.
fn processes_in(folder: &Path) -> Vec<String> {
    let folder = folder.canonicalize().unwrap();
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let inside = |path: &PathBuf| fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd.starts_with(&folder));
    let name =
        |path: PathBuf| fs::read_to_string(path.join("cmdline")).unwrap_or_default().replace('\0', " ");
    processes.filter(inside).map(name).collect()
}

/// Random moments, by the method of xorshift.
struct Moments(u64);

impl Moments {
    fn next(&mut self, within: Duration) -> Duration {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        Duration::from_micros(self.0 % within.as_micros() as u64)
    }
}

/// Starts a command, kills it at a moment, and returns what it has printed.
fn kill(mut command: Command, moment: Duration) -> Output {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(moment);
    child.kill().unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn nothing_is_lost_or_left_when_commands_are_killed() {
    let kills = std::env::var("ELENCHUS_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(KILLS);
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64 | 1;
    println!("random seed {seed}");
    let mut moments = Moments(seed);
    let place = Place::new();
    place.make_wheel();
    let output = place
        .command(&["fuzz", "seeds", "--solver", "yes", "--solver", "no", "--jobs", "1", "--cases", "30"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let first = place.ids().first().cloned().unwrap();
    let mut reported = 0;
    for number in 0..kills {
        let victim = &VICTIMS[number % VICTIMS.len()];
        let arguments: Vec<&str> = victim
            .arguments
            .iter()
            .map(|word| if *word == "FINDING" { first.as_str() } else { word })
            .collect();
        let known = place.ids();
        let is_install = victim.name == "install";
        let command = if is_install { place.installing(&arguments) } else { place.command(&arguments) };
        let output = kill(command, moments.next(victim.within));
        place.check_leftovers(victim.name);
        let ids = place.ids();
        assert!(ids.is_superset(&known), "{}: findings are lost", victim.name);
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            if let Some(id) = line.strip_prefix("found ").and_then(|rest| rest.split_whitespace().next()) {
                reported += 1;
                assert!(ids.contains(id), "{id} was reported and is lost");
                assert!(place.at("elenchus-out/findings").join(id).join("finding.json").is_file(), "{id}");
            }
        }
        let checked = place.json(&["doctor", "--json"]);
        assert_eq!(checked["damage"], Value::Null, "{}: {checked}", victim.name);
        assert_eq!(checked["unreadable"], Value::Array(Vec::new()), "{}: {checked}", victim.name);
        if let Ok(text) = fs::read_to_string(place.at("learned.json")) {
            assert!(serde_json::from_str::<Value>(&text).is_ok(), "the correlations are damaged");
        }
        if place.at("library.txt").is_file() {
            let read = place.command(&["history", "stats", "library.txt"]).output().unwrap();
            assert_eq!(read.status.code(), Some(0), "{read:?}");
        }
    }
    // What was interrupted can be done.
    let output = place.installing(&["solver", "install", "z3@4.99.0"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(fs::read_dir(place.at("cache/staging")).map_or(0, Iterator::count), 0, "staging is cleaned");
    println!("{kills} kills: {reported} findings reported meanwhile, none lost, nothing left behind");
}
