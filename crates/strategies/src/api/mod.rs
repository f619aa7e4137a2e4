//! What a technique implements, and how the rest of the program finds it.

mod question;
mod registry;
mod strategy;

pub use question::{LiveQuestion, Questioner, Recorded, SeedQuestion};
pub use registry::{StrategyContext, all, by_name, is_known, names, uses_history};
pub use strategy::{Mutator, Strategy, Unsuitable};
