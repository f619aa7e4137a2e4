//! What a technique implements: the traits, and the questions that it may ask solvers.

mod question;
mod strategy;

pub use question::{LiveQuestion, Questioner, Recorded, SeedQuestion};
pub use strategy::{Mutator, RejectedBy, Strategy, Unsuitable};
