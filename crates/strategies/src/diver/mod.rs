//! DIVER: satisfiable by construction, with unrestricted mutations. A model of the seed says for each term which values it may
//! take without making the formula false; terms that may take many are mutated first, and what comes out counts if our own
//! evaluation finds it true under the model.

mod analysis;
mod balance;
mod complicate;
mod convert;
pub mod domain;
mod generate;
mod inquiry;
mod mutator;
pub mod proposition;
mod rules;
#[cfg(test)]
mod tests;
mod unsat;
mod witness;

pub(crate) use witness::{limits, not_one_question};

pub use mutator::{DiverMutator, Label, Tally, Trial};

use crate::random::Random;
use crate::strategy::{Mutator, Seed, SeedQuestion, Strategy, Unfit};
use smt::Signatures;
use std::sync::Arc;
use unsat::UnsatMutator;

/// The constants of DIVER.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiverSettings {
    /// How many satisfiable mutants are made of a formula before another one is taken from the pool.
    pub mutants: usize,
    /// How many terms are tried at a place before another place is chosen.
    pub tries: usize,
    /// How many choices a new term has before only variables and constants are taken.
    pub bound: u32,
    /// The most mutations of one mutant; the paper has one, and reaches more through the pool.
    pub steps: u64,
    /// Whether places are chosen by their constraints, or all alike.
    pub weighted: bool,
    /// Whether fresh variables come in.
    pub complicate: bool,
    /// The most fresh variables that come in at once; the paper has one.
    pub fresh: usize,
    /// Whether only integers and reals become fresh variables, as in the paper's prototype.
    pub numbers_only: bool,
    /// Whether half of the places are sought in an assertion that is chosen whatever its weight.
    pub even: bool,
    /// Whether what a mutation changes or adds may move before all other assertions.
    pub order: bool,
    /// Whether terms also give way to others of the same value, at places without room for anything else.
    pub balance: bool,
    /// How many different models of a seed are asked for.
    pub models: usize,
}

impl Default for DiverSettings {
    fn default() -> Self {
        DiverSettings {
            mutants: 4,
            tries: 50,
            bound: 5,
            steps: 4,
            weighted: true,
            complicate: true,
            fresh: 3,
            numbers_only: false,
            even: true,
            order: true,
            balance: true,
            models: 3,
        }
    }
}

impl DiverSettings {
    /// The constants of the paper and nothing else.
    pub fn as_published() -> Self {
        DiverSettings {
            mutants: 1000,
            steps: 1,
            fresh: 1,
            numbers_only: true,
            even: false,
            order: false,
            balance: false,
            models: 1,
            ..DiverSettings::default()
        }
    }
}

/// The strategy `diver`.
pub struct Diver {
    signatures: Arc<Signatures>,
    settings: DiverSettings,
}

impl Diver {
    /// DIVER over these operators.
    pub fn new(signatures: Arc<Signatures>, settings: DiverSettings) -> Self {
        Diver { signatures, settings }
    }

    /// Opens a seed that has a model, as [`Strategy::open`] does, and gives the mutator itself.
    pub fn open_satisfiable(&self, seed: &Seed, random: Random) -> Result<DiverMutator, Unfit> {
        DiverMutator::open(&self.signatures, &self.settings, seed, random)
    }
}

impl Strategy for Diver {
    fn name(&self) -> &str {
        "diver"
    }

    fn inquire(&self, seed: &Seed, asked: usize) -> Option<SeedQuestion> {
        inquiry::next(&self.signatures, seed, asked, self.settings.models)
    }

    fn open(&self, seed: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unfit> {
        let says = |sat: bool| seed.learned.iter().any(|learned| learned.sat == Some(sat));
        if says(false) && !says(true) {
            return Ok(Box::new(UnsatMutator::open(&self.signatures, seed, random)?));
        }
        Ok(Box::new(self.open_satisfiable(seed, random)?))
    }
}
