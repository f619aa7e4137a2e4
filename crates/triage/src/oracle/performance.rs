//! One solver far slower than all others: a candidate to look at, told apart from bugs.

use super::{Question, Rules, Witness};
use crate::signature;
use crate::verdict::{Bug, Class, Evidence};
use solver::{Answer, Outcome};
use std::time::Duration;

/// Times below this are noise: ratios are taken against at least so much.
const NOISE: Duration = Duration::from_millis(20);

/// The one witness that is far slower than all others, which all know the answer.
pub(super) fn slow(question: &Question<'_>, witnesses: &[Witness<'_>], rules: &Rules) -> Option<Bug> {
    let knows = |witness: &Witness<'_>| {
        let seen = witness.observation;
        let decided = seen.answers.iter().all(|answer| matches!(answer, Answer::Sat | Answer::Unsat));
        seen.outcome == Outcome::Answered && decided && !seen.answers.is_empty()
    };
    let time = |witness: &Witness<'_>| match witness.observation.outcome {
        Outcome::Timeout => witness.observation.wall,
        // CPU time is fairer than wall time on a machine that has other work.
        _ => witness.observation.cpu,
    };
    let (place, slowest) = witnesses.iter().enumerate().max_by_key(|(_, witness)| time(witness))?;
    let took = time(slowest);
    // After an error the rest is another question, which may be a harder one.
    let refused = slowest.observation.stdout.contains("(error");
    let stuck = (slowest.observation.outcome == Outcome::Timeout && !refused) || knows(slowest);
    let others: Vec<&Witness<'_>> = witnesses.iter().filter(|other| other.id != slowest.id).collect();
    if !stuck || took < rules.slow_floor || others.is_empty() || !others.iter().all(|other| knows(other)) {
        return None;
    }
    let next = others.iter().map(|other| time(other)).max()?;
    if took.as_secs_f64() < rules.slow_ratio * next.max(NOISE).as_secs_f64() {
        return None;
    }
    let target = slowest.id.to_owned();
    let (milliseconds, others) = (took.as_millis() as u64, next.as_millis() as u64);
    Some(Bug {
        class: Class::Performance,
        suspects: vec![place],
        title: format!("{target} needs {milliseconds} ms where others need at most {others} ms"),
        signature: signature::of_solver(Class::Performance, slowest.id, question.theories),
        evidence: vec![Evidence::Slow { target, milliseconds, others }],
    })
}
