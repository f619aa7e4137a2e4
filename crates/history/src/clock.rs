//! The clock, behind a trait so that tests need not wait.

use case::printable;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Tells the time and waits.
pub trait Clock {
    /// Seconds since 1970.
    fn now(&self) -> u64;
    /// Waits, and reports why.
    fn wait(&mut self, time: Duration, why: &str);
}

/// The system clock. Announces every wait on standard error.
#[derive(Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
    }

    fn wait(&mut self, time: Duration, why: &str) {
        eprintln!("waiting {} s: {}", time.as_secs(), printable(why));
        std::thread::sleep(time);
    }
}
