//! The subcommands, one module each. A module holds its arguments and a `run` that ends in an [`Outcome`].

mod progress;
mod solver;

use crate::outcome::Outcome;
use clap::Subcommand;

/// Everything that can follow `elenchus`.
#[derive(Subcommand)]
pub enum Command {
    /// Install, list, remove and check solvers
    Solver(solver::SolverArgs),
}

/// Runs the chosen command.
pub fn run(command: Command) -> Outcome {
    match command {
        Command::Solver(args) => solver::run(args),
    }
}
