//! Warm solvers for the first candidates. They start while the plain executables still run the whole script.

use super::parallel::run_parallel;
use super::participant::{AskModel, Participant};
use super::runners::start;
use case::Clause;
use solver::run::{Limits, Stacks};
use solver::{RunError, RunMode, RunRequest, Runner, Target};
use std::time::{Duration, Instant};

/// Solvers that wait for candidates.
pub struct Warmed {
    pub(super) runners: Vec<Box<dyn Runner>>,
    /// How long the start took.
    pub(super) took: Duration,
}

/// Starts and warms the solvers of a predicate before it is known what the script shows.
pub fn warmed(script: &str, clauses: &[(Clause, Target)], limits: Limits) -> Result<Warmed, RunError> {
    let begun = Instant::now();
    let participants: Vec<Participant> =
        clauses.iter().map(|(clause, target)| Participant::new(clause, target, limits)).collect();
    let mut runners = start(&participants, RunMode::Fork, Stacks::Always)?;
    // The evidence decides whether a solver that answers `sat` is asked for a model, or hardly ever asked.
    let certain = |(participant, _): &(&Participant, _)| !participant.says_sat();
    run_parallel(participants.iter().zip(&mut runners).filter(certain).map(|(participant, runner)| {
        let want = participant.want(AskModel::IfClaimed);
        let script = participant.script(script);
        move || runner.warm(&RunRequest::new(&script).options(&participant.options).limits(limits).want(want))
    }));
    Ok(Warmed { runners, took: begun.elapsed() })
}
