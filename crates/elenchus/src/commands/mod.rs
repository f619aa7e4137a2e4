//! The subcommands, one module each. A module holds its arguments and a `run` that ends in an [`Outcome`].

use crate::outcome::Outcome;
use clap::Subcommand;

/// Everything that can follow `elenchus`.
#[derive(Subcommand)]
pub enum Command {}

/// Runs the chosen command.
pub fn run(command: Command) -> Outcome {
    match command {}
}
