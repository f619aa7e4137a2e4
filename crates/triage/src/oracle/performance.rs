//! Performance: one solver far slower than all others. This is a candidate for a person to check, not a bug.

use super::question::{Question, Rules, Witness};
use super::signatures::solver_signature;
use crate::verdict::Bug;
use case::{Answer, Class, Evidence, Outcome, WitnessIndex};
use std::time::Duration;

/// Times below this are noise. Ratios are taken against at least this much.
const NOISE: Duration = Duration::from_millis(20);

/// The bug of a witness that is far slower than all others, if all others answer.
pub(super) fn slow(question: &Question<'_>, witnesses: &[Witness<'_>], rules: &Rules) -> Option<Bug> {
    let knows = |witness: &Witness<'_>| {
        let seen = witness.observation;
        let decided = seen.answers.iter().copied().all(Answer::is_decided);
        seen.outcome == Outcome::Answered && decided && !seen.answers.is_empty()
    };
    // CPU time is fairer than wall time on a busy machine. A run without any was not measured.
    let time = |witness: &Witness<'_>| match witness.observation {
        seen if seen.outcome == Outcome::Timeout && seen.cpu.is_zero() => seen.wall,
        seen => seen.cpu,
    };
    let (index, slowest) =
        WitnessIndex::all(witnesses.len()).zip(witnesses).max_by_key(|(_, witness)| time(witness))?;
    let took = time(slowest);
    // After an error the rest is a different question, which may be harder.
    let rejected = slowest.observation.stdout.contains("(error");
    let stuck = (slowest.observation.outcome == Outcome::Timeout && !rejected) || knows(slowest);
    let others: Vec<&Witness<'_>> = witnesses.iter().filter(|other| other.id != slowest.id).collect();
    if !stuck || took < rules.slow_floor || others.is_empty() || !others.iter().all(|other| knows(other)) {
        return None;
    }
    let next = others.iter().map(|other| time(other)).max()?;
    if took.as_secs_f64() < rules.slow_ratio * next.max(NOISE).as_secs_f64() {
        return None;
    }
    let (milliseconds, others) = (took.as_millis() as u64, next.as_millis() as u64);
    let timed_out = slowest.observation.outcome == Outcome::Timeout;
    let solver = slowest.id.to_owned();
    Some(Bug {
        class: Class::Performance,
        suspects: vec![index],
        evidence: vec![Evidence::Slow { solver, milliseconds, timed_out, others }],
        signature: solver_signature(Class::Performance, slowest.id, question),
    })
}
