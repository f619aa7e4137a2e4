//! Open mutators that wait for the next turn of their seed. A chain of mutations or a pool of mutants goes on where it stopped
//! instead of starting from the seed again.

use crate::questions::QuestionLog;
use case::{SeedIndex, StrategyIndex};
use std::collections::BTreeMap;
use std::sync::Arc;
use strategies::{Mutator, Seed};

/// How many lives are kept. One that is not kept is made again, which costs no run of a solver.
const KEPT: usize = 256;

/// A strategy at work on a seed.
pub(super) struct Life {
    pub mutator: Box<dyn Mutator>,
    /// The seed with the answers that the strategy opened it with.
    pub seed: Arc<Seed>,
    /// The round in which it was opened, from which its random numbers follow.
    pub round: u64,
    /// The number of cases it has made.
    pub made: u64,
    /// The questions asked while it made them.
    pub questions: QuestionLog,
    /// The numbers of those that showed a bug.
    pub buggy: Vec<u64>,
}

/// The round in which the life of a strategy on a seed began that goes on in `round`, if it lasts for `turns` rounds.
pub(super) fn first_round(round: u64, turns: u64) -> u64 {
    round - round % turns
}

/// The kept lives.
#[derive(Default)]
pub(super) struct Lives {
    /// Each with the round that it waits for, and when it was kept.
    waiting: BTreeMap<(StrategyIndex, SeedIndex), (u64, u64, Life)>,
    /// How many lives were kept so far.
    clock: u64,
}

impl Lives {
    /// Takes the life that goes on in this round.
    pub fn take(&mut self, strategy: StrategyIndex, seed: SeedIndex, round: u64) -> Option<Life> {
        let (waits_for, _, life) = self.waiting.remove(&(strategy, seed))?;
        (waits_for == round).then_some(life)
    }

    /// Keeps a life after a round. The oldest one makes room for it.
    pub fn keep(&mut self, strategy: StrategyIndex, seed: SeedIndex, round: u64, life: Life) {
        let next = round + 1;
        if self.waiting.len() >= KEPT {
            let oldest = self.waiting.iter().min_by_key(|(_, (_, kept, _))| *kept).map(|(key, _)| *key);
            oldest.and_then(|key| self.waiting.remove(&key));
        }
        self.clock += 1;
        self.waiting.insert((strategy, seed), (next, self.clock, life));
    }
}
