//! A campaign reduces its findings and merges those of one bug.

#[allow(dead_code)]
mod support;

use campaign::{Plan, Pool, Purpose, Settings};
use smt::Signatures;
use solver::Target;
use solver::install::{InstallError, Settings as InstallSettings};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use store::{Listed, Store};
use strategies::{Seed, Unchanged};
use support::{Silent, script_solver};
use triage::automatic::TriagedFinding;
use triage::{ModelJudge, NoOpinion, SolverSource};

fn judges() -> Box<dyn ModelJudge> {
    Box::new(NoOpinion)
}

/// Has no solvers besides those of the campaign.
struct Nothing(InstallSettings);

impl SolverSource for Nothing {
    fn resolve(&self, spec: &str) -> Result<Target, InstallError> {
        Err(InstallError::NotInstalled { spec: spec.to_owned() })
    }

    fn settings(&self) -> &InstallSettings {
        &self.0
    }
}

const SCRIPTS: [&str; 2] = [
    "(declare-const x Int)\n(declare-const s String)\n(assert (= (mod x 7) 3))\n(assert (= s \"\"))\n(check-sat)\n",
    "(declare-const x Int)\n(declare-const b (_ BitVec 8))\n(assert (= (mod x 5) 2))\n(assert (= b #x00))\n(check-sat)\n",
];

/// The findings of a campaign with a solver that is wrong about `mod`.
fn findings(folder: &Path, source: Option<&dyn SolverSource>) -> Vec<Listed> {
    let mut store = Store::open(&folder.join("out")).unwrap();
    let seed = |(number, text): (usize, &&str)| Seed::new(format!("{number}.smt2"), *text);
    let settings = Settings {
        warm: false,
        models: false,
        own_checks: false,
        performance: false,
        incremental: false,
        ..Settings::default()
    };
    let wrong = "if grep -q '^(assert.*(mod x ' \"$file\" && grep -q check-sat \"$file\"; then echo unsat; else echo sat; fi";
    let plan = Plan {
        settings,
        targets: vec![
            script_solver(folder, "z3@1", &format!("for file; do :; done; {wrong}")),
            script_solver(folder, "cvc5@1", "echo sat"),
        ],
        strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
        pool: Pool { seeds: SCRIPTS.iter().enumerate().map(seed).collect(), unusable: Vec::new() },
        judges: &judges,
        options: Vec::new(),
        source,
    };
    let summary = campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Silent).unwrap();
    let triaged = summary.snapshot.statistics.time.of(Purpose::Triage).total();
    assert_eq!(triaged > 0, source.is_some());
    store.findings().unwrap()
}

#[test]
fn two_cases_of_one_bug_become_one_small_finding() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(findings(folder.path(), None).len(), 2);
    let folder = tempfile::tempdir().unwrap();
    let source = Nothing(InstallSettings::new(folder.path().join("cache"), "no-driver".into()));
    let listed = findings(folder.path(), Some(&source));
    let [one] = listed.as_slice() else { panic!("{listed:?}") };
    assert_eq!(one.count, 2);
    assert!(one.title.contains("mod"), "{}", one.title);
    let triaged = TriagedFinding::saved(&folder.path().join("out").join(&one.folder)).unwrap();
    assert!(triaged.finished && triaged.script.len() < SCRIPTS[0].len(), "{}", triaged.script);
}
