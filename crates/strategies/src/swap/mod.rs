//! FuzzChick's mutation, as the TypeFuzz paper describes it.
//!
//! Swaps two expressions of the formula, or copies one over another of the same sort. It never introduces an operator.

use crate::api::{
    ALL_TURNS, CONTINUED_TURNS, Mutator, Setting, Strategy, TechniqueSettings, Unsuitable, Variant,
};
use crate::kit::chain::{self, Chain};
use crate::kit::draft::{Draft, Position};
use crate::kit::random::Random;
use case::{Case, Seed, Step};
use smt::{Signatures, Term};
use std::sync::Arc;

/// The number of candidates to swap an expression with.
const PARTNERS: usize = 12;

/// What the strategy does besides FuzzChick's copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwapSettings {
    /// Whether three mutations in four exchange two expressions instead of copying one.
    pub exchanges: bool,
    /// Whether half of the chains start with up to 19 mutations.
    pub head_start: bool,
    /// The number of turns on a seed that continue each other.
    pub turns: u64,
}

impl Default for SwapSettings {
    fn default() -> Self {
        SwapSettings { exchanges: true, head_start: true, turns: CONTINUED_TURNS }
    }
}

impl SwapSettings {
    /// FuzzChick's mutator: copies only.
    pub fn as_published() -> Self {
        SwapSettings { exchanges: false, head_start: false, turns: ALL_TURNS }
    }
}

impl TechniqueSettings for SwapSettings {
    const VARIANTS: &'static [Variant] = &[Variant {
        name: "published",
        section: "3.2",
        summary: "FuzzChick's mutator, as the TypeFuzz paper describes it: copies only",
    }];

    fn variant(&self, name: &str) -> Option<Self> {
        (name == "published").then(SwapSettings::as_published)
    }

    fn settings(&mut self) -> Vec<Setting<'_>> {
        let SwapSettings { exchanges, head_start, turns } = self;
        vec![
            Setting::new("exchanges", "", "exchange two expressions three times in four", exchanges),
            Setting::new("head-start", "", "make up to 19 mutations before half of the chains", head_start),
            Setting::new("turns", "", "turns on a seed that continue each other", turns),
        ]
    }
}

/// The strategy `swap`.
pub struct Swap {
    name: String,
    signatures: Arc<Signatures>,
    settings: SwapSettings,
}

impl Swap {
    /// Swaps expressions of formulas over these operators.
    pub fn new(signatures: Arc<Signatures>, settings: SwapSettings) -> Self {
        Swap { name: "swap".to_owned(), signatures, settings }
    }

    /// The same with the name that states its settings.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Swap { name: name.to_owned(), ..self }
    }
}

impl Strategy for Swap {
    fn name(&self) -> &str {
        &self.name
    }

    fn continued_turns(&self) -> u64 {
        self.settings.turns.max(1)
    }

    fn open(&self, seed: &Seed, mut random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        let draft = Draft::open(&self.signatures, seed)?;
        let head_start = if self.settings.head_start { chain::head_start(&mut random) } else { 0 };
        Ok(Box::new(SwapMutator {
            signatures: self.signatures.clone(),
            exchanges: self.settings.exchanges,
            seed: seed.clone(),
            head_start,
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
    exchanges: bool,
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
        if !self.exchanges || self.random.chance(1, 4) {
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
