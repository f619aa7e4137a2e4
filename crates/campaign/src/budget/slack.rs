//! How long a second run may take: not much longer than the first.

use std::time::Duration;

/// A run may take this many times as long as another, and a little more.
#[derive(Clone, Copy, Debug)]
pub struct Slack {
    factor: u32,
    extra: Duration,
}

impl Slack {
    /// This many times as long, and so many milliseconds more.
    pub const fn new(factor: u32, extra_ms: u64) -> Slack {
        Slack { factor, extra: Duration::from_millis(extra_ms) }
    }

    /// The time limit of a run if the other one took so long.
    pub fn limit(self, took: Duration) -> Duration {
        took * self.factor + self.extra
    }
}
