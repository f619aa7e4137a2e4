//! One solver far slower than another: what a candidate has to show of it.
//!
//! Times are CPU times of fresh processes, which other work on the machine changes little. A whole script sets two bars: the slow
//! solver must go on taking a good part of what it took, the others must stay about as fast as they were.

use super::solvers::Participant;
use case::{Answer, Claim, Outcome};
use solver::Observation;
use solver::run::Limits;
use std::time::Duration;

/// Times below this are noise.
const NOISE: Duration = Duration::from_millis(20);
/// How many times slower a solver has to be at the first run.
const RATIO: u32 = 10;
/// The part of the first time that a slow solver has to go on taking.
const PART: u32 = 2;

/// How many times longer than its CPU time a run may take by the clock.
const PATIENCE: u32 = 8;

/// What the solvers took for a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    /// What the slow one took, up to its limit.
    pub slow: Duration,
    /// The most that any other took.
    pub fast: Duration,
    /// What the slow one has to go on taking.
    pub at_least: Duration,
    /// What the others may take.
    pub at_most: Duration,
}

/// Whether somebody is claimed to be slow.
pub fn is_about_time(participants: &[Participant]) -> bool {
    participants.iter().any(|participant| matches!(participant.claim, Claim::Slow(_)))
}

/// A limit on the clock as one on the CPU time; the clock may go on for longer, since others may be at work.
pub(super) fn in_cpu_time(limits: Limits) -> Limits {
    Limits { cpu: Some(limits.wall), wall: limits.wall * PATIENCE, ..limits }
}

/// Sets the bars from what a whole script took; nothing if it shows no great difference.
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
    // Even at the bars the slow one takes longer than the others.
    let times = Times { slow, fast, at_least: slow / PART, at_most: fast.max(NOISE) * 2 };
    for participant in participants.iter_mut() {
        participant.limits = limits;
        match &mut participant.claim {
            Claim::Slow(bar) => {
                *bar = Some(times.at_least);
                // It is ended soon after it has shown what it has to. The system may end it a little before its limit.
                let enough = Duration::from_secs(times.at_least.as_secs() + 2);
                participant.limits = in_cpu_time(Limits { wall: enough, ..limits });
            }
            Claim::Fast(bar) => *bar = Some(times.at_most),
            _ => {}
        }
    }
    Some(times)
}

/// Whether a run is as slow as that. One that fails is not slow, nor is one that waits without computing.
pub(super) fn is_slow(seen: &Observation, bar: Option<Duration>) -> bool {
    // After an error the rest is another question, which may be a harder one.
    let refused = seen.stdout.contains("(error");
    let runs = (seen.outcome == Outcome::Timeout && !refused) || knows(seen);
    runs && bar.is_none_or(|bar| seen.cpu >= bar)
}

/// Whether a run is as fast as that, and ends with an answer.
pub(super) fn is_fast(seen: &Observation, bar: Option<Duration>) -> bool {
    knows(seen) && bar.is_none_or(|bar| seen.cpu <= bar)
}

fn knows(seen: &Observation) -> bool {
    let decided = |answer: &Answer| matches!(answer, Answer::Sat | Answer::Unsat);
    seen.outcome == Outcome::Answered && !seen.answers.is_empty() && seen.answers.iter().all(decided)
}
