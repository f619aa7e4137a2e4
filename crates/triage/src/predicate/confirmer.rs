//! Confirms results in fresh processes of the plain executables.

use super::participant::{Participant, is_about_time};
use super::runners::start;
use super::tester::{SatModel, SolverTester, TimeLimit};
use reduce::{Abort, Need, Tester};
use solver::run::{Limits, Stacks};
use solver::{RunError, RunMode};

/// Confirms in fresh processes of the plain executables what testers have shown.
pub struct Confirmer {
    tester: SolverTester,
    about_time: bool,
}

impl Confirmer {
    /// Asks the plain executables of these participants, with the limits of a whole script.
    ///
    /// The plain executable only has to show the signal of a crash. The functions on the stack are known from a tester, which
    /// loads a library into the solver to read them; a second fresh process with that library would add nothing.
    pub fn new(
        participants: &[Participant],
        limits: Limits,
        sat_model: SatModel,
    ) -> Result<Confirmer, RunError> {
        let about_time = is_about_time(participants);
        let mut participants = participants.to_vec();
        for participant in &mut participants {
            // Unlike a warm solver, a fresh process also needs time to start.
            participant.limits.wall = participant.limits.wall.max(limits.wall);
            participant.claim = participant.claim.in_any_release();
        }
        let runners = start(&participants, RunMode::OneShot, Stacks::Never)?;
        let tester = SolverTester::with(&participants, runners, sat_model, TimeLimit::Fixed);
        Ok(Confirmer { tester, about_time })
    }

    /// Whether a script shows what is claimed.
    pub fn confirms(&mut self, script: &str) -> Result<bool, Abort> {
        if self.about_time {
            // In parallel, the solvers would slow each other down.
            return Ok(self.tester.test(script, Need::Everything)?.is_some());
        }
        let seen = self.tester.run_all(script)?;
        let known = |index: case::ParticipantIndex| seen[index.get()].clone();
        Ok(self.tester.test_knowing(script, Need::Everything, &known)?.is_some())
    }
}
