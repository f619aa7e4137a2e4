//! What a technique implements: the traits, and the questions that it may ask solvers.

mod option_search;
mod question;
mod settings;
mod strategy;

pub use option_search::OptionSearch;
pub use question::{GeneratorRun, LiveQuestion, Questioner, Recorded, SeedQuestion};
pub use settings::{
    NoSettings, Setting, SettingValue, StrategyError, TechniqueSettings, Variant, Word, configured,
};
pub(crate) use strategy::{ALL_TURNS, CONTINUED_TURNS};
pub use strategy::{Mutator, RejectedBy, Strategy, Unsuitable};
