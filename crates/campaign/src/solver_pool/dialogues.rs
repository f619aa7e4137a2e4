//! Open dialogues with solvers: many questions about one opening, without a restart.

use case::SolverIndex;
use solver::run::{Dialogue, Limits, RunSettings, Want};
use solver::{Observation, RunError, Target};
use std::collections::VecDeque;
use strategies::LiveQuestion;

/// How many dialogues are kept open.
const MOST: usize = 8;
/// How many of them with one solver under one random seed.
const MOST_OF_ONE: usize = 2;

/// A dialogue with a solver.
struct DialogueSlot {
    solver: SolverIndex,
    random_seed: u32,
    dialogue: Dialogue,
}

impl DialogueSlot {
    fn serves(&self, solver: SolverIndex, question: &LiveQuestion) -> bool {
        self.solver == solver && self.random_seed == question.random_seed
    }
}

/// The open dialogues, the most recently used last.
#[derive(Default)]
pub struct Dialogues(VecDeque<DialogueSlot>);

impl Dialogues {
    /// Closes all dialogues.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Asks a solver a question, in the dialogue with the same opening if there is one.
    pub fn ask(
        &mut self,
        solver: SolverIndex,
        target: &Target,
        question: &LiveQuestion,
        limits: Limits,
        steps: Option<u64>,
        running: &RunSettings,
    ) -> Result<Observation, RunError> {
        let mut slot = match self.reuse(solver, question) {
            Some(slot) => slot,
            None => {
                let random_seed = question.random_seed;
                let want = Want { model: true, variety: Some(random_seed), steps, ..Want::default() };
                let dialogue = Dialogue::new(target, running, want, limits.wall);
                DialogueSlot { solver, random_seed, dialogue }
            }
        };
        if slot.dialogue.opening() != &*question.prelude {
            slot.dialogue.open(&question.prelude);
        }
        let seen = slot.dialogue.ask(&question.assertions, limits)?;
        self.0.push_back(slot);
        Ok(seen)
    }

    /// Takes the dialogue with the same opening, or else the least recently used one if the solver has enough of them. Makes
    /// room for a new one otherwise.
    fn reuse(&mut self, solver: SolverIndex, question: &LiveQuestion) -> Option<DialogueSlot> {
        let serves = |slot: &DialogueSlot| slot.serves(solver, question);
        let same = |slot: &DialogueSlot| serves(slot) && slot.dialogue.opening() == &*question.prelude;
        let open = self.0.iter().position(same);
        let enough = self.0.iter().filter(|slot| serves(slot)).count() >= MOST_OF_ONE;
        let idle = self.0.iter().position(serves).filter(|_| enough);
        if let Some(slot) = open.or(idle).and_then(|position| self.0.remove(position)) {
            return Some(slot);
        }
        if self.0.len() >= MOST {
            self.0.pop_front();
        }
        None
    }
}
