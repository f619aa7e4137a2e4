//! Weaker and stronger formulas: what follows from a satisfiable formula is satisfiable, and what an unsatisfiable one follows from is
//! unsatisfiable.
//!
//! A part of the seed is replaced by a larger or smaller one, in the order of its sort: implication of formulas, numbers, languages, sets
//! and strings (`order.rs`). Which of the two it is follows from the operators around it.

mod mutator;
mod order;
mod rules;
#[cfg(test)]
mod tests;

use crate::api::{Mutator, SeedQuestion, Setting, Strategy, TechniqueSettings, Unsuitable, Variant};
use crate::kit::random::Random;
use crate::kit::witness::question_for_model;
use case::Seed;
use mutator::ApproximateMutator;
use smt::Signatures;
use std::sync::Arc;

/// The settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApproximateSettings {
    /// The maximum number of steps from one case to the next.
    pub steps: usize,
    /// The number of cases that build on each other before the next one starts from the seed.
    pub chain: usize,
    /// The percentage of chains that go the other way, where the answer is not known.
    pub other: u64,
}

impl Default for ApproximateSettings {
    fn default() -> Self {
        ApproximateSettings { steps: 3, chain: 6, other: 20 }
    }
}

impl TechniqueSettings for ApproximateSettings {
    const VARIANTS: &'static [Variant] = &[];

    fn variant(&self, _name: &str) -> Option<Self> {
        None
    }

    fn settings(&mut self) -> Vec<Setting<'_>> {
        let ApproximateSettings { steps, chain, other } = self;
        vec![
            Setting::new("steps", "", "most steps from one case to the next", steps),
            Setting::new(
                "chain",
                "",
                "cases that build on each other before the next starts from the seed",
                chain,
            ),
            Setting::new(
                "other",
                "",
                "percent of the chains that go the other way, without a known answer",
                other,
            ),
        ]
    }
}

/// The strategy `approximate`.
pub struct Approximate {
    name: String,
    signatures: Arc<Signatures>,
    settings: ApproximateSettings,
}

impl Approximate {
    /// The strategy's name.
    pub const NAME: &'static str = "approximate";

    /// Weaker and stronger formulas over these operators.
    pub fn new(signatures: Arc<Signatures>, settings: ApproximateSettings) -> Self {
        Approximate { name: Approximate::NAME.to_owned(), signatures, settings }
    }

    /// The same with the name that states its settings.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Approximate { name: name.to_owned(), ..self }
    }
}

impl Strategy for Approximate {
    fn name(&self) -> &str {
        &self.name
    }

    fn seed_question(&self, seed: &Seed, asked: usize) -> Option<SeedQuestion> {
        question_for_model(&self.signatures, seed, asked)
    }

    fn open(&self, seed: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        Ok(Box::new(ApproximateMutator::open(&self.signatures, &self.settings, seed, random)?))
    }
}
