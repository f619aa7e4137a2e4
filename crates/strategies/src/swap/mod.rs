//! FuzzChick's mutation, as the TypeFuzz paper describes it.
//!
//! Swaps two expressions of the formula, or copies one over another of the same sort. It never introduces an operator.

use crate::api::{CONTINUED_TURNS, Mutator, Strategy, Unsuitable};
use crate::kit::chain::{self, Chain};
use crate::kit::draft::{Draft, Position};
use crate::kit::random::Random;
use case::{Case, Seed, Step};
use smt::{Signatures, Term};
use std::sync::Arc;

/// The number of candidates to swap an expression with.
const PARTNERS: usize = 12;

/// The strategy `swap`.
pub struct Swap {
    signatures: Arc<Signatures>,
}

impl Swap {
    /// Swaps expressions of formulas over these operators.
    pub fn new(signatures: Arc<Signatures>) -> Self {
        Swap { signatures }
    }
}

impl Strategy for Swap {
    fn name(&self) -> &str {
        "swap"
    }

    fn continued_turns(&self) -> u64 {
        CONTINUED_TURNS
    }

    fn open(&self, seed: &Seed, mut random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        let draft = Draft::open(&self.signatures, seed)?;
        Ok(Box::new(SwapMutator {
            signatures: self.signatures.clone(),
            seed: seed.clone(),
            head_start: chain::head_start(&mut random),
            random,
            draft,
            first: Position::default(),
            second: Position::default(),
        }))
    }
}

/// Mutates a seed by swaps.
struct SwapMutator {
    signatures: Arc<Signatures>,
    seed: Seed,
    random: Random,
    /// The number of mutations before the first case.
    head_start: usize,
    draft: Draft,
    first: Position,
    second: Position,
}

impl Mutator for SwapMutator {
    fn next_case(&mut self) -> Option<Case> {
        let head_start = std::mem::take(&mut self.head_start);
        chain::advance(self, head_start)?;
        Some(self.draft.case())
    }
}

impl Chain for SwapMutator {
    fn mutate(&mut self) -> bool {
        if !self.draft.choose(&mut self.random, &mut self.first) || self.first.values_only {
            return false;
        }
        let term = self.first.term();
        let sort = self.draft.arena.sort(term);
        if self.random.chance(1, 4) {
            return match self.random.pick(self.draft.pool.of(sort)).copied() {
                Some(other) if other != term && self.draft.usable(&self.first, other) => {
                    self.draft.replace(&self.first, other, "copy")
                }
                _ => false,
            };
        }
        for _ in 0..PARTNERS {
            if self.draft.choose(&mut self.random, &mut self.second)
                && self.can_exchange(term)
                && self.exchange(term)
            {
                return true;
            }
        }
        false
    }

    fn steps(&self) -> usize {
        self.draft.steps()
    }

    fn restart(&mut self) -> Option<()> {
        if self.draft.restart() {
            self.draft = Draft::open(&self.signatures, &self.seed).ok()?;
        }
        Some(())
    }
}

impl SwapMutator {
    /// Whether the terms at the two positions can be swapped.
    fn can_exchange(&mut self, term: Term) -> bool {
        let other = self.second.term();
        let arena = &self.draft.arena;
        other != term
            && arena.sort(other) == arena.sort(term)
            && !self.second.values_only
            && !self.first.overlaps(&self.second)
            && self.draft.usable(&self.first, other)
            && self.draft.usable(&self.second, term)
    }

    fn exchange(&mut self, term: Term) -> bool {
        let other = self.second.term();
        let step = Step {
            action: "exchange".into(),
            before: self.draft.abridged(term),
            after: self.draft.abridged(other),
        };
        let first = self.draft.rebuilt(&self.first, other);
        if self.first.root != self.second.root {
            let second = self.draft.rebuilt(&self.second, term);
            return self.draft.commit_pair((self.first.root, first), (self.second.root, second), step);
        }
        let both = self.draft.arena.replace_at(first, &self.second.path, term);
        self.draft.commit(self.first.root, both, step)
    }
}
