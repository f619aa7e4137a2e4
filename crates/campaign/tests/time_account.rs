//! The time account of campaigns against shell scripts whose time is known.

#[allow(dead_code)]
mod support;

use campaign::{Plan, Pool, Purpose, Settings, Statistics};
use smt::Signatures;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use store::Store;
use strategies::{Seed, Unchanged};
use support::{Silent, script_solver};
use triage::{ModelJudge, NoOpinion};

fn judges() -> Box<dyn ModelJudge> {
    Box::new(NoOpinion)
}

/// The statistics of a campaign over `seeds` seeds with two solvers that run these scripts, and how long it took.
fn statistics(bodies: [&str; 2], seeds: usize, timeout: u64) -> (Statistics, Duration) {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("out")).unwrap();
    let seed = |number: usize| {
        let text = format!("(declare-const x Int)(assert (> x {number}))(check-sat)");
        Seed::new(format!("{number}.smt2"), text)
    };
    let plan = Plan {
        settings: Settings {
            warm: false,
            models: false,
            own_checks: false,
            performance: false,
            timeout,
            seed: 7,
            ..Settings::default()
        },
        targets: ["cvc5@1", "z3@1"]
            .into_iter()
            .zip(bodies)
            .map(|(id, body)| script_solver(folder.path(), id, body))
            .collect(),
        strategies: vec![Arc::new(Unchanged::new(Signatures::standard()))],
        pool: Pool { seeds: (0..seeds).map(seed).collect(), unusable: Vec::new() },
        judges: &judges,
        options: Vec::new(),
        installer: None,
    };
    let started = Instant::now();
    let summary = campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Silent).unwrap();
    (summary.snapshot.statistics, started.elapsed())
}

#[test]
fn the_account_adds_up_to_the_time_of_the_worker() {
    let (statistics, took) = statistics(["sleep 0.04; echo sat", "sleep 0.08; echo sat"], 20, 2_000);
    let cases = |solver: &str| statistics.time.of_solver(Purpose::Cases, solver);
    // A sleep never takes less than it was asked for. A busy machine adds to it, up to the time limit.
    assert!(cases("cvc5@1").total() >= 20 * 40_000, "{statistics:?}");
    assert!(cases("z3@1").total() >= 20 * 80_000, "{statistics:?}");
    assert_eq!(cases("z3@1").runs, 20);
    let sum = statistics.time.total().total() + statistics.own_time();
    assert_eq!(sum, statistics.busy, "solvers ran longer than the worker");
    // The campaign also opens and closes its database, which a slow disk can make last as long as it likes.
    assert!(statistics.busy <= took.as_micros() as u64, "{took:?} {statistics:?}");
}

#[test]
fn time_without_an_answer_is_counted_apart() {
    let (statistics, _) = statistics(["echo sat", "sleep 5; echo sat"], 4, 100);
    let quick = statistics.time.of_solver(Purpose::Cases, "cvc5@1");
    let stuck = statistics.time.of_solver(Purpose::Cases, "z3@1");
    assert_eq!((quick.unanswered, stuck.answered), (0, 0), "{statistics:?}");
    assert!(stuck.unanswered >= 4 * 100_000, "{statistics:?}");
}

#[test]
fn wrong_results_are_confirmed_on_their_own_account() {
    let (statistics, _) = statistics(["echo sat", "sleep 0.03; echo unsat"], 1, 2_000);
    let confirming = statistics.time.of_solver(Purpose::Confirmation, "z3@1");
    assert!(confirming.runs > 0 && confirming.answered >= confirming.runs * 30_000, "{statistics:?}");
}
