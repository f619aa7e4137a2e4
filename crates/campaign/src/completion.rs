//! Models that leave something out: the solver is asked for it, so that the model can be confirmed.

use crate::solver_pool::SolverPool;
use solver::run::PieceKind;
use solver::{Answer, Observation, RunError};
use triage::{ModelJudge, ModelOpinion};

/// Puts values that the solvers tell behind models that cannot be judged without. Only where that confirms a model: a value
/// that is told for an open point may itself be the mistake.
pub fn complete_models(
    solver_pool: &mut SolverPool,
    places: &[usize],
    script: &str,
    seen: &mut [Observation],
    judge: &mut dyn ModelJudge,
) -> Result<(), RunError> {
    for (&place, observation) in places.iter().zip(seen) {
        if observation.answer() != Some(Answer::Sat) {
            continue;
        }
        let Some(piece) = observation.pieces.iter_mut().rfind(|piece| piece.kind == PieceKind::Model) else {
            continue;
        };
        if !matches!(judge.opinion(script, &piece.text), ModelOpinion::Undetermined { .. }) {
            continue;
        }
        if let Some(complete) = solver_pool.complete_model(place, script, &piece.text)?
            && judge.opinion(script, &complete) == ModelOpinion::Confirmed
        {
            piece.text = complete;
        }
    }
    Ok(())
}
