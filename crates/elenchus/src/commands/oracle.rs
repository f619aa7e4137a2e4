//! `elenchus oracle`: lists the oracles that can be chosen.

use crate::outcome::{Exit, Outcome};
use campaign::present::oracles::{oracles_json, oracles_table};
use clap::{Args, Subcommand};

/// Arguments of `elenchus oracle`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus oracle list
  elenchus fuzz --oracle simplify,values
  elenchus fuzz --oracle none")]
pub struct OracleArgs {
    #[command(subcommand)]
    command: OracleCommand,
}

#[derive(Subcommand)]
enum OracleCommand {
    /// List the oracles
    #[command(after_help = "Examples:\n  elenchus oracle list\n  elenchus oracle list --json

`needs` says which answer of the solver an oracle needs. Answers, models and the solvers' own checks are always judged, unless \
`elenchus fuzz --help` names a flag against it.")]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Runs `elenchus oracle`.
pub fn run(args: OracleArgs) -> Outcome {
    match args.command {
        OracleCommand::List { json: true } => println!("{}", oracles_json()),
        OracleCommand::List { json: false } => println!("{}", oracles_table().join("\n")),
    }
    Ok(Exit::Clean)
}
