//! Says that a job is still worked on while a thread is busy with it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::Scope;
use std::time::{Duration, Instant};
use store::shared::{Job, MemberId, Options, SharedStore, open};

/// How often to look whether to stop.
const TICK: Duration = Duration::from_millis(50);
/// How often to speak to the store during the lease of a job, and at least.
const TIMES: u32 = 5;
const SELDOM: Duration = Duration::from_secs(30);

/// Keeps a job.
#[derive(Clone, Copy)]
pub struct Keeper<'a> {
    /// The URL of the store.
    pub url: &'a str,
    /// The process.
    pub member: MemberId,
    /// The job.
    pub job: &'a Job,
    /// Set when the process has to stop.
    pub stop: &'a AtomicBool,
    /// Set when the job has to end: the process has to stop, or another one has the job.
    pub ended: &'a AtomicBool,
}

/// The keeper goes when this does.
pub struct Guard {
    _sender: Sender<()>,
}

impl<'a> Keeper<'a> {
    /// Keeps the job until the guard is dropped.
    pub fn start<'s>(self, scope: &'s Scope<'s, 'a>) -> Guard {
        let (sender, receiver) = channel();
        scope.spawn(move || self.keep(&receiver));
        Guard { _sender: sender }
    }

    fn keep(self, guard: &Receiver<()>) {
        let mut shared: Option<Box<dyn SharedStore>> = None;
        let pause = (Options::of_url(self.url).job_lease / TIMES).min(SELDOM);
        let mut last = Instant::now();
        while guard.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            if self.stop.load(Ordering::Relaxed) {
                self.ended.store(true, Ordering::Relaxed);
            }
            if last.elapsed() < pause {
                continue;
            }
            last = Instant::now();
            if shared.is_none() {
                shared = open(self.url).ok();
            }
            match shared.as_mut().map(|shared| shared.keep_job(self.member, self.job)) {
                Some(Ok(true)) => {}
                Some(Ok(false)) => {
                    self.ended.store(true, Ordering::Relaxed);
                    return;
                }
                // The store cannot be reached. The work goes on: its result counts even if somebody else does the same.
                Some(Err(_)) | None => shared = None,
            }
        }
    }
}
