//! Where the courier meets the rest of the process: it gets the statistics from the bookkeeper and leaves notes for the user.

use super::{Grants, Notes};
use crate::statistics::SharingTally;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often the courier looks whether a worker waits for work.
const TICK: Duration = Duration::from_millis(50);

/// Why the courier goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// It is time.
    Due,
    /// A worker waits for work.
    Hungry,
    /// Workers and bookkeeper are done: deliver what is left.
    Closing,
}

/// The place where both sides leave things for each other.
pub struct Desk {
    /// The work that was granted.
    pub grants: Grants,
    /// Notes for the user.
    pub notes: Notes,
    inner: Mutex<Inner>,
    closing: Condvar,
}

#[derive(Default)]
struct Inner {
    is_closing: bool,
    /// The latest statistics, until the courier takes them.
    statistics: String,
    exchanges: u64,
    exchanging: Duration,
}

impl Desk {
    /// An empty desk.
    pub fn new(grants: Grants, notes: Notes) -> Desk {
        Desk { grants, notes, inner: Mutex::default(), closing: Condvar::new() }
    }

    /// Leaves statistics for the courier.
    pub fn put_statistics(&self, statistics: String) {
        self.lock().statistics = statistics;
    }

    /// Takes the statistics; empty if there are no new ones.
    pub fn take_statistics(&self) -> String {
        std::mem::take(&mut self.lock().statistics)
    }

    /// Counts an exchange with the store.
    pub fn count_exchange(&self, took: Duration) {
        let mut inner = self.lock();
        inner.exchanges += 1;
        inner.exchanging += took;
    }

    /// The time that sharing the campaign took so far.
    pub fn tally(&self) -> SharingTally {
        let inner = self.lock();
        SharingTally {
            exchanges: inner.exchanges,
            exchanging: inner.exchanging.as_micros() as u64,
            waiting: self.grants.waited(),
        }
    }

    /// Tells the courier that nothing more will happen.
    pub fn close(&self) {
        self.lock().is_closing = true;
        self.closing.notify_all();
    }

    /// Waits until the next exchange is due. A worker without work does not wait as long, unless it is useless to ask.
    pub fn wait(&self, pause: Duration, answers_hunger: bool) -> Call {
        let until = Instant::now() + pause;
        let mut inner = self.lock();
        loop {
            if inner.is_closing {
                return Call::Closing;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Call::Due;
            }
            let waited = self.closing.wait_timeout(inner, left.min(TICK));
            inner = waited.unwrap_or_else(PoisonError::into_inner).0;
            if answers_hunger && !inner.is_closing && self.grants.is_hungry() {
                return Call::Hungry;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
