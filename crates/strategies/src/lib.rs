//! Everything that makes cases: one module a technique, pure given a random generator and a corpus.

mod chain;
mod constants;
pub mod diver;
mod draft;
pub mod grammar;
pub mod ground;
pub mod histfuzz;
mod operators;
mod opfuzz;
mod random;
mod related;
mod strategy;
mod swap;
mod typefuzz;
pub mod valfuzz;

pub use case::{Case, Expectation, Learned, Seed, Step};
pub use diver::{Diver, DiverSettings};
pub use grammar::{Enumerate, Grammar, GrammarSettings};
pub use histfuzz::{HistFuzz, HistFuzzSettings};
pub use opfuzz::OpFuzz;
pub use random::Random;
pub use strategy::{LiveQuestion, Mutator, Questioner, Recorded, SeedQuestion, Strategy, Unfit};
pub use swap::Swap;
pub use typefuzz::{TypeFuzz, TypeFuzzSettings};
pub use valfuzz::{SecondStage, ValFuzz, ValFuzzSettings};

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
        Box::new(ValFuzz::new(signatures.clone(), ValFuzzSettings::default())),
        Box::new(HistFuzz::new(signatures, histfuzz::built_in(), "", HistFuzzSettings::default())),
    ]
}

/// The strategy that `--strategy` calls `name`: one of [`all`], `valfuzz:PRESET`, or any of these and `+valfuzz` for value
/// mutation as a second stage.
pub fn by_name(name: &str) -> Option<Box<dyn Strategy>> {
    if let Some((first, second)) = name.rsplit_once('+') {
        let second = ValFuzz::named(Signatures::standard(), second)?;
        return Some(Box::new(SecondStage::new(Arc::from(by_name(first)?), second)));
    }
    if let Some(valfuzz) = ValFuzz::named(Signatures::standard(), name) {
        return Some(Box::new(valfuzz));
    }
    all().into_iter().find(|strategy| strategy.name() == name)
}
