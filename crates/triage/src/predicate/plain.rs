//! The last word: what fresh processes of the plain executables show.

use super::slow::is_about_time;
use super::solvers::{Participant, SolverTester, start};
use reduce::{Abort, Need, Tester};
use solver::run::{Limits, Stacks};
use solver::{RunError, RunMode};

/// Confirms on the plain executables what testers have shown.
pub struct Plain {
    tester: SolverTester,
    about_time: bool,
}

impl Plain {
    /// Asks the plain executables for the same as the testers of these players, with the time that a whole script has.
    ///
    /// Of a crash by a signal, the plain executable shows the signal. Which functions were on the stack is known from a tester,
    /// which has a library loaded into the solver for it; another fresh process with the library would say nothing more.
    pub fn new(participants: &[Participant], limits: Limits, refuted: bool) -> Result<Plain, RunError> {
        let about_time = is_about_time(participants);
        let mut participants = participants.to_vec();
        for participant in &mut participants {
            // A start costs time that a warm solver has spent before.
            participant.limits.wall = participant.limits.wall.max(limits.wall);
            participant.claim = participant.claim.in_any_release();
        }
        let runners = start(&participants, RunMode::OneShot, Stacks::Never)?;
        Ok(Plain { tester: SolverTester::with(&participants, runners, refuted, false), about_time })
    }

    /// Whether a script shows what is claimed.
    pub fn confirms(&mut self, script: &str) -> Result<bool, Abort> {
        if self.about_time {
            // One solver's work would slow down the other's.
            return Ok(self.tester.test(script, Need::Everything)?.is_some());
        }
        let seen = self.tester.all_at_once(script)?;
        let shown = self.tester.test_knowing(script, Need::Everything, &|place| seen[place].clone())?;
        Ok(shown.is_some())
    }
}
