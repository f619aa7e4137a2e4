//! With a limit on cases and one worker, the same seed gives the same cases, whatever else the machine does.

#[allow(dead_code)]
mod support;

use campaign::{Plan, Pool, Settings};
use smt::Signatures;
use solver::Target;
use solver::install::{self, Settings as InstallSettings};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use store::Store;
use strategies::{Strategy, StrategyContext};
use support::Silent;
use triage::{Evaluated, ModelJudge};

/// Strategies whose cases depend on answers of solvers, and all of them together.
const CHOICES: [&[&str]; 3] =
    [&["valfuzz"], &["diver"], &["histfuzz", "valfuzz", "diver", "typefuzz", "grammar"]];

/// The digest of the cases of a campaign, and how many questions the clock ended.
fn digest(names: &[&str], targets: &[Target]) -> (u64, u64) {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("out")).unwrap();
    let context = StrategyContext::new(Signatures::standard());
    let strategies: Vec<Arc<dyn Strategy>> =
        names.iter().map(|name| Arc::from(strategies::by_name(name, &context).unwrap())).collect();
    let mut pool = Pool::built_in();
    pool.seeds = pool.seeds.into_iter().step_by(12).collect();
    let judges = || Box::new(Evaluated::default()) as Box<dyn ModelJudge>;
    let plan = Plan {
        settings: Settings { cases: Some(40), seed: 7, timeout: 500, ..Settings::default() },
        targets: targets.to_vec(),
        strategies,
        pool,
        judges: &judges,
        options: Vec::new(),
    };
    let summary = campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Silent).unwrap();
    let statistics = summary.snapshot.statistics;
    (statistics.digest, statistics.machine_dependent)
}

#[test]
fn load_does_not_change_the_cases() {
    let installing = InstallSettings::from_environment().unwrap();
    let target = match install::resolve("z3@5.4.0", &installing) {
        Ok(target) => target,
        Err(error) => return testing::skip(error),
    };
    for names in CHOICES {
        let quiet = digest(names, std::slice::from_ref(&target));
        let done = AtomicBool::new(false);
        let loaded = std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        std::hint::spin_loop()
                    }
                });
            }
            let loaded = digest(names, std::slice::from_ref(&target));
            done.store(true, Ordering::Relaxed);
            loaded
        });
        // A question that the clock ended would be told, and is no failure on a machine that is slow enough.
        if quiet.1 == 0 && loaded.1 == 0 {
            assert_eq!(quiet.0, loaded.0, "{names:?}");
        }
    }
}
