//! ValFuzz: value mutation with Boolean sub-expression coercion.
//!
//! Turns the constants of a formula into holes and asks a solver to fill them so that a Boolean expression of the formula takes a
//! value that it did not have yet. The formula with these constants is the next case.

mod claim;
mod coverage;
mod domains;
mod holes;
mod monitors;
mod mutator;
mod settings;
mod shape;
mod stage;
#[cfg(test)]
mod tests;
mod values;

pub use mutator::{Mutant, ValFuzzMutator, ValFuzzTally};
pub use settings::{Domains, Quantified, ValFuzzSettings};
pub use stage::SecondStage;

use crate::api::{Mutator, Strategy, Unsuitable};
use crate::kit::random::Random;
use case::Seed;
use smt::Signatures;
use std::sync::Arc;

/// The strategy `valfuzz`, or `valfuzz:PRESET` with settings of the paper.
pub struct ValFuzz {
    name: String,
    signatures: Arc<Signatures>,
    settings: ValFuzzSettings,
}

impl ValFuzz {
    /// The strategy's name.
    pub const NAME: &'static str = "valfuzz";

    /// ValFuzz over these operators.
    pub fn new(signatures: Arc<Signatures>, settings: ValFuzzSettings) -> Self {
        ValFuzz { name: ValFuzz::NAME.to_owned(), signatures, settings }
    }

    /// The same with the name that states its settings.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        ValFuzz { name: name.to_owned(), ..self }
    }

    /// Like [`Strategy::open`], with the mutator's own type.
    pub fn open_seed(&self, seed: &Seed, random: Random) -> Result<ValFuzzMutator, Unsuitable> {
        ValFuzzMutator::open(&self.signatures, &self.settings, seed, random)
    }
}

impl Strategy for ValFuzz {
    fn name(&self) -> &str {
        &self.name
    }

    /// A turn ends when everything is covered, which takes more cases than usual.
    fn cases_per_turn(&self, budget: u64) -> u64 {
        budget.saturating_mul(self.settings.pace.max(1))
    }

    fn open(&self, seed: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        Ok(Box::new(self.open_seed(seed, random)?))
    }
}
