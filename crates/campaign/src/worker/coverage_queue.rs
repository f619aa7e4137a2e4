//! Cases that reached something new are seeds of the same campaign: between the units of the schedule, one after the other has its
//! turn with the strategies that work from seeds. What they show keeps the text of its seed, as every finding does, and can be
//! made again from it.

use super::batch::Waiting;
use super::{Leave, Worker, guarded};
use crate::duplicates::hash;
use crate::prepare::Prepared;
use crate::questions::Conversation;
use crate::schedule::Unit;
use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::Ordering;
use strategies::{Random, Seed, Strategy};

/// The most cases that wait for their turn.
const WAITING: usize = 64;

/// What a worker knows about cases and configurations that reached something new.
#[derive(Default)]
pub(super) struct CoverageQueue {
    /// The solvers in which the case in hand reached something new by default.
    pub fresh: BTreeSet<usize>,
    /// Cases that wait for their turn as seeds, and how many had theirs.
    waiting: VecDeque<String>,
    turns: usize,
}

impl CoverageQueue {
    /// Notes that a case reached something new in a solver.
    pub fn note(&mut self, place: usize, text: &str) {
        let known = !self.fresh.is_empty();
        self.fresh.insert(place);
        if !known && self.waiting.len() < WAITING {
            self.waiting.push_back(text.to_owned());
        }
    }
}

impl Worker<'_> {
    /// Gives the next case that reached something new its turn, before a unit of the schedule.
    pub(super) fn work_on_found(&mut self, unit: &Unit) -> Result<(), Leave> {
        let strategies = self.shared.strategies.iter().filter(|strategy| strategy.own_seed().is_none());
        let strategies: Vec<_> = strategies.cloned().collect();
        if strategies.is_empty() {
            self.coverage_queue.waiting.clear();
        }
        let Some(text) = self.coverage_queue.waiting.pop_front() else { return Ok(()) };
        let strategy = &strategies[self.coverage_queue.turns % strategies.len()];
        self.coverage_queue.turns += 1;
        let done = self.turn_of(strategy.as_ref(), &Seed::new("found", text));
        if done.is_err() {
            self.flush(unit, unit.from)?;
        }
        done
    }

    /// The cases that a strategy makes of a seed that is not in the pool.
    fn turn_of(&mut self, strategy: &dyn Strategy, seed: &Seed) -> Result<(), Leave> {
        let settings = self.shared.settings;
        let mut prepared = Prepared::new(seed);
        while prepared
            .ask(strategy, 0, &mut self.solver_pool, settings.want())
            .map_err(Leave::Failed)?
            .is_some()
        {}
        let seed = &*prepared.seed(0);
        let random = Random::from_parts(&[settings.seed, hash(strategy.name()), seed.hash, 0]);
        let Ok(Ok(mut mutator)) = guarded(|| strategy.open(seed, random)) else { return Ok(()) };
        let mut conversation = Conversation::default();
        for index in 0..strategy.cases_per_turn(settings.budget) {
            let Ok(case) = guarded(|| self.next_case(mutator.as_mut(), &mut conversation)) else { break };
            let Some(case) = case? else { break };
            if self.shared.stop.load(Ordering::Relaxed) {
                return Err(Leave::Stop);
            }
            if !self.shared.duplicates.is_new(hash(&case.text)) {
                self.counted.duplicates += 1;
                continue;
            }
            if !self.may_begin() {
                return Err(Leave::Stop);
            }
            let origin = self.origin(strategy.name(), seed, 0, index);
            let waiting = Waiting::new(case, origin, conversation.answers.len());
            self.ask_all(None, seed, &conversation.answers, &[waiting])?;
        }
        Ok(())
    }
}
