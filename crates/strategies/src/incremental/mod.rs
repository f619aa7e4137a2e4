//! Incremental scripts: the parts of a seed are asserted, assumed and retracted step by step, with a question every few steps.
//!
//! Symbolic executors and verifiers use solvers in this way. The campaign asks every question once more from scratch, and the answers
//! must agree.

mod mutator;
mod walk;

use crate::api::{Mutator, Setting, Strategy, TechniqueSettings, Unsuitable, Variant};
use crate::kit::random::Random;
use case::Seed;
use mutator::IncrementalMutator;
use smt::Signatures;
use std::sync::Arc;

/// The settings of incremental scripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncrementalSettings {
    /// The maximum number of formulas of a case.
    pub formulas: usize,
    /// The maximum number of checks of a case.
    pub checks: usize,
    /// The maximum number of steps of a case.
    pub steps: usize,
}

impl Default for IncrementalSettings {
    fn default() -> Self {
        IncrementalSettings { formulas: 6, checks: 6, steps: 18 }
    }
}

impl TechniqueSettings for IncrementalSettings {
    const VARIANTS: &'static [Variant] = &[];

    fn variant(&self, _name: &str) -> Option<Self> {
        None
    }

    fn settings(&mut self) -> Vec<Setting<'_>> {
        let IncrementalSettings { formulas, checks, steps } = self;
        vec![
            Setting::new("formulas", "", "most formulas of a case", formulas),
            Setting::new("checks", "", "most checks of a case", checks),
            Setting::new("steps", "", "most steps of a case", steps),
        ]
    }
}

/// The strategy `incremental`.
pub struct Incremental {
    name: String,
    signatures: Arc<Signatures>,
    settings: IncrementalSettings,
}

impl Incremental {
    /// Incremental scripts over these operators.
    pub fn new(signatures: Arc<Signatures>, settings: IncrementalSettings) -> Self {
        Incremental { name: "incremental".to_owned(), signatures, settings }
    }

    /// The same with the name that states its settings.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Incremental { name: name.to_owned(), ..self }
    }
}

impl Strategy for Incremental {
    fn name(&self) -> &str {
        &self.name
    }

    fn open(&self, seed: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        Ok(Box::new(IncrementalMutator::open(&self.signatures, &self.settings, seed, random)?))
    }
}
