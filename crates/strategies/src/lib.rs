//! Everything that makes cases.
//!
//! One folder per technique; `api` has the traits that they implement, `kit` what they share, `registry` all of them by name.
//! Everything is pure: the same seed and the same random numbers give the same cases.

mod api;
pub mod approximate;
mod command;
pub mod diver;
mod exhaustive;
mod falcon;
pub mod fusion;
pub mod grammar;
pub mod histfuzz;
pub mod incremental;
mod kit;
mod named_options;
mod opfuzz;
mod registry;
mod seeds;
pub mod storm;
mod swap;
mod typefuzz;
pub mod valfuzz;

pub use api::{
    GeneratorRun, LiveQuestion, Mutator, OptionSearch, Questioner, Recorded, RejectedBy, SeedQuestion,
    Strategy, StrategyError, TechniqueSettings, Unsuitable, Variant,
};
pub use approximate::{Approximate, ApproximateSettings};
pub use case::{Case, Expectation, Learned, Seed, Step};
pub use command::{Command, CommandSettings, split_names};
pub use diver::{Diver, DiverSettings};
pub use exhaustive::{Exhaustive, ExhaustiveSettings};
pub use falcon::Falcon;
pub use fusion::{Fusion, FusionSettings};
pub use grammar::{Enumerate, Grammar, GrammarSettings};
pub use histfuzz::{HistFuzz, HistFuzzSettings, History};
pub use incremental::{Incremental, IncrementalSettings};
pub use kit::ground;
pub use kit::random::Random;
pub use named_options::{NamedOptions, command_line, profile_name};
pub use opfuzz::OpFuzz;
pub use registry::{
    Description, SettingDescription, StrategyContext, TECHNIQUES, Technique, all, by_name, check_name,
    default_names, keeps_answers, names, technique, uses_history,
};
pub use seeds::Unchanged;
pub use storm::{Storm, StormSettings};
pub use swap::{Swap, SwapSettings};
pub use typefuzz::{TypeFuzz, TypeFuzzSettings};
pub use valfuzz::{SecondStage, ValFuzz, ValFuzzSettings};
