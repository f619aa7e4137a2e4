//! What strategies ask while a seed is under work, and the answers.

use crate::prepare::learned;
use crate::settings::Settings;
use crate::solver_pool::SolverPool;
use solver::{RunError, Target};
use strategies::{Learned, LiveQuestion, Questioner};

/// How many solvers are asked one question, before it counts as unanswered.
const MOST_ASKED: usize = 2;
/// After so many unanswered questions nothing more is asked about a seed, if they are a third of all or more: each has cost
/// all the time there was.
const PATIENCE: usize = 4;

/// The questions about one seed in one turn, with their answers.
#[derive(Default)]
pub struct Conversation {
    /// The answers so far: with them, everything can be said again without a solver.
    pub answers: Vec<Learned>,
    /// Why no solver could be run.
    pub failed: Option<RunError>,
    unanswered: usize,
}

/// Puts a strategy's questions to the solvers of a worker.
pub struct Interview<'a> {
    /// The solvers.
    pub solver_pool: &'a mut SolverPool,
    /// What was said before.
    pub conversation: &'a mut Conversation,
}

impl Questioner for Interview<'_> {
    fn ask(&mut self, question: &LiveQuestion) -> Option<Learned> {
        let Conversation { answers, failed, unanswered } = &*self.conversation;
        if failed.is_some() || (*unanswered >= PATIENCE && 3 * unanswered >= answers.len()) {
            return None;
        }
        let places = self.solver_pool.who_knows_all(question.solvers.as_ref(), &question.theories);
        if places.is_empty() {
            return None;
        }
        let first = (question.choice % places.len() as u64) as usize;
        let mut answer = None;
        for at in 0..places.len().min(MOST_ASKED) {
            let place = places[(first + at) % places.len()];
            match self.ask_one(place, question) {
                Ok(learned) => {
                    let said = learned.sat.is_some();
                    answer = Some(learned);
                    if said {
                        break;
                    }
                }
                Err(error) => {
                    self.conversation.failed = Some(error);
                    return None;
                }
            }
        }
        let answer = answer?;
        let conversation = &mut *self.conversation;
        conversation.unanswered += usize::from(answer.sat.is_none());
        conversation.answers.push(answer.clone());
        Some(answer)
    }
}

/// Solvers that answer the questions of strategies outside of a campaign. Call [`Interviewer::begin`] before each seed.
pub struct Interviewer {
    solver_pool: SolverPool,
    conversation: Conversation,
}

impl Interviewer {
    /// These solvers, under the limits of a campaign's settings.
    pub fn new(targets: &[Target], settings: &Settings) -> Result<Interviewer, RunError> {
        Ok(Interviewer {
            solver_pool: SolverPool::new(targets, settings)?,
            conversation: Conversation::default(),
        })
    }

    /// Begins with another seed.
    pub fn begin(&mut self) {
        self.conversation = Conversation::default();
    }

    /// What was answered since the beginning.
    pub fn answers(&self) -> &[Learned] {
        &self.conversation.answers
    }
}

impl Questioner for Interviewer {
    fn ask(&mut self, question: &LiveQuestion) -> Option<Learned> {
        Interview { solver_pool: &mut self.solver_pool, conversation: &mut self.conversation }.ask(question)
    }
}

impl Interview<'_> {
    fn ask_one(&mut self, place: usize, question: &LiveQuestion) -> Result<Learned, RunError> {
        let seen = self.solver_pool.ask(place, question)?;
        let name = self.solver_pool.target(place).name.clone();
        Ok(learned(self.conversation.answers.len(), name, &seen))
    }
}
