//! ValFuzz: value mutation with Boolean sub-expression coercion. The constants of a formula become holes; a solver is asked to
//! fill them so that a Boolean expression of the formula takes a truth value that it did not have yet; and the formula with
//! those constants is the next case.

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

use crate::random::Random;
use crate::strategy::{Mutator, Seed, Strategy, Unfit};
use smt::Signatures;
use std::sync::Arc;

/// The strategy `valfuzz`, or `valfuzz:PRESET` with the settings of the paper.
pub struct ValFuzz {
    name: String,
    signatures: Arc<Signatures>,
    settings: ValFuzzSettings,
}

impl ValFuzz {
    /// ValFuzz over these operators.
    pub fn new(signatures: Arc<Signatures>, settings: ValFuzzSettings) -> Self {
        ValFuzz { name: "valfuzz".to_owned(), signatures, settings }
    }

    /// The strategy of a name: `valfuzz`, or `valfuzz:` and the name of a preset.
    pub fn named(signatures: Arc<Signatures>, name: &str) -> Option<Self> {
        let settings = match name.split_once(':') {
            None if name == "valfuzz" => ValFuzzSettings::default(),
            Some(("valfuzz", preset)) => ValFuzzSettings::preset(preset)?,
            _ => return None,
        };
        Some(ValFuzz { name: name.to_owned(), signatures, settings })
    }

    /// Opens a seed, as [`Strategy::open`] does, and gives the mutator itself.
    pub fn open_seed(&self, seed: &Seed, random: Random) -> Result<ValFuzzMutator, Unfit> {
        ValFuzzMutator::open(&self.signatures, &self.settings, seed, random)
    }
}

impl Strategy for ValFuzz {
    fn name(&self) -> &str {
        &self.name
    }

    /// A turn ends when everything is covered, which takes more cases than the usual number.
    fn turn(&self, budget: u64) -> u64 {
        budget.saturating_mul(16)
    }

    fn open(&self, seed: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unfit> {
        Ok(Box::new(self.open_seed(seed, random)?))
    }
}
