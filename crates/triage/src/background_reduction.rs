//! A reduction in a thread of its own, so that its caller can show its progress and stop it at any moment.

use crate::error::TriageError;
use crate::saved_reduction::{Observer, SavedReduction};
use case::files::replace;
use case::table::counted;
use reduce::{Cost, Counts, Progress};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often the progress is shown.
const TICK: Duration = Duration::from_millis(100);

/// How long an interrupted reduction may take to end by itself.
const GRACE: Duration = Duration::from_secs(1);

/// The stack of the thread: that of a main thread.
const STACK: usize = 8 << 20;

/// A reduction in a thread of its own. The thread and its caller share it.
pub struct BackgroundReduction {
    stop: Arc<AtomicBool>,
    begun: Instant,
    until: Option<Instant>,
    latest: Mutex<Latest>,
}

/// The latest news of a reduction.
#[derive(Default)]
struct Latest {
    doing: String,
    from: Option<Cost>,
    counts: Counts,
    saved: Option<(String, PathBuf)>,
}

impl BackgroundReduction {
    /// A reduction that ends when `stop` is set, or at a point in time.
    pub fn new(stop: Arc<AtomicBool>, begun: Instant, until: Option<Instant>) -> BackgroundReduction {
        BackgroundReduction { stop, begun, until, latest: Mutex::default() }
    }

    /// Sets what the reduction is doing.
    pub fn say(&self, doing: &str) {
        self.latest().doing = doing.to_owned();
    }

    /// Records that candidates of a script of this cost are tested from now on.
    pub fn begin(&self, from: Cost) {
        let mut latest = self.latest();
        latest.doing = "starting solvers".to_owned();
        latest.from = Some(from);
    }

    /// Runs `work` in a thread, and calls `show` with its progress. After an interruption it has a moment to end; then the best
    /// script so far is the result. The processes of the solvers end with this one.
    pub fn follow<E: From<TriageError> + Send + 'static>(
        self: &Arc<BackgroundReduction>,
        work: impl FnOnce(&BackgroundReduction) -> Result<SavedReduction, E> + Send + 'static,
        mut show: impl FnMut(&str),
    ) -> Result<SavedReduction, E> {
        let (sender, receiver) = mpsc::channel();
        let own = self.clone();
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
            // The caller may have stopped waiting.
            let _ = sender.send(work(&own));
        });
        let thread = thread.map_err(|error| {
            TriageError::other(format!("cannot start a thread: {error}"), "end other programs, and try again")
        })?;
        let mut interrupted: Option<Instant> = None;
        loop {
            match receiver.recv_timeout(TICK) {
                Ok(result) => return result,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => match thread.join() {
                    Err(panic) => resume_unwind(panic),
                    Ok(()) => unreachable!("the thread sends its result before it ends"),
                },
            }
            let doing = self.latest().doing.clone();
            if !doing.is_empty() {
                show(&format!("{} s: {doing}", self.begun.elapsed().as_secs()));
            }
            if self.stop.load(Ordering::Relaxed)
                && interrupted.get_or_insert_with(Instant::now).elapsed() >= GRACE
            {
                return Ok(self.best()?);
            }
        }
    }

    /// The best script so far, as the result of an interrupted reduction.
    fn best(&self) -> Result<SavedReduction, TriageError> {
        let mut latest = self.latest();
        let (Some((script, output)), Some(from)) = (latest.saved.take(), latest.from) else {
            return Err(TriageError::other(
                "interrupted before there was a smaller script",
                "run the same command again, with more time",
            ));
        };
        let note = "a fresh process has not confirmed this script: the interruption came first";
        let (counts, note) = (latest.counts, Some(note.to_owned()));
        Ok(SavedReduction { script, model: None, output, from, counts, stopped: true, note })
    }

    fn latest(&self) -> MutexGuard<'_, Latest> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for BackgroundReduction {
    fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.until.is_some_and(|until| Instant::now() >= until)
    }

    fn progress(&self, progress: &Progress<'_>) {
        let mut latest = self.latest();
        let (from, now) = (size_text(progress.from.bytes), size_text(progress.now.bytes));
        latest.doing =
            format!("{from} -> {now}, {}, {}", counted(progress.counts.tests, "test"), progress.pass);
        latest.counts = progress.counts;
    }

    /// The caller does not return in the middle of it: it needs the lock.
    fn save(&self, script: &str, output: &Path) -> Result<(), TriageError> {
        let mut latest = self.latest();
        replace(output, script)?;
        latest.saved = Some((script.to_owned(), output.to_owned()));
        Ok(())
    }
}

/// A size for people.
pub fn size_text(count: usize) -> String {
    if count < 10_000 { format!("{count} B") } else { format!("{} kB", count / 1000) }
}
