//! Warm solvers for the first candidates, started while the plain executables are still at work on the whole script.

use super::at_once::in_threads;
use super::claim::{Claim, Clause};
use super::solvers::{Player, start};
use solver::run::{Limits, Stacks};
use solver::{Answer, RunError, RunRequest, Runner, Target, Way};
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
    let players: Vec<Player> =
        clauses.iter().map(|(clause, target)| Player::new(clause, target, limits)).collect();
    let mut runners = start(&players, Way::Fork, Stacks::Always)?;
    // Whoever says `sat` is asked for a model or not, or hardly ever, by what the script proves to show.
    let certain = |(player, _): &(&Player, _)| player.claim != Claim::Says(Answer::Sat);
    in_threads(players.iter().zip(&mut runners).filter(certain).map(|(player, runner)| {
        let request =
            RunRequest::new(script).options(&player.options).limits(limits).want(player.want(false));
        move || runner.warm(&request)
    }));
    Ok(Warmed { runners, took: begun.elapsed() })
}
