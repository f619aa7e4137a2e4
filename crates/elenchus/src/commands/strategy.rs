//! `elenchus strategy`: lists the strategies, and shows the variants and settings of one.

use crate::outcome::{Exit, Failure, Outcome};
use campaign::config::ConfigError;
use campaign::present::strategies::{strategies_table, strategy_json, strategy_text};
use clap::{Args, Subcommand};
use strategies::{StrategyError, TECHNIQUES};

/// Arguments of `elenchus strategy`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus strategy list
  elenchus strategy show diver

A strategy is chosen with `elenchus fuzz --strategy NAME`. A variant and settings may follow the name:
  elenchus fuzz --strategy typefuzz:published
  elenchus fuzz --strategy diver:published:tries=10

A configuration file can hold settings, too:
  [strategy.diver]
  tries = 10")]
pub struct StrategyArgs {
    #[command(subcommand)]
    command: StrategyCommand,
}

#[derive(Subcommand)]
enum StrategyCommand {
    /// List the strategies
    #[command(after_help = "Examples:\n  elenchus strategy list\n  elenchus strategy list --json")]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show the paper, the variants and the settings of a strategy
    #[command(
        after_help = "Examples:\n  elenchus strategy show typefuzz\n  elenchus strategy show valfuzz --json

`section` is the section of the paper. Settings without one are not in the paper."
    )]
    Show {
        /// Name of the strategy
        name: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Runs `elenchus strategy`.
pub fn run(args: StrategyArgs) -> Outcome {
    match args.command {
        StrategyCommand::List { json: true } => {
            let all: Vec<_> = TECHNIQUES.iter().map(strategy_json).collect();
            println!("{}", serde_json::json!(all));
        }
        StrategyCommand::List { json: false } => println!("{}", strategies_table().join("\n")),
        StrategyCommand::Show { name, json } => {
            let unknown = || Failure::from(ConfigError::from(StrategyError::Technique(name.clone())));
            let technique = strategies::technique(&name).ok_or_else(unknown)?;
            match json {
                true => println!("{}", strategy_json(technique)),
                false => println!("{}", strategy_text(technique).join("\n")),
            }
        }
    }
    Ok(Exit::Clean)
}
