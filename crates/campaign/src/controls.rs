//! How a user controls a running campaign, and the time it has run.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Nobody pauses a campaign that has no control for it.
static NEVER: AtomicBool = AtomicBool::new(false);

/// How a user controls a running campaign.
#[derive(Clone, Copy, Debug)]
pub struct Controls<'a> {
    /// Ends the campaign cleanly when it is set.
    pub interrupt: &'a AtomicBool,
    /// While it is set, no case starts and the time of the campaign stands still.
    pub pause: &'a AtomicBool,
}

impl<'a> From<&'a AtomicBool> for Controls<'a> {
    fn from(interrupt: &'a AtomicBool) -> Controls<'a> {
        Controls { interrupt, pause: &NEVER }
    }
}

/// Measures running time without pauses.
#[derive(Debug)]
pub struct Stopwatch {
    /// When it was started, moved on by every pause.
    started: Instant,
    pause: Option<Instant>,
}

impl Stopwatch {
    /// Starts to measure.
    pub fn start(now: Instant) -> Stopwatch {
        Stopwatch { started: now, pause: None }
    }

    /// Pauses or resumes.
    pub fn set_paused(&mut self, paused: bool, now: Instant) {
        match (self.pause, paused) {
            (None, true) => self.pause = Some(now),
            (Some(since), false) => {
                self.started += now.duration_since(since);
                self.pause = None;
            }
            _ => {}
        }
    }

    /// Whether it is paused.
    pub fn is_paused(&self) -> bool {
        self.pause.is_some()
    }

    /// The running time.
    pub fn elapsed(&self, now: Instant) -> Duration {
        self.pause.unwrap_or(now).duration_since(self.started)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_do_not_count() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut watch = Stopwatch::start(start);
        let table =
            [(2, false, 2), (5, true, 5), (9, true, 5), (10, false, 5), (12, false, 7), (13, true, 8)];
        for (now, paused, elapsed) in table {
            watch.set_paused(paused, at(now));
            assert_eq!(watch.elapsed(at(now)), Duration::from_secs(elapsed), "at {now}");
            assert_eq!(watch.is_paused(), paused);
        }
    }
}
