//! Batches of ground terms with their values by our evaluator.

use crate::Plan;
use crate::witness::{Claim, Logic};
use semantics::{Definitions, Evaluator, Model, Reason, collect_definitions};
use smt::{Arena, Scope, Signatures, Term};
use std::sync::Arc;
use strategies::Random;
use strategies::ground::{GroundTerm, GroundTerms, Subject};

/// Values with longer texts are dropped: they are slow to compare and rarely show anything.
const LONGEST: usize = 1000;

/// How many terms to draw for an operator whose value is open for some arguments: most draws may be undetermined.
const DRAWS_IF_OPEN: u32 = 3;

/// A term with its value.
pub struct Evaluated {
    /// The operator that the term was generated for.
    pub subject: Subject,
    /// The term.
    pub term: GroundTerm,
    /// Its value by our evaluator.
    pub value: String,
}

impl Evaluated {
    /// What the solvers are asked to confirm.
    pub fn claim(&self) -> Claim {
        Claim { term: self.term.text.clone(), value: self.value.clone() }
    }

    /// The logic that the term needs.
    pub fn logic(&self) -> Logic {
        if self.term.higher_order { Logic::HigherOrder } else { Logic::FirstOrder }
    }
}

/// The result of generating and evaluating some terms.
#[derive(Default)]
pub struct Batch {
    /// The terms that have a value.
    pub evaluated: Vec<Evaluated>,
    /// The operators of terms whose value is open or too large.
    pub undetermined: Vec<Subject>,
    /// The operators for which no term could be generated.
    pub undrawn: Vec<Subject>,
    /// Terms that our parser or evaluator rejects although the signature table allows them: term and message.
    pub defects: Vec<(String, String)>,
}

/// Generates and evaluates terms for all subjects in turn.
pub struct BatchMaker {
    terms: GroundTerms,
    subjects: Vec<Subject>,
    signatures: Arc<Signatures>,
    random: Random,
    made: u64,
}

impl BatchMaker {
    /// A maker of terms for the operators that the plan includes.
    pub fn new(signatures: &Arc<Signatures>, plan: &Plan) -> BatchMaker {
        let terms = GroundTerms::new(signatures);
        let included = |&subject: &Subject| plan.includes(terms.theory(subject));
        let subjects = terms.subjects().into_iter().filter(included).collect();
        let signatures = signatures.clone();
        BatchMaker { terms, subjects, signatures, random: Random::new(plan.seed), made: 0 }
    }

    /// The operators that terms are generated for.
    pub fn subjects(&self) -> &[Subject] {
        &self.subjects
    }

    /// The theory and the name of a subject.
    pub fn describe(&self, subject: Subject) -> (String, String) {
        (self.terms.theory(subject).to_owned(), self.terms.name(subject))
    }

    /// Generates and evaluates the next terms.
    pub fn next_batch(&mut self, size: u64) -> Batch {
        let mut arena = Arena::new(self.signatures.clone());
        let mut scope = Scope::default();
        let mut definitions = Definitions::new();
        if let Ok(script) = smt::parse_in_scope(&mut arena, &mut scope, GroundTerms::PRELUDE) {
            script.commands.iter().for_each(|command| collect_definitions(command, &mut definitions));
        }
        let mut batch = Batch::default();
        let drawn = self.draw(size, &mut arena, &mut scope, &mut batch);
        let model = Model::new();
        let mut evaluator = Evaluator::new(&arena, &model, &definitions);
        let mut parsed_terms = Vec::new();
        for (subject, term, parsed) in drawn {
            match evaluator.evaluate(parsed) {
                Ok(value) => {
                    let value = value.text(&arena, arena.sort(parsed));
                    if value.len() > LONGEST {
                        batch.undetermined.push(subject);
                        continue;
                    }
                    batch.evaluated.push(Evaluated { subject, term, value });
                    parsed_terms.push(parsed);
                }
                Err(Reason::Open(..) | Reason::TooLarge(_) | Reason::Quantifier(_)) => {
                    batch.undetermined.push(subject)
                }
                Err(reason) => batch.defects.push((term.text, reason.text(&arena))),
            }
        }
        // The second evaluation prepares a term, and later ones use that. All paths must agree.
        for _ in 0..2 {
            evaluator = Evaluator::with_memory(&arena, &model, &definitions, evaluator.into_memory());
            for (first, &parsed) in batch.evaluated.iter().zip(&parsed_terms) {
                let again = evaluator.evaluate(parsed);
                if !again.as_ref().is_ok_and(|value| value.text(&arena, arena.sort(parsed)) == first.value) {
                    let message = format!("is {} first, and {again:?} when evaluated again", first.value);
                    batch.defects.push((first.term.text.clone(), message));
                }
            }
        }
        batch
    }

    /// Generates and parses terms.
    fn draw(
        &mut self,
        size: u64,
        arena: &mut Arena,
        scope: &mut Scope,
        batch: &mut Batch,
    ) -> Vec<(Subject, GroundTerm, Term)> {
        let mut drawn = Vec::new();
        for number in self.made..self.made + size {
            let subject = self.subjects[(number % self.subjects.len() as u64) as usize];
            let draws = if self.terms.is_open(subject) { DRAWS_IF_OPEN } else { 1 };
            for _ in 0..draws {
                let Some(term) = self.terms.make(subject, &mut self.random) else {
                    batch.undrawn.push(subject);
                    continue;
                };
                match smt::parse_term(arena, scope, &term.text) {
                    Ok(parsed) => drawn.push((subject, term, parsed)),
                    Err(error) => batch.defects.push((term.text, error.to_string())),
                }
            }
        }
        self.made += size;
        drawn
    }
}
