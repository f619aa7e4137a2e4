//! One solver far slower than another: what a candidate must still show.
//!
//! The whole script sets two bars: the slow solver must go on taking a good part of its time, and the others must stay about as
//! fast as they were. Times are CPU times of fresh processes.

use super::participant::Participant;
use super::slow::in_cpu_time;
use case::Claim;
use solver::Observation;
use solver::run::Limits;
use std::time::Duration;

/// Times below this are noise.
const NOISE: Duration = Duration::from_millis(20);
/// How many times slower the slow solver must be on the whole script.
const RATIO: u32 = 10;
/// The slow solver must go on taking one part in this many of its first time.
const PART: u32 = 2;

/// The CPU times of solvers on a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    /// The time of the slow one, up to its limit.
    pub slow: Duration,
    /// The longest time of any other.
    pub fast: Duration,
    /// The least that the slow one must take on a candidate.
    pub at_least: Duration,
    /// The most that the others may take on a candidate.
    pub at_most: Duration,
}

/// Sets the bars from runs on the whole script; `None` if the difference is too small.
pub(super) fn set_bars(
    participants: &mut [Participant],
    seen: &[Observation],
    limits: Limits,
) -> Option<Times> {
    let cpu = |wanted: &dyn Fn(&Claim) -> bool| -> Vec<Duration> {
        let both = participants.iter().zip(seen);
        both.filter(|(participant, _)| wanted(&participant.claim)).map(|(_, run)| run.cpu).collect()
    };
    let slow = cpu(&|claim| matches!(claim, Claim::Slow(_))).into_iter().min()?;
    let fast = cpu(&|claim| matches!(claim, Claim::Fast(_))).into_iter().max()?;
    if slow < fast.max(NOISE) * RATIO {
        return None;
    }
    // Even at the bars, the slow one takes longer than the others.
    let times = Times { slow, fast, at_least: slow / PART, at_most: fast.max(NOISE) * 2 };
    for participant in participants.iter_mut() {
        participant.limits = limits;
        match &mut participant.claim {
            Claim::Slow(bar) => {
                *bar = Some(times.at_least);
                // Stop it soon after it reaches its bar. The system may stop it slightly before its limit.
                let enough = Duration::from_secs(times.at_least.as_secs() + 2);
                participant.limits = in_cpu_time(Limits { wall: enough, ..limits });
            }
            Claim::Fast(bar) => *bar = Some(times.at_most),
            _ => {}
        }
    }
    Some(times)
}
