//! Completes models that leave values out, so that they can be confirmed.

use crate::solver_pool::SolverPool;
use case::SolverIndex;
use solver::run::PieceKind;
use solver::{Answer, Observation, RunError};
use triage::{ModelJudge, ModelOpinion};

/// Asks the solvers for values that their models leave out. Only completions that confirm a model are used: a value for an open
/// point may itself be wrong.
pub fn complete_models(
    solver_pool: &mut SolverPool,
    solvers: &[SolverIndex],
    script: &str,
    seen: &mut [Observation],
    judge: &mut dyn ModelJudge,
) -> Result<(), RunError> {
    for (&solver, observation) in solvers.iter().zip(seen) {
        if observation.answer() != Some(Answer::Sat) {
            continue;
        }
        let Some(piece) = observation.pieces.iter_mut().rfind(|piece| piece.kind == PieceKind::Model) else {
            continue;
        };
        if !matches!(judge.opinion(script, &piece.text), ModelOpinion::Undetermined { .. }) {
            continue;
        }
        if let Some(complete) = solver_pool.complete_model(solver, script, &piece.text)?
            && judge.opinion(script, &complete) == ModelOpinion::Confirmed
        {
            piece.text = complete;
        }
    }
    Ok(())
}
