//! Shell scripts as solvers, and findings to store.

use case::{
    Class, Clause, Crash, Expectation, FINDING_FORMAT, Finding, Origin, Outcome, Predicate, RunResult,
    Signature, SolverRun,
};
use solver::install::{InstallError, Settings};
use solver::run::Limits;
use solver::{Profile, Target};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;
use store::{Store, Texts};
use tempfile::TempDir;
use triage::{Listing, SolverSource};

/// A script with the models `x = 3` and `x = -3`, among others, but not `x = 1`.
pub const SCRIPT: &str = "(declare-const x Int)\n(assert (> (* x x) 8))\n(check-sat)\n";

/// Answers `unsat`.
pub const UNSAT: &str = "echo unsat";
/// Answers `sat` with a model of [`SCRIPT`].
pub const SAT: &str = "echo sat; if grep -q get-model \"$file\"; then echo '((define-fun x () Int 3))'; fi";
/// Answers `sat` with a wrong model of [`SCRIPT`].
pub const WRONG_MODEL: &str =
    "echo sat; if grep -q get-model \"$file\"; then echo '((define-fun x () Int 1))'; fi";
/// Answers `sat`, but has no model.
pub const SAT_WITHOUT_MODEL: &str = "echo sat";
/// Answers `unknown`.
pub const UNKNOWN: &str = "echo unknown";
/// Crashes.
pub const SEGFAULT: &str = "kill -SEGV $$";
/// Rejects its own model, in the words of Z3.
pub const OWN_MODEL_CHECK: &str = "echo sat; echo '(error \"line 1: an invalid model was generated\")'";
/// Rejects its own proof, in the words of cvc5.
pub const OWN_PROOF_CHECK: &str = "echo unsat; echo '(error \"Proof check failed\")'";

/// Limits that no test reaches.
pub fn limits() -> Limits {
    Limits { wall: Duration::from_secs(60), ..Limits::default() }
}

/// Shell scripts that play releases of solvers.
pub struct Programs {
    folder: TempDir,
    targets: BTreeMap<String, Target>,
    settings: Settings,
}

impl Programs {
    /// Programs by their specs, such as `z3@1.0`. The script is in `$file`.
    pub fn new(programs: &[(&str, &str)]) -> Programs {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings::new(folder.path().join("cache"), "no-driver".into());
        let mut all = Programs { folder, targets: BTreeMap::new(), settings };
        for (spec, body) in programs {
            all.add(spec, body);
        }
        all
    }

    /// Adds or replaces a program.
    pub fn add(&mut self, spec: &str, body: &str) {
        let program = self.folder.path().join(spec);
        fs::write(&program, format!("#!/bin/sh\nfor file; do :; done\n{body}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let (name, version) = spec.split_once('@').unwrap();
        let target = Target::executable(spec, program, Profile::built_in(name).unwrap());
        self.targets.insert(spec.to_owned(), Target { version: version.to_owned(), ..target });
    }

    /// The program with this spec.
    pub fn target(&self, spec: &str) -> &Target {
        &self.targets[spec]
    }

    /// The clauses of a predicate with their programs.
    pub fn clauses(&self, predicate: &str) -> Vec<(Clause, Target)> {
        let clauses = Predicate::parse(predicate).unwrap().clauses;
        clauses.into_iter().map(|clause| (clause.clone(), self.target(&clause.spec).clone())).collect()
    }

    /// A folder for files of the test.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl SolverSource for Programs {
    fn resolve(&self, spec: &str) -> Result<Target, InstallError> {
        let not_installed = || InstallError::NotInstalled { spec: spec.to_owned() };
        self.targets.get(spec).cloned().ok_or_else(not_installed)
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn releases(&self, name: &str) -> Listing {
        let labels = self.targets.values().filter(|target| target.name == name);
        Listing { labels: labels.map(|target| target.version.clone()).collect(), problem: None }
    }
}

/// The finding of a crash of `z3@1.0` with this message.
pub fn crash_finding(message: &str) -> Finding {
    let crash = Crash::message(message);
    let result = RunResult { outcome: Outcome::Crash(crash.clone()), answers: Vec::new() };
    let runs = vec![testing::solver_run("z3@1.0", result, true)];
    let signature = Signature::Crash { solver: "z3".to_owned(), crash, theories: ["Ints".to_owned()].into() };
    finding(Class::Crash, signature, runs)
}

/// A finding with these runs.
pub fn finding(class: Class, signature: Signature, runs: Vec<SolverRun>) -> Finding {
    Finding {
        format: FINDING_FORMAT,
        class,
        signature,
        evidence: Vec::new(),
        predicate: triage::claims(class, &[], &runs),
        runs,
        models: false,
        own_checks: false,
        theories: ["Ints".to_owned()].into(),
        origin: Origin {
            campaign_seed: 1,
            strategy: "seeds".to_owned(),
            seed_hash: "00".to_owned(),
            round: 0,
            index: 0,
        },
        seed_name: "seed.smt2".to_owned(),
        lineage: Vec::new(),
        learned: Vec::new(),
        dialogue: Vec::new(),
        expectation: Expectation::Unknown,
        signature_files: Vec::new(),
        found_by: "test".to_owned(),
    }
}

/// Stores findings with [`SCRIPT`] as their case, and returns their names.
pub fn stored(out: &Path, findings: &[Finding]) -> Vec<String> {
    let mut store = Store::open(out).unwrap();
    let texts = Texts { case: SCRIPT, seed: "(check-sat)\n", plain: None };
    findings.iter().map(|finding| store.record(finding, texts).unwrap().id().to_owned()).collect()
}
