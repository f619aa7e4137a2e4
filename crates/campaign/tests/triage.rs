//! A campaign reduces its findings, merges those of one bug, and reports them.

#[allow(dead_code)]
mod support;

use campaign::{Ended, Event, Listener, Plan, Pool, Purpose, Settings};
use smt::Signatures;
use solver::install::Settings as InstallSettings;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use store::{Listed, Store};
use strategies::{OpFuzz, Seed, Unchanged};
use support::{Silent, script_solver};
use triage::automatic::{REPORT, TriagedFinding};
use triage::{ModelJudge, NoOpinion};

fn judges() -> Box<dyn ModelJudge> {
    Box::new(NoOpinion)
}

const SCRIPTS: [&str; 2] = [
    "(declare-const x Int)\n(declare-const s String)\n(assert (= (mod x 7) 3))\n(assert (= s \"\"))\n(check-sat)\n",
    "(declare-const x Int)\n(declare-const b (_ BitVec 8))\n(assert (= (mod x 5) 2))\n(assert (= b #x00))\n(check-sat)\n",
];

/// A campaign with a solver that is wrong about `mod`, and one that is not.
fn plan<'a>(folder: &Path, names: [&str; 2], installer: Option<&'a InstallSettings>) -> Plan<'a> {
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
    let targets = vec![script_solver(folder, names[0], wrong), script_solver(folder, names[1], "echo sat")];
    Plan {
        settings,
        targets,
        strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
        pool: Pool { seeds: SCRIPTS.iter().enumerate().map(seed).collect(), unusable: Vec::new() },
        judges: &judges,
        options: Vec::new(),
        installer,
    }
}

/// The findings of a campaign.
fn findings(folder: &Path, installer: Option<&InstallSettings>) -> Vec<Listed> {
    let mut store = Store::open(&folder.join("out")).unwrap();
    let plan = plan(folder, ["z3@1", "cvc5@1"], installer);
    let summary = campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Silent).unwrap();
    let triaged = summary.snapshot.statistics.time.of(Purpose::Triage).total();
    assert_eq!(triaged > 0, installer.is_some());
    store.findings().unwrap()
}

#[test]
fn two_cases_of_one_bug_become_one_small_finding() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(findings(folder.path(), None).len(), 2);
    let folder = tempfile::tempdir().unwrap();
    let installer = InstallSettings::new(folder.path().join("cache"), "no-driver".into());
    let listed = findings(folder.path(), Some(&installer));
    let [one] = listed.as_slice() else { panic!("{listed:?}") };
    assert_eq!(one.count, 2);
    assert!(one.title.contains("mod"), "{}", one.title);
    let triaged = TriagedFinding::saved(&folder.path().join("out").join(&one.folder)).unwrap();
    assert!(triaged.finished && triaged.script.len() < SCRIPTS[0].len(), "{}", triaged.script);
}

#[test]
fn a_triaged_finding_explains_those_that_wait() {
    let folder = tempfile::tempdir().unwrap();
    let installer = InstallSettings::new(folder.path().join("cache"), "no-driver".into());
    let mut plan = plan(folder.path(), ["z3@1", "cvc5@1"], Some(&installer));
    // Different operators beside `mod`, so that the cases have different signatures.
    let others = [
        "(= 1 (abs x))",
        "(= 1 (- x))",
        "(= \"\" (str.from_int x))",
        "(is_int 1.0)",
        "(= 1.0 (to_real x))",
        "(= #b1 ((_ int_to_bv 1) x))",
    ];
    let script = |other: &str| {
        format!("(declare-const x Int)\n(assert (= (mod x 7) 3))\n(assert {other})\n(check-sat)\n")
    };
    plan.pool.seeds = others.iter().map(|other| Seed::new(*other, script(other))).collect();
    let mut store = Store::open(&folder.path().join("out")).unwrap();
    campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Silent).unwrap();
    let listed = store.findings().unwrap();
    let [one] = listed.as_slice() else { panic!("{listed:?}") };
    assert_eq!(one.count, others.len() as u64);
    // Cases that come after the first reduction need not become findings of their own.
    let all = store.all_findings().unwrap();
    let triaged = all.iter().filter(|one| TriagedFinding::saved(&store.folder().join(&one.folder)).is_some());
    assert!(triaged.count() < others.len(), "every case was reduced: {all:?}");
}

/// Ends a campaign when a report is written.
struct UntilReported<'a>(&'a AtomicBool);

impl Listener for UntilReported<'_> {
    fn event(&mut self, event: &Event) {
        if let Event::Reported { releases, .. } = event {
            assert_eq!(*releases, None, "a script is not a release");
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn a_report_is_written_while_the_campaign_runs() {
    let folder = tempfile::tempdir().unwrap();
    let installer = InstallSettings::new(folder.path().join("cache"), "no-driver".into());
    // Names without a release: there are no others to test.
    let mut plan = plan(folder.path(), ["z3", "cvc5"], Some(&installer));
    plan.strategies.push(Arc::new(OpFuzz::new(Signatures::standard())));
    plan.settings.time = Some(120_000);
    let mut store = Store::open(&folder.path().join("out")).unwrap();
    let interrupt = AtomicBool::new(false);
    let mut listener = UntilReported(&interrupt);
    let summary = campaign::run(plan, &mut store, None, &interrupt, &mut listener).unwrap();
    assert_eq!(summary.ended, Ended::Interrupted, "no report was written");
    assert!(summary.snapshot.statistics.reports.written > 0);
    let reported =
        |listed: &Listed| std::fs::read_to_string(store.folder().join(&listed.folder).join(REPORT)).ok();
    let reports: Vec<String> = store.findings().unwrap().iter().filter_map(reported).collect();
    assert!(reports.iter().any(|report| report.contains("mod")), "{reports:?}");
}
