//! The judge of models: whether a solver's model makes the assertions true, by our own evaluation.

use super::question::{Question, Witness};
use case::{Answer, Expectation, Outcome, WitnessIndex};
use solver::run::{Piece, PieceKind};

/// What our evaluation says about a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelOpinion {
    /// Every assertion is true under it.
    Confirmed,
    /// An assertion is false under it.
    Refuted {
        /// Which one, and why.
        explanation: String,
    },
    /// The evaluation cannot decide.
    Undetermined {
        /// Why not.
        reason: String,
    },
}

/// Evaluates models. A trait, so that oracles can be tested and used without an evaluator.
pub trait ModelJudge {
    /// Judges a model that a solver printed after the last check of a script.
    fn opinion(&mut self, script: &str, model: &str) -> ModelOpinion;
}

/// Judges no model.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoOpinion;

impl ModelJudge for NoOpinion {
    fn opinion(&mut self, _: &str, _: &str) -> ModelOpinion {
        ModelOpinion::Undetermined { reason: "models are not evaluated in this run".to_owned() }
    }
}

/// The opinions on the models of all witnesses and on the case's own model, computed once.
pub(super) struct Opinions {
    of_witness: Vec<Option<ModelOpinion>>,
    of_construction: Option<ModelOpinion>,
}

impl Opinions {
    pub(super) fn new(
        question: &Question<'_>,
        witnesses: &[Witness<'_>],
        judge: &mut dyn ModelJudge,
    ) -> Opinions {
        let mut of = |witness: &Witness<'_>| {
            let seen = witness.observation;
            // A model counts only after `sat`, and only if the run ended normally.
            let sat = seen.answer() == Some(Answer::Sat) && seen.outcome == Outcome::Answered;
            let of_last =
                |piece: &&Piece| piece.kind == PieceKind::Model && piece.answers_before == seen.answers.len();
            let model = seen.pieces.iter().rfind(of_last).filter(|_| sat);
            model.map(|model| judge.opinion(question.script, &model.text))
        };
        let of_witness = witnesses.iter().map(&mut of).collect();
        let of_construction = match question.expectation {
            Expectation::Sat { model } if !model.is_empty() => Some(judge.opinion(question.script, model)),
            _ => None,
        };
        Opinions { of_witness, of_construction }
    }

    /// Whether the model of a witness is confirmed.
    pub(super) fn confirms(&self, witness: WitnessIndex) -> bool {
        self.of_witness[witness.get()] == Some(ModelOpinion::Confirmed)
    }

    /// Why the model of a witness is wrong, if it is.
    pub(super) fn refutation(&self, witness: WitnessIndex) -> Option<&str> {
        match &self.of_witness[witness.get()] {
            Some(ModelOpinion::Refuted { explanation }) => Some(explanation),
            _ => None,
        }
    }

    /// Whether our evaluation refutes the model that the case was built with. Then the case claims too much, and nothing follows
    /// from it.
    pub(super) fn construction_fails(&self) -> bool {
        matches!(self.of_construction, Some(ModelOpinion::Refuted { .. }))
    }

    /// Whether the model that the case was built with is confirmed.
    pub(super) fn construction_holds(&self) -> bool {
        self.of_construction == Some(ModelOpinion::Confirmed)
    }
}
