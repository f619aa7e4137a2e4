//! The judge of models: whether a solver's model makes the assertions true, by our own evaluation.

use super::{Expected, Question, Witness};
use solver::run::{Piece, PieceKind};
use solver::{Answer, Outcome};

/// What our evaluation says of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelOpinion {
    /// Every assertion is true under it.
    Confirmed,
    /// An assertion is false under it.
    Refuted {
        /// Which one, and why.
        explanation: String,
    },
    /// It cannot be told.
    Undetermined {
        /// Why not.
        reason: String,
    },
}

/// Evaluates models. Behind a trait, so that an oracle can be tested without an evaluator, and used without one.
pub trait ModelJudge {
    /// What to think of a model, as a solver printed it after the last check of a script.
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

/// The opinions of the models of all witnesses and of the case's own witness, asked for once.
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
            // A model that follows an answer other than `sat`, or a cut-off output, says nothing.
            let sat = seen.answer() == Some(Answer::Sat) && seen.outcome == Outcome::Answered;
            let of_last =
                |piece: &&Piece| piece.kind == PieceKind::Model && piece.answers_before == seen.answers.len();
            let model = seen.pieces.iter().rfind(of_last).filter(|_| sat);
            model.map(|model| judge.opinion(question.script, &model.text))
        };
        let of_witness = witnesses.iter().map(&mut of).collect();
        let of_construction = match question.expected {
            Expected::Sat { model } if !model.is_empty() => Some(judge.opinion(question.script, model)),
            _ => None,
        };
        Opinions { of_witness, of_construction }
    }

    /// Whether the model of the witness at `place` is confirmed.
    pub(super) fn confirms(&self, place: usize) -> bool {
        self.of_witness[place] == Some(ModelOpinion::Confirmed)
    }

    /// Why the model of the witness at `place` is wrong, if it is.
    pub(super) fn refutation(&self, place: usize) -> Option<&str> {
        match &self.of_witness[place] {
            Some(ModelOpinion::Refuted { explanation }) => Some(explanation),
            _ => None,
        }
    }

    /// Whether the model that the case was made with is refuted by our evaluation: then the case claims too much, and
    /// nothing is concluded from it.
    pub(super) fn construction_fails(&self) -> bool {
        matches!(self.of_construction, Some(ModelOpinion::Refuted { .. }))
    }

    /// Whether the model that the case was made with is confirmed.
    pub(super) fn construction_holds(&self) -> bool {
        self.of_construction == Some(ModelOpinion::Confirmed)
    }
}
