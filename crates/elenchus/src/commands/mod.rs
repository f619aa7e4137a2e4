//! The subcommands, one module each. A module holds its arguments and a `run` that ends in an [`Outcome`].

mod check;
mod drive;
mod fmt;
mod progress;
mod solve;
mod solver;

use crate::outcome::Outcome;
use clap::Subcommand;

/// Everything that can follow `elenchus`.
#[derive(Subcommand)]
pub enum Command {
    /// Read and type scripts; say what they use
    Check(check::CheckArgs),
    /// Pretty-print a script
    Fmt(fmt::FmtArgs),
    /// Be a driver of a solver's library
    #[command(name = "__drive", hide = true)]
    Drive(drive::DriveArgs),
    /// Ask solvers about scripts and compare their answers
    Solve(solve::SolveArgs),
    /// Install, list, remove and check solvers
    Solver(solver::SolverArgs),
}

/// Runs the chosen command.
pub fn run(command: Command) -> Outcome {
    match command {
        Command::Check(args) => check::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::Drive(args) => drive::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Solver(args) => solver::run(args),
    }
}
