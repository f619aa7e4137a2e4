//! A folder with seeds and two solvers: one answers, the other crashes at one of some places, which follows from the script.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// How many bugs the second solver has.
pub const BUGS: usize = 23;

/// The folder.
pub struct Ground(tempfile::TempDir);

impl Ground {
    pub fn new() -> Ground {
        let ground = Ground(tempfile::tempdir().unwrap());
        fs::create_dir(ground.at("seeds")).unwrap();
        let crash = format!(
            "for file; do :; done\nn=$(($(wc -c < \"$file\") % {BUGS}))\necho \"ASSERTION VIOLATION\"\n\
             echo \"File: ../src/f$n.cpp\"\necho \"Line: $n\"\necho \"x$n\"\nexit 114"
        );
        // A case takes so long on every machine, so that there is time for faults.
        ground.solver("yes", "sleep 0.05\necho sat");
        ground.solver("no", &crash);
        let block = |name: &str, profile: &str| {
            format!("[solver.{name}]\npath = \"./{name}\"\nprofile = \"{profile}\"\nversion = \"1.0\"\n")
        };
        fs::write(ground.at("elenchus.toml"), block("yes", "cvc5") + &block("no", "z3")).unwrap();
        for number in 0..12 {
            let text = format!(
                "(declare-const x Int)\n(declare-const y Int)\n(assert (or (> (* x {number}) (+ y 1)) (< y (- x))))\n(check-sat)\n"
            );
            fs::write(ground.at(&format!("seeds/{number}.smt2")), text).unwrap();
        }
        ground
    }

    pub fn solver(&self, name: &str, body: &str) {
        let path = self.at(name);
        fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `elenchus` in this folder, with a store.
    pub fn command(&self, store: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elenchus"));
        command
            .current_dir(self.0.path())
            .args(arguments)
            .env("ELENCHUS_STORE", store)
            .env("XDG_DATA_HOME", self.at("data"))
            .env_remove("ELENCHUS_CAMPAIGN")
            .stdin(Stdio::null());
        command
    }

    /// Fuzzes in a campaign of the store.
    pub fn fuzz(&self, store: &str, campaign: &str, more: &[&str]) -> Command {
        let usual = ["fuzz", "--campaign", campaign, "--only", "fuzz", "--json"];
        self.command(store, &[&usual, more].concat())
    }

    pub fn run(&self, store: &str, campaign: &str, more: &[&str]) -> Output {
        self.fuzz(store, campaign, more).output().unwrap()
    }
}

/// What starts a campaign on the ground. No strategy asks solvers anything, so nothing depends on the speed of the machine.
pub fn start(cases: u64) -> Vec<String> {
    let words = "seeds --solver yes --solver no --strategy seeds,typefuzz,opfuzz,swap --seed 7 --no-performance --oracle none";
    let cases = format!("--cases {cases}");
    words.split(' ').chain(cases.split(' ')).map(str::to_owned).collect()
}
