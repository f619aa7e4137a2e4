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

/// How many campaigns must have the same cases.
const RUNS: usize = 3;

/// Threads that keep the processors busy beside all campaigns but the first.
const BUSY: usize = 4;

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
        settings: Settings { cases: Some(12), seed: 7, timeout: 500, ..Settings::default() },
        targets: targets.to_vec(),
        strategies,
        pool,
        judges: &judges,
        options: Vec::new(),
        installer: None,
    };
    let summary = campaign::run(plan, &mut store, None, &AtomicBool::new(false), &mut Silent).unwrap();
    let statistics = summary.snapshot.statistics;
    (statistics.digest, statistics.machine_dependent)
}

/// Runs something while other threads use the processors.
fn under_load<T>(run: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..BUSY {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop()
                }
            });
        }
        let result = run();
        done.store(true, Ordering::Relaxed);
        result
    })
}

/// Every strategy alone, and all together.
#[test]
fn load_does_not_change_the_cases() {
    let installing = InstallSettings::from_environment().unwrap();
    let target = match install::resolve("z3@5.4.0", &installing) {
        Ok(target) => target,
        Err(error) => return testing::skip(error),
    };
    let targets = [target];
    // An external generator needs a program.
    let all: Vec<&str> = strategies::names().filter(|name| *name != strategies::Command::NAME).collect();
    let alone = all.iter().map(|name| vec![*name]);
    let mut by_the_clock = Vec::new();
    for names in alone.chain([all.clone()]) {
        let mut digests = vec![digest(&names, &targets)];
        digests.extend((1..RUNS).map(|_| under_load(|| digest(&names, &targets))));
        // A campaign says how many questions the clock ended, which happens on a very slow machine.
        if digests.iter().any(|(_, ended_by_the_clock)| *ended_by_the_clock > 0) {
            by_the_clock.push(names);
            continue;
        }
        let first = digests[0];
        assert!(digests.iter().all(|digest| *digest == first), "{names:?}: {digests:?}");
    }
    assert!(by_the_clock.len() < all.len() / 2, "the clock ended questions of {by_the_clock:?}");
}
