//! Whether a run is slow or fast, by its CPU time. Other work on the machine hardly changes the CPU time of a process.

use case::{Answer, Outcome};
use solver::Observation;
use solver::run::Limits;
use std::time::Duration;

/// How many times longer than its CPU time limit a run may take by the clock.
const CLOCK_FACTOR: u32 = 8;

/// The wall-clock limit as a limit on CPU time. The clock may run for longer, since other processes may be busy.
pub(super) fn in_cpu_time(limits: Limits) -> Limits {
    Limits { cpu: Some(limits.wall), wall: limits.wall * CLOCK_FACTOR, ..limits }
}

/// Whether a run takes at least `bar`. A run that fails, or waits without computing, is not slow.
pub(super) fn is_slow(seen: &Observation, bar: Option<Duration>) -> bool {
    // After an error the rest is a different question, which may be harder.
    let rejected = seen.stdout.contains("(error");
    let runs = (seen.outcome == Outcome::Timeout && !rejected) || is_decided(seen);
    runs && bar.is_none_or(|bar| seen.cpu >= bar)
}

/// Whether a run answers every check and takes at most `bar`.
pub(super) fn is_fast(seen: &Observation, bar: Option<Duration>) -> bool {
    is_decided(seen) && bar.is_none_or(|bar| seen.cpu <= bar)
}

fn is_decided(seen: &Observation) -> bool {
    let answered = seen.outcome == Outcome::Answered && !seen.answers.is_empty();
    answered && seen.answers.iter().copied().all(Answer::is_decided)
}
