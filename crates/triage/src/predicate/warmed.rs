//! Warm solvers for the first candidates, started while the plain executables are still at work on the whole script.

use super::at_once::in_threads;
use super::solvers::{Participant, start};
use case::{Answer, Claim, Clause};
use solver::run::{Limits, Stacks};
use solver::{RunError, RunMode, RunRequest, Runner, Target};
use std::time::{Duration, Instant};

/// Solvers that wait for candidates.
pub struct Warmed {
    pub(super) runners: Vec<Box<dyn Runner>>,
    /// How long their start took.
    pub(super) took: Duration,
}

/// Starts solvers for what is claimed of a script, as far as can be told before it is known what the script shows.
pub fn warmed(script: &str, clauses: &[(Clause, Target)], limits: Limits) -> Result<Warmed, RunError> {
    let begun = Instant::now();
    let participants: Vec<Participant> =
        clauses.iter().map(|(clause, target)| Participant::new(clause, target, limits)).collect();
    let mut runners = start(&participants, RunMode::Fork, Stacks::Always)?;
    // Whoever says `sat` is asked for a model or not, or hardly ever, by what the script proves to show.
    let certain = |(participant, _): &(&Participant, _)| participant.claim != Claim::Says(Answer::Sat);
    in_threads(participants.iter().zip(&mut runners).filter(certain).map(|(participant, runner)| {
        let request = RunRequest::new(script)
            .options(&participant.options)
            .limits(limits)
            .want(participant.want(false));
        move || runner.warm(&request)
    }));
    Ok(Warmed { runners, took: begun.elapsed() })
}
