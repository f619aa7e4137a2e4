//! Dialogues with warm solvers, for strategies that ask while a seed is under work.

use crate::panel::Panel;
use crate::prepare::learned;
use solver::RunError;
use solver::run::Dialogue;
use std::collections::VecDeque;
use std::sync::Arc;
use strategies::{Enquirer, Enquiry, Learned};

/// The most dialogues that are kept open.
const OPEN: usize = 4;
/// How many solvers are asked one question, before it counts as unanswered.
const MOST_ASKED: usize = 2;
/// After so many unanswered questions in a row nothing more is asked about a seed: each has cost all the time there was.
const PATIENCE: u32 = 4;

/// What a dialogue is about, and with whom.
#[derive(PartialEq)]
struct Topic {
    place: usize,
    opening: Arc<str>,
    randomness: u32,
}

/// The questions about one seed in one turn, with their answers.
#[derive(Default)]
pub struct Conversation {
    open: VecDeque<(Topic, Dialogue)>,
    /// The answers so far: with them, everything can be said again without a solver.
    pub answers: Vec<Learned>,
    /// Why no solver could be run.
    pub failed: Option<RunError>,
    unanswered: u32,
}

/// Puts a strategy's questions to the solvers of a worker.
pub struct Interview<'a> {
    /// The solvers.
    pub panel: &'a mut Panel,
    /// What was said before.
    pub conversation: &'a mut Conversation,
}

impl Enquirer for Interview<'_> {
    fn ask(&mut self, enquiry: &Enquiry) -> Option<Learned> {
        if self.conversation.failed.is_some() || self.conversation.unanswered >= PATIENCE {
            return None;
        }
        let places = self.panel.who_knows_all(enquiry.solvers.as_ref(), &enquiry.theories);
        if places.is_empty() {
            return None;
        }
        let first = (enquiry.choice % places.len() as u64) as usize;
        let mut answer = None;
        for at in 0..places.len().min(MOST_ASKED) {
            let place = places[(first + at) % places.len()];
            match self.ask_one(place, enquiry) {
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
        conversation.unanswered = if answer.sat.is_some() { 0 } else { conversation.unanswered + 1 };
        conversation.answers.push(answer.clone());
        Some(answer)
    }
}

impl Interview<'_> {
    fn ask_one(&mut self, place: usize, enquiry: &Enquiry) -> Result<Learned, RunError> {
        let topic = Topic { place, opening: enquiry.opening.clone(), randomness: enquiry.randomness };
        let conversation = &mut *self.conversation;
        let mut dialogue = match conversation.open.iter().position(|(known, _)| *known == topic) {
            Some(at) => conversation.open.remove(at).map(|(_, dialogue)| dialogue),
            None => None,
        }
        .unwrap_or_else(|| self.panel.dialogue(place, &topic.opening, topic.randomness));
        let seen = self.panel.ask(&mut dialogue, &enquiry.question)?;
        let number = conversation.answers.len();
        let name = self.panel.target(place).name.clone();
        conversation.open.push_back((topic, dialogue));
        if conversation.open.len() > OPEN {
            conversation.open.pop_front();
        }
        Ok(learned(number, name, &seen))
    }
}
