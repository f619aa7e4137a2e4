//! The command line of Elenchus. Each subcommand is one module of [`commands`].

mod commands;
mod outcome;

use clap::Parser;
use std::process::ExitCode;

/// Finds wrong answers in SMT solvers.
#[derive(Parser)]
#[command(name = "elenchus", version, about, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    outcome::report(commands::run(cli.command))
}
