//! Starts the solvers of a tester.

use super::participant::Participant;
use solver::run::{RunSettings, Stacks};
use solver::{RunError, RunMode, Runner, runner};

/// A runner for each participant.
pub(super) fn start(
    participants: &[Participant],
    mode: RunMode,
    stacks: Stacks,
) -> Result<Vec<Box<dyn Runner>>, RunError> {
    // Fresh processes have shown the bug of the whole script, and confirm the result, so the mode needs no trial run.
    let settings = RunSettings { skip_self_test: true, stacks, ..RunSettings::default() };
    participants.iter().map(|participant| runner(&participant.target, mode, &settings)).collect()
}
