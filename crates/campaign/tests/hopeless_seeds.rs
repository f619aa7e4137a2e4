//! Seeds that no solver answers are asked about once per folder, and seeds that take long are used once they are answered.

#[allow(dead_code)]
mod support;

use campaign::{Plan, Pool, Purpose, Settings, Statistics, Summary};
use smt::Signatures;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use store::Store;
use strategies::{Seed, StrategyContext, Unchanged, by_name};
use support::{Silent, script_solver};
use triage::{ModelJudge, NoOpinion};

fn judges() -> Box<dyn ModelJudge> {
    Box::new(NoOpinion)
}

/// A campaign of a strategy over two seeds with solvers that run a script.
fn campaign_of(
    strategy: &str,
    folder: &Path,
    ids: &[&str],
    script: &str,
    timeout: u64,
    cases: Option<u64>,
) -> Summary {
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
        cases,
        jobs: 2,
        ..Settings::default()
    };
    let strategy = by_name(strategy, &StrategyContext::new(Signatures::standard())).unwrap();
    let plan = Plan {
        settings,
        targets: ids.iter().map(|id| script_solver(folder, id, script)).collect(),
        strategies: vec![Arc::from(strategy)],
        pool: Pool { seeds: (0..2).map(seed).collect(), unusable: Vec::new() },
        judges: &judges,
        options: Vec::new(),
        installer: None,
    };
    campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Silent).unwrap()
}

/// The statistics of a campaign that runs the seeds as they are.
fn statistics(folder: &Path, ids: [&str; 2], script: &str, timeout: u64) -> Statistics {
    campaign_of(Unchanged::NAME, folder, &ids, script, timeout, None).snapshot.statistics
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

#[test]
fn a_strategy_waits_for_the_answer_to_a_slow_seed() {
    let folder = tempfile::tempdir().unwrap();
    let slow = "sleep 0.6; echo sat; echo '((define-fun x () Int 5))'";
    let summary = campaign_of("diver", folder.path(), &["z3@1"], slow, 20_000, Some(2));
    let unusable: Vec<&str> = summary.unusable_seeds.iter().map(|seed| seed.reason.as_str()).collect();
    assert!(summary.snapshot.statistics.cases > 0, "{unusable:?}");
    assert_eq!(summary.snapshot.statistics.time.of(Purpose::HardSeeds).unanswered, 0);
}

#[test]
fn seeds_that_get_no_answer_at_all_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let summary = campaign_of("diver", folder.path(), &["z3@1"], "sleep 5; echo sat", 400, None);
    let unusable: Vec<&str> = summary.unusable_seeds.iter().map(|seed| seed.reason.as_str()).collect();
    assert_eq!(unusable, ["no solver returned a model of the seed"; 2]);
}
