//! `elenchus solver` on packages of our own making: everything that can go wrong on the way from an index to a solver.
//!
//! Needs Python with pip, but no network: wheels are made on the spot and found in local folders.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Makes a wheel of `z3-solver` whose executable is a shell script that tells `version` and answers `sat`.
/// The last argument says what is wrong with it.
const MAKE_WHEEL: &str = include_str!("support/make_wheel.py");

/// A folder of packages, a cache and an index of their own, for one test.
struct Place {
    root: PathBuf,
}

impl Place {
    fn new(name: &str) -> Place {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("solver-command-{name}"));
        let _ = fs::remove_dir_all(&root);
        for folder in ["packages", "index/z3-solver", "bin"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        Place { root }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    fn wheel(&self, version: &str, platform: &str, flaw: &str) {
        let packages = self.path("packages");
        let made = Command::new("python3")
            .args(["-c", MAKE_WHEEL])
            .arg(&packages)
            .args([version, platform, flaw])
            .status()
            .unwrap();
        assert!(made.success());
        let links: String = fs::read_to_string(packages.join("index.txt"))
            .unwrap()
            .lines()
            .map(|link| {
                let file = link.split('#').next().unwrap();
                let name = Path::new(file).file_name().unwrap().to_str().unwrap();
                format!("<a href=\"file://{link}\">{name}</a>\n")
            })
            .collect();
        fs::write(
            self.path("index/z3-solver/index.html"),
            format!("<!DOCTYPE html><html><body>{links}</body></html>"),
        )
        .unwrap();
    }

    /// Writes an executable shell script.
    fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.program();
        command.arg("solver").args(arguments);
        command
    }

    /// The program in this place, without arguments.
    fn program(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
        command
            .current_dir(&self.root)
            .env("ELENCHUS_CACHE", self.path("cache"))
            .env("PIP_CONFIG_FILE", "/dev/null")
            .env("PIP_INDEX_URL", format!("file://{}", self.path("index").display()))
            .env("PIP_FIND_LINKS", "")
            .env("PIP_RETRIES", "0")
            .env("PIP_NO_CACHE_DIR", "1")
            .stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Said {
        Said::from(self.command(arguments).output().unwrap())
    }

    /// What is left in the folder where releases are filled.
    fn leftovers(&self) -> usize {
        fs::read_dir(self.path("cache/staging")).map_or(0, |entries| entries.count())
    }
}

/// What a command said and how it ended.
#[derive(Debug)]
struct Said {
    out: String,
    err: String,
    status: Option<i32>,
}

impl From<Output> for Said {
    fn from(output: Output) -> Said {
        Said {
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
            status: output.status.code(),
        }
    }
}

#[test]
fn a_release_is_installed_listed_checked_and_removed() {
    let place = Place::new("whole-life");
    place.wheel("4.99.0.0", "any", "none");
    place.wheel("4.99.1.0", "any", "none");
    place.wheel("4.99.1.0.post2", "any", "none");

    let said = place.run(&["list", "--available", "z3", "--json"]);
    assert!(said.out.contains("4.99.1") && said.out.contains("4.99.0"), "{said:?}");
    let said = place.run(&["install", "z3@4.99.0", "z3@4.99"]);
    assert_eq!(said.status, Some(0), "{said:?}");
    assert!(said.out.contains("Installed z3@4.99.0"), "{said:?}");
    let said = place.run(&["install", "zzz", "z3@latest"]);
    assert_eq!(said.status, Some(2), "a failure does not stop the others: {said:?}");
    assert!(said.out.contains("Installed z3@4.99.1"), "{said:?}");
    let manifest = fs::read_to_string(place.path("cache/solvers/z3/4.99.1/elenchus-install.json")).unwrap();
    assert!(manifest.contains("4.99.1.0.post2"), "the newest build of a release wins: {manifest}");

    let said = place.run(&["list", "--json", "z3"]);
    assert!(said.out.contains("\"z3@4.99.1\""), "{said:?}");
    let said = place.run(&["doctor"]);
    assert!(said.out.contains("z3@4.99.1: answers"), "{said:?}");
    assert!(said.out.contains("ok       package index: has z3 4.99.1"), "{said:?}");
    let said = place.run(&["remove", "z3@4.99.1"]);
    assert_eq!(said.status, Some(0), "{said:?}");
    assert!(!place.path("cache/solvers/z3/4.99.1").exists());
    let said = place.run(&["remove", "z3@4.99.1"]);
    assert_eq!(said.status, Some(2), "{said:?}");
    assert_eq!(place.leftovers(), 0);
}

#[test]
fn without_a_package_index_nothing_is_called_ok_or_new() {
    let place = Place::new("offline");
    place.wheel("4.99.0.0", "any", "none");
    assert_eq!(place.run(&["install", "z3@4.99.0"]).status, Some(0));
    let offline = |mut command: Command| {
        // Nothing listens on this port.
        let output = command.env("PIP_INDEX_URL", "http://127.0.0.1:9/simple").output().unwrap();
        Said::from(output)
    };
    let said = offline(place.command(&["doctor"]));
    assert_eq!(said.status, Some(1), "{said:?}");
    assert!(said.out.contains("BROKEN   package index: pip could not reach"), "{said:?}");
    // A campaign with the releases at hand says that it does not know of newer ones.
    let fuzz = |place: &Place, more: &[&str]| {
        let mut command = place.program();
        command.args(["fuzz", "--solver", "z3", "--strategy", "opfuzz", "--cold", "--cases", "1"]).args(more);
        command
    };
    let said = offline(fuzz(&place, &[]));
    assert!(said.out.contains("could not check whether there are newer releases of z3"), "{said:?}");
    place.wheel("4.99.1.0", "any", "none");
    let said = Said::from(fuzz(&place, &["--out", "other"]).output().unwrap());
    assert!(said.out.contains("z3 4.99.1 is available, but 4.99.0 is used"), "{said:?}");
}

#[test]
fn bad_packages_are_refused_and_leave_nothing() {
    // The flaw, a part of the message, and a part of the help.
    let table = [
        ("truncated", "corrupt", "try again"),
        ("wrong-record", "differs from the one in RECORD", "try again"),
        ("wrong-digest", "corrupt", "pip cache purge"),
        ("no-executable", "contains none of bin/z3", "try again"),
        ("not-a-program", "cannot be started", "executable"),
    ];
    for (flaw, message, help) in table {
        let place = Place::new(&format!("bad-{flaw}"));
        place.wheel("4.99.0.0", "any", flaw);
        let said = place.run(&["install", "z3@4.99.0"]);
        assert_eq!(said.status, Some(2), "{flaw}: {said:?}");
        assert!(said.err.contains(message) && said.err.contains(help), "{flaw}: {said:?}");
        assert!(!place.path("cache/solvers/z3").exists(), "{flaw}");
        assert_eq!(place.leftovers(), 0, "{flaw}");
    }
}

#[test]
fn unavailable_solvers_are_explained() {
    let place = Place::new("explained");
    place.wheel("4.99.0.0", "any", "none");
    place.wheel("4.98.0.0", "win_amd64", "none");
    fs::write(place.path("plain-file"), "x").unwrap();
    let table: [(&[&str], &str, &str); 8] = [
        (&["install", "zzz"], "no known solver is called `zzz`", "known solvers are"),
        (&["install", "z3@1.2.3"], "release 1.2.3 of z3 is not available", "4.99.0"),
        (&["install", "z3@4.98.0"], "z3 4.98.0 is not available for this machine", "build z3"),
        (&["install", "dreal"], "dreal cannot be installed automatically", "[solver.NAME]"),
        (&["install", "z3@--upgrade"], "does not name a solver", "NAME@RELEASE"),
        (&["options", "./plain-file"], "is not executable", "chmod +x"),
        (&["options", "./missing"], "No such file", "path of an executable"),
        (&["list", "--available", "zzz"], "no known solver is called `zzz`", "known solvers are"),
    ];
    for (arguments, message, help) in table {
        let said = place.run(arguments);
        assert_eq!(said.status, Some(2), "{arguments:?}: {said:?}");
        assert!(said.err.contains(message) && said.err.contains(help), "{arguments:?}: {said:?}");
        assert_eq!(said.err.matches("error:").count(), 1, "one error for {arguments:?}: {said:?}");
    }
}

#[test]
fn missing_tools_and_networks_are_explained() {
    let place = Place::new("tools");
    let no_pip = place.script("bin/no-pip", "echo \"$0: No module named pip\" >&2; exit 1");
    let table: [(&str, &str, &str, &str); 3] = [
        (
            "PIP_INDEX_URL",
            "http://127.0.0.1:9/simple",
            "could not reach its package index",
            "pip config list",
        ),
        ("ELENCHUS_PYTHON", "/nonexistent/python", "Python (/nonexistent/python", "python3-pip"),
        ("ELENCHUS_PYTHON", no_pip.to_str().unwrap(), "cannot find pip", "ensurepip"),
    ];
    for (variable, value, message, help) in table {
        let said = Said::from(place.command(&["install", "yices"]).env(variable, value).output().unwrap());
        assert_eq!(said.status, Some(2), "{value}: {said:?}");
        assert!(said.err.contains(message) && said.err.contains(help), "{value}: {said:?}");
    }
}

#[test]
fn solvers_of_the_users_own_are_found() {
    let place = Place::new("own");
    place.script("bin/z3", "echo 'Z3 version 4.8.12 - 64 bit'");
    place.script("bin/strange", "echo 'Something else 1.0'");
    let config = "[solver.mine]\npath = \"bin/strange\"\nprofile = \"cvc5\"\nversion = \"7\"\n";
    fs::write(place.path("elenchus.toml"), config).unwrap();
    let listed =
        Said::from(place.command(&["list", "--json"]).env("PATH", place.path("bin")).output().unwrap());
    assert_eq!(listed.status, Some(0), "{listed:?}");
    for part in ["\"z3@path\"", "\"4.8.12\"", "\"mine\"", "\"7\""] {
        assert!(listed.out.contains(part), "{part} in {listed:?}");
    }
    let said = place.run(&["options", "./bin/strange"]);
    assert!(
        said.err.contains("not a solver that Elenchus knows") && said.err.contains("profile = "),
        "{said:?}"
    );
    let profiles = place.path("profiles");
    fs::create_dir_all(&profiles).unwrap();
    fs::write(profiles.join("z3.toml"), "theorys = []\n").unwrap();
    let said = Said::from(place.command(&["list"]).env("ELENCHUS_PROFILES", &profiles).output().unwrap());
    assert_eq!(said.status, Some(2), "{said:?}");
    assert!(said.err.contains("theorys") && said.err.contains("z3.toml"), "{said:?}");
    fs::write(place.path("elenchus.toml"), "[solver.mine]\npaht = \"bin/strange\"\n").unwrap();
    let said = place.run(&["list"]);
    assert_eq!(said.status, Some(2), "{said:?}");
    assert!(said.err.contains("paht") && said.err.contains("elenchus.toml"), "{said:?}");
}

/// A Python that counts downloads and is slow at them.
fn slow_python(place: &Place, seconds: u32) -> PathBuf {
    let log = place.path("downloads.log");
    let text = format!(
        "for word in \"$@\"; do if [ \"$word\" = download ]; then echo $$ >> {}; sleep {seconds}; fi; done\nexec python3 \"$@\"",
        log.display()
    );
    place.script("bin/slow-python", &text)
}

fn downloads(place: &Place) -> Vec<String> {
    let log = fs::read_to_string(place.path("downloads.log")).unwrap_or_default();
    log.lines().map(str::to_owned).collect()
}

#[test]
fn two_at_once_download_once() {
    let place = Place::new("two-at-once");
    place.wheel("4.99.0.0", "any", "none");
    let python = slow_python(&place, 1);
    let start = || -> Child {
        let mut command = place.command(&["install", "z3@4.99.0"]);
        command.env("ELENCHUS_PYTHON", &python).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let children = [start(), start(), start()];
    for child in children {
        let said = Said::from(child.wait_with_output().unwrap());
        assert_eq!(said.status, Some(0), "{said:?}");
    }
    assert_eq!(downloads(&place).len(), 1);
    assert_eq!(place.leftovers(), 0);
}

#[test]
fn a_kill_in_the_middle_leaves_nothing_broken() {
    let place = Place::new("killed");
    place.wheel("4.99.0.0", "any", "none");
    let python = slow_python(&place, 60);
    let mut command = place.command(&["install", "z3@4.99.0"]);
    let mut child = command.env("ELENCHUS_PYTHON", &python).stderr(Stdio::null()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(50);
    while downloads(&place).is_empty() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    for process in downloads(&place) {
        Command::new("kill").args(["-9", &process]).status().unwrap();
    }
    assert_eq!(place.leftovers(), 1, "the killed process could not clean up");
    let listed = place.run(&["list", "--json", "z3"]);
    assert!(!listed.out.contains("4.99.0"), "half of a solver does not count: {listed:?}");

    let said = place.run(&["install", "z3@4.99.0"]);
    assert_eq!(said.status, Some(0), "{said:?}");
    assert_eq!(place.leftovers(), 0, "the next installation cleans up");
}
