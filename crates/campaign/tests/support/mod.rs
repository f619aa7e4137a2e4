//! Shell scripts that play solvers, and a listener that ignores everything.

use campaign::{Event, Listener, Plan, Pool, Settings, Statistics};
use case::Finding;
use smt::Signatures;
use solver::{Profile, Target};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use store::Store;
use strategies::{Seed, Unchanged};
use triage::{Evaluated, ModelJudge};

/// A solver that is a shell script with the profile of the solver before the `@` of its id. In the script, `$file` is the last
/// argument.
pub fn script_solver(folder: &Path, id: &str, body: &str) -> Target {
    let program = folder.join(id);
    fs::write(&program, format!("#!/bin/sh\nfor file; do :; done\n{body}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let name = id.split('@').next().unwrap();
    Target::executable(id, program, Profile::built_in(name).unwrap())
}

/// The findings of a campaign that runs one script as it is, with their cases, and its statistics.
#[allow(dead_code, reason = "not every test uses it")]
pub fn findings_of(
    folder: &Path,
    script: &str,
    targets: Vec<Target>,
    settings: Settings,
) -> (Vec<(Finding, String)>, Statistics) {
    let mut store = Store::open(&folder.join("out")).unwrap();
    let plan = Plan {
        settings,
        targets,
        strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
        pool: Pool { seeds: vec![Seed::new("one.smt2", script)], unusable: Vec::new() },
        judges: &|| -> Box<dyn ModelJudge> { Box::new(Evaluated::default()) },
        options: Vec::new(),
        installer: None,
    };
    let summary = campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Silent).unwrap();
    let listed = store.findings().unwrap();
    let found = listed.iter().map(|one| {
        let (finding, case, _) = store.read(one).unwrap();
        (finding, case)
    });
    (found.collect(), summary.snapshot.statistics)
}

/// Ignores all events.
pub struct Silent;

impl Listener for Silent {
    fn event(&mut self, _: &Event) {}
}
