//! Seeds that no solver answers are asked about once per folder.

#[allow(dead_code)]
mod support;

use campaign::{Plan, Pool, Purpose, Settings, Statistics};
use smt::Signatures;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use store::Store;
use strategies::{Seed, Unchanged};
use support::{Silent, script_solver};
use triage::{ModelJudge, NoOpinion};

fn judges() -> Box<dyn ModelJudge> {
    Box::new(NoOpinion)
}

/// The statistics of a campaign over two seeds with solvers that run a script.
fn statistics(folder: &Path, ids: [&str; 2], script: &str, timeout: u64) -> Statistics {
    let mut store = Store::open(&folder.join("out")).unwrap();
    let seed = |number: u32| {
        let text = format!("(declare-const x Int)(assert (> x {number}))(check-sat)");
        Seed::new(format!("{number}.smt2"), text)
    };
    let settings = Settings {
        warm: false,
        models: false,
        own_checks: false,
        performance: false,
        timeout,
        ..Settings::default()
    };
    let plan = Plan {
        settings,
        targets: ids.into_iter().map(|id| script_solver(folder, id, script)).collect(),
        strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
        pool: Pool { seeds: (0..2).map(seed).collect(), unusable: Vec::new() },
        judges: &judges,
        options: Vec::new(),
        installer: None,
    };
    let summary = campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Silent).unwrap();
    summary.snapshot.statistics
}

#[test]
fn the_next_campaign_does_not_wait_for_hopeless_seeds() {
    let folder = tempfile::tempdir().unwrap();
    let releases = ["cvc5@1", "z3@1"];
    // The solvers, their time limit, and how many of the two seeds are skipped.
    let table = [
        (releases, 300, 0),
        (releases, 300, 2),
        (releases, 400, 0),
        (["cvc5@1", "z3@2"], 300, 0),
        (["cvc5@1", "z3"], 300, 0),
        (["cvc5@1", "z3"], 300, 0),
    ];
    for (ids, timeout, skipped) in table {
        let statistics = statistics(folder.path(), ids, "sleep 5; echo sat", timeout);
        assert_eq!(statistics.skipped, skipped, "{ids:?} {timeout}");
        let runs = statistics.time.of(Purpose::HardSeeds).runs;
        assert_eq!(runs > 0, skipped == 0, "{ids:?} {timeout}");
    }
}

#[test]
fn seeds_with_answers_are_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let statistics = statistics(folder.path(), ["cvc5@1", "z3@1"], "echo sat", 2_000);
        assert_eq!((statistics.cases, statistics.skipped), (2, 0));
    }
}
