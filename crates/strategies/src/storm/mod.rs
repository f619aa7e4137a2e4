//! STORM: scripts that are satisfiable by construction, made of parts of a seed.
//!
//! A model of the seed makes each Boolean part of it true or false. New formulas combine such parts, and their values follow from the
//! values of the parts. A case asserts formulas that are true under the model, or the negations of false ones.

mod fragments;
mod mutator;
#[cfg(test)]
mod tests;

use crate::api::{Mutator, SeedQuestion, Setting, Strategy, TechniqueSettings, Unsuitable, Variant};
use crate::kit::random::Random;
use crate::kit::witness::question_for_model;
use case::Seed;
use mutator::StormMutator;
use smt::Signatures;
use std::sync::Arc;

/// The settings of STORM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StormSettings {
    /// The maximum number of assertions of a case.
    pub assertions: usize,
    /// The maximum nesting of connectives in a combined formula.
    pub depth: u32,
    /// The number of attempts to combine formulas when a seed is opened.
    pub combinations: usize,
    /// Whether formulas are combined by all connectives, or only by `and` and `not`.
    pub all_connectives: bool,
    /// Whether every Boolean subterm is a part, or only those below `and` and `or`.
    pub all_parts: bool,
}

impl Default for StormSettings {
    fn default() -> Self {
        StormSettings { assertions: 8, depth: 4, combinations: 200, all_connectives: true, all_parts: true }
    }
}

impl TechniqueSettings for StormSettings {
    const VARIANTS: &'static [Variant] = &[Variant {
        name: "published",
        section: "",
        summary: "the algorithms of the paper and the constants of its artifact",
    }];

    fn variant(&self, name: &str) -> Option<Self> {
        (name == "published").then_some(StormSettings {
            assertions: 20,
            depth: 20,
            combinations: 1000,
            all_connectives: false,
            all_parts: false,
        })
    }

    fn settings(&mut self) -> Vec<Setting<'_>> {
        let StormSettings { assertions, depth, combinations, all_connectives, all_parts } = self;
        vec![
            Setting::new("assertions", "", "most assertions of a case", assertions),
            Setting::new("depth", "", "most nesting of connectives in a combined formula", depth),
            Setting::new("combinations", "", "attempts to combine formulas for a seed", combinations),
            Setting::new(
                "all-connectives",
                "",
                "combine by all connectives, not only and, not",
                all_connectives,
            ),
            Setting::new(
                "all-parts",
                "",
                "use all Boolean subterms, not only those below and, or",
                all_parts,
            ),
        ]
    }
}

/// The strategy `storm`.
pub struct Storm {
    name: String,
    signatures: Arc<Signatures>,
    settings: StormSettings,
}

impl Storm {
    /// STORM over these operators.
    pub fn new(signatures: Arc<Signatures>, settings: StormSettings) -> Self {
        Storm { name: "storm".to_owned(), signatures, settings }
    }

    /// The same with the name that states its settings.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Storm { name: name.to_owned(), ..self }
    }
}

impl Strategy for Storm {
    fn name(&self) -> &str {
        &self.name
    }

    fn seed_question(&self, seed: &Seed, asked: usize) -> Option<SeedQuestion> {
        question_for_model(&self.signatures, seed, asked)
    }

    fn open(&self, seed: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        Ok(Box::new(StormMutator::open(&self.signatures, &self.settings, seed, random)?))
    }
}
