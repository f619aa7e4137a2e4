//! Several workers: the result is the same, and they start only where they pay.

mod support;

use reduce::{Abort, Need, Reproduced, Tester};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use support::{ByFunction, Improvements, LARGE, reduced, uses};

#[test]
fn the_result_does_not_depend_on_the_number_of_workers() {
    let shows: fn(&str) -> bool = |script| uses(script, "str.replace_all") && uses(script, ">");
    let (one, _) = reduced(LARGE, None, shows, 1, usize::MAX);
    for workers in [2, 5] {
        let (many, _) = reduced(LARGE, None, shows, workers, usize::MAX);
        assert_eq!(many.script, one.script);
    }
}

/// The first test takes a second, the others take `later`.
struct Timed {
    inner: ByFunction,
    later: Duration,
}

impl Tester for Timed {
    fn test(&mut self, script: &str, need: Need) -> Result<Option<Reproduced>, Abort> {
        self.inner.test(script, need)
    }

    fn took(&self) -> Duration {
        if self.inner.tests.load(Ordering::Relaxed) == 1 { Duration::from_secs(1) } else { self.later }
    }
}

#[test]
fn a_second_worker_starts_only_if_tests_take_longer_than_its_start() {
    for (later, starts) in [(Duration::from_micros(1), false), (Duration::from_secs(1), true)] {
        let tester = || ByFunction { shows: |script| uses(script, "str.replace_all"), tests: Arc::default() };
        let both = [tester(), tester()];
        let mut testers: Vec<Box<dyn Tester>> = both
            .iter()
            .map(|tester| Box::new(Timed { inner: tester.clone(), later }) as Box<dyn Tester>)
            .collect();
        let mut improvements = Improvements { best: Vec::new(), stop_after: usize::MAX };
        let outcome = reduce::reduce(LARGE, None, &mut testers, &mut improvements);
        assert!(outcome.script.len() < 60, "{}", outcome.script);
        assert!(both[0].tests.load(Ordering::Relaxed) > 0);
        assert_eq!(both[1].tests.load(Ordering::Relaxed) > 0, starts, "{later:?}");
    }
}
