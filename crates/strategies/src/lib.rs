//! Everything that makes cases.
//!
//! One folder per technique; `api` holds the traits they implement and the registry, `kit` what they share. Everything is pure: the
//! same seed and the same random numbers give the same cases.

mod api;
pub mod diver;
pub mod grammar;
pub mod histfuzz;
mod kit;
mod opfuzz;
mod seeds;
mod swap;
mod typefuzz;
pub mod valfuzz;

pub use api::{
    LiveQuestion, Mutator, Questioner, Recorded, SeedQuestion, Strategy, StrategyContext, Unsuitable, all,
    by_name, is_known, names, uses_history,
};
pub use case::{Case, Expectation, Learned, Seed, Step};
pub use diver::{Diver, DiverSettings};
pub use grammar::{Enumerate, Grammar, GrammarSettings};
pub use histfuzz::{HistFuzz, HistFuzzSettings, History};
pub use kit::ground;
pub use kit::random::Random;
pub use opfuzz::OpFuzz;
pub use seeds::Unchanged;
pub use swap::Swap;
pub use typefuzz::{TypeFuzz, TypeFuzzSettings};
pub use valfuzz::{SecondStage, ValFuzz, ValFuzzSettings};
