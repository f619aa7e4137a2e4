//! `elenchus completions`: prints a completion script for a shell.

use crate::Cli;
use crate::outcome::{Exit, Outcome};
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

/// Arguments of `elenchus completions`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus completions bash > ~/.local/share/bash-completion/completions/elenchus
  elenchus completions zsh > ~/.zfunc/_elenchus
  elenchus completions fish > ~/.config/fish/completions/elenchus.fish")]
pub struct CompletionsArgs {
    /// Shell
    shell: Shell,
}

/// Runs `elenchus completions`.
pub fn run(args: CompletionsArgs) -> Outcome {
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "elenchus", &mut script);
    print!("{}", String::from_utf8_lossy(&script));
    Ok(Exit::Clean)
}
