//! DIVER: mutants that are satisfiable by construction, with unrestricted mutations.
//!
//! A model of the seed determines which values each term may take without making the formula false. Terms with much freedom are
//! mutated first, and a mutant counts if our evaluation finds it true under the model.

mod analysis;
mod balance;
mod complicate;
mod convert;
pub mod domain;
mod generate;
mod mutator;
#[cfg(test)]
mod paper_tests;
pub mod proposition;
mod questions;
mod rules;
#[cfg(test)]
mod tests;
mod unsat;

pub use mutator::{DiverMutator, Label, Tally, Trial};

use crate::api::{
    ALL_TURNS, CONTINUED_TURNS, Mutator, SeedQuestion, Setting, Strategy, TechniqueSettings, Unsuitable,
    Variant,
};
use crate::kit::draft::USUAL_GROWTH;
use crate::kit::random::Random;
use case::Seed;
use smt::Signatures;
use std::sync::Arc;
use unsat::UnsatMutator;

/// The settings of DIVER.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiverSettings {
    /// The number of satisfiable mutants of a formula before another one is taken from the pool.
    pub mutants: usize,
    /// The number of terms to try at a position.
    pub tries: usize,
    /// The number of choices in a new term before only variables and constants are used.
    pub bound: u32,
    /// The maximum number of mutations per mutant; one in the paper, which reaches further through the pool.
    pub steps: u64,
    /// Whether positions are chosen by their constraints, or all with the same probability.
    pub weighted: bool,
    /// Whether to add fresh variables.
    pub complicate: bool,
    /// The maximum number of fresh variables per mutation; one in the paper.
    pub fresh: usize,
    /// Whether only integers and reals become fresh variables, as in the paper's prototype.
    pub numbers_only: bool,
    /// Whether half of the positions are drawn from an assertion chosen regardless of its weight.
    pub even: bool,
    /// Whether changed and new assertions may move to the front.
    pub order: bool,
    /// Whether to replace terms by others of the same value, at positions without any freedom.
    pub balance: bool,
    /// The number of different models to ask for.
    pub models: usize,
    /// The maximum number of mutants in the pool.
    pub pool: usize,
    /// Whether the next formula to mutate is the seed half of the time, or any of the pool with the same probability.
    pub seed_first: bool,
    /// Whether a formula leaves the pool when it is taken, as in the paper, or stays there.
    pub removes: bool,
    /// Whether mutants that show a bug leave the pool, as in the paper, or stay there. A finding then stores which did.
    pub forgets: bool,
    /// Whether new terms are mostly relations, repeat their parts, and often use solver-specific operators and boundary values.
    pub biased: bool,
    /// Whether sorts besides Booleans, numbers and strings have sets of values, too.
    pub domains: bool,
    /// Whether unsatisfiable seeds are mutated, too, around an unsat core.
    pub unsat: bool,
    /// How many times the size of its seed a mutant may have; 0 for any size.
    pub growth: u64,
    /// The size of the largest seed in kilobytes; 0 for any size.
    pub kilobytes: usize,
    /// The number of turns on a seed that continue each other, with the same pool.
    pub turns: u64,
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
            pool: 32,
            seed_first: true,
            removes: false,
            forgets: false,
            biased: true,
            domains: true,
            unsat: true,
            growth: USUAL_GROWTH,
            kilobytes: 0,
            turns: CONTINUED_TURNS,
        }
    }
}

impl DiverSettings {
    /// The settings of the paper.
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
            pool: 10_000,
            seed_first: false,
            removes: true,
            forgets: true,
            biased: false,
            domains: false,
            unsat: false,
            growth: 0,
            kilobytes: 200,
            turns: ALL_TURNS,
            ..DiverSettings::default()
        }
    }
}

impl TechniqueSettings for DiverSettings {
    const VARIANTS: &'static [Variant] = &[
        Variant { name: "published", section: "III", summary: "the algorithms and constants of the paper" },
        Variant {
            name: "no-weight",
            section: "IV-C",
            summary: "as published, with all positions equally likely",
        },
        Variant { name: "no-complicate", section: "IV-C", summary: "as published, without fresh variables" },
    ];

    fn variant(&self, name: &str) -> Option<Self> {
        let published = DiverSettings::as_published();
        match name {
            "published" => Some(published),
            "no-weight" => Some(DiverSettings { weighted: false, ..published }),
            "no-complicate" => Some(DiverSettings { complicate: false, ..published }),
            _ => None,
        }
    }

    fn settings(&mut self) -> Vec<Setting<'_>> {
        let DiverSettings {
            mutants,
            tries,
            bound,
            steps,
            weighted,
            complicate,
            fresh,
            numbers_only,
            even,
            order,
            balance,
            models,
            pool,
            seed_first,
            removes,
            forgets,
            biased,
            domains,
            unsat,
            growth,
            kilobytes,
            turns,
        } = self;
        vec![
            Setting::new(
                "mutants",
                "III",
                "satisfiable mutants of a formula before the next one (n)",
                mutants,
            ),
            Setting::new("tries", "III-B", "terms to try at a position", tries),
            Setting::new(
                "bound",
                "III-B",
                "choices in a new term before only variables and constants are used",
                bound,
            ),
            Setting::new("steps", "III-B", "most mutations of a mutant", steps),
            Setting::new("weighted", "III-B", "choose positions by their constraints", weighted),
            Setting::new("complicate", "III-B", "add fresh variables", complicate),
            Setting::new("fresh", "III-B", "most fresh variables of a mutation", fresh),
            Setting::new(
                "numbers-only",
                "III-B",
                "only integers and reals become fresh variables",
                numbers_only,
            ),
            Setting::new(
                "even",
                "",
                "draw half of the positions from an assertion regardless of its weight",
                even,
            ),
            Setting::new("order", "", "move changed and new assertions to the front", order),
            Setting::new("balance", "", "replace terms by others of the same value", balance),
            Setting::new("models", "III", "different models to ask for", models),
            Setting::new("pool", "III", "most mutants in the pool", pool),
            Setting::new(
                "seed-first",
                "",
                "mutate the seed half of the time, not just any formula of the pool",
                seed_first,
            ),
            Setting::new("removes", "III", "take a formula from the pool only once", removes),
            Setting::new("forgets", "III", "keep mutants that show a bug out of the pool", forgets),
            Setting::new(
                "biased",
                "",
                "new terms are mostly relations, repeat parts, and often need one solver",
                biased,
            ),
            Setting::new("domains", "", "sets of values for all sorts, not only the paper's", domains),
            Setting::new("unsat", "", "mutate unsatisfiable seeds around an unsat core", unsat),
            Setting::new(
                "growth",
                "",
                "how many times the size of its seed a mutant may have; 0 for any size",
                growth,
            ),
            Setting::new("kilobytes", "IV-A", "size of the largest seed; 0 for any size", kilobytes),
            Setting::new("turns", "III", "turns on a seed with the same pool", turns),
        ]
    }
}

/// The strategy `diver`.
pub struct Diver {
    name: String,
    signatures: Arc<Signatures>,
    settings: DiverSettings,
}

impl Diver {
    /// DIVER over these operators.
    pub fn new(signatures: Arc<Signatures>, settings: DiverSettings) -> Self {
        Diver { name: "diver".to_owned(), signatures, settings }
    }

    /// The same with the name that states its settings.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Diver { name: name.to_owned(), ..self }
    }

    fn is_too_large(&self, seed: &Seed) -> bool {
        self.settings.kilobytes > 0 && seed.text.len() > 1000 * self.settings.kilobytes
    }

    /// Like [`Strategy::open`] for a seed with a model, with the mutator's own type.
    pub fn open_satisfiable(&self, seed: &Seed, random: Random) -> Result<DiverMutator, Unsuitable> {
        DiverMutator::open(&self.signatures, &self.settings, seed, random)
    }
}

impl Strategy for Diver {
    fn name(&self) -> &str {
        &self.name
    }

    fn continued_turns(&self) -> u64 {
        self.settings.turns.max(1)
    }

    fn seed_question(&self, seed: &Seed, asked: usize) -> Option<SeedQuestion> {
        if self.is_too_large(seed) {
            return None;
        }
        let question = questions::next(&self.signatures, seed, asked, self.settings.models)?;
        (self.settings.unsat || !question.core).then_some(question)
    }

    fn open(&self, seed: &Seed, random: Random) -> Result<Box<dyn Mutator>, Unsuitable> {
        if self.is_too_large(seed) {
            return Err(Unsuitable(format!("the seed is larger than {} kB", self.settings.kilobytes)));
        }
        let says = |sat: bool| seed.learned.iter().any(|learned| learned.sat == Some(sat));
        if says(false) && !says(true) {
            if !self.settings.unsat {
                return Err(Unsuitable("the seed is unsatisfiable".to_owned()));
            }
            return Ok(Box::new(UnsatMutator::open(&self.signatures, seed, random)?));
        }
        Ok(Box::new(self.open_satisfiable(seed, random)?))
    }
}
