//! Everything that makes cases: one module a technique, pure given a random generator and a corpus.

mod case;
pub mod configurations;
mod constants;
pub mod diver;
pub mod grammar;
pub mod ground;
mod operators;
mod opfuzz;
mod random;
mod related;
mod strategy;
mod swap;
mod typefuzz;
mod work;

pub use case::{Case, Expectation, Step};
pub use diver::{Diver, DiverSettings};
pub use grammar::{Enumerate, Grammar, GrammarSettings};
pub use opfuzz::OpFuzz;
pub use random::Random;
pub use strategy::{Inquiry, Learned, Mutator, Seed, Strategy, Unfit};
pub use swap::Swap;
pub use typefuzz::{TypeFuzz, TypeFuzzSettings};

use smt::Signatures;
use std::sync::Arc;

/// All strategies with their usual settings, over the built-in signature files.
pub fn all() -> Vec<Box<dyn Strategy>> {
    all_with(&Signatures::standard())
}

/// All strategies with their usual settings, over the given operators.
pub fn all_with(signatures: &Arc<Signatures>) -> Vec<Box<dyn Strategy>> {
    vec![
        Box::new(TypeFuzz::new(signatures.clone(), TypeFuzzSettings::default())),
        Box::new(OpFuzz::new(signatures.clone())),
        Box::new(Swap::new(signatures.clone())),
        Box::new(Diver::new(signatures.clone(), DiverSettings::default())),
        Box::new(Grammar::new(signatures.clone(), GrammarSettings::default())),
        Box::new(Enumerate::new(signatures.clone())),
    ]
}

/// The strategy that `--strategy` calls `name`.
pub fn by_name(name: &str) -> Option<Box<dyn Strategy>> {
    all().into_iter().find(|strategy| strategy.name() == name)
}
