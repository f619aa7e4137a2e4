//! Everything that makes cases: one module a technique, pure given a random generator and a corpus.

mod case;
mod random;
mod strategy;

pub use case::{Case, Expectation, Step};
pub use random::Random;
pub use strategy::{Mutator, Seed, Strategy, Unfit};
