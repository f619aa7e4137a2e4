//! The command line of Elenchus. Each subcommand is one module of [`commands`].

mod commands;
mod files;
mod outcome;
mod view;

use clap::Parser;
use std::process::ExitCode;

/// Finds wrong answers in SMT solvers.
#[derive(Parser)]
#[command(name = "elenchus", version, about, propagate_version = true)]
struct Cli {
    /// Load further operators from a signature file (may be given several times)
    #[arg(long, global = true, value_name = "FILE")]
    signatures: Vec<std::path::PathBuf>,
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    outcome::report(load_signatures(&cli.signatures).and_then(|()| commands::run(cli.command)))
}

/// Adds the user's signature files to the built-in ones.
fn load_signatures(files: &[std::path::PathBuf]) -> Result<(), outcome::Failure> {
    if files.is_empty() {
        return Ok(());
    }
    let mut signatures = smt::Signatures::built_in();
    for file in files {
        let text = files::read_text(file)?;
        signatures.load(&text).map_err(|error| {
            outcome::Failure::new(format!(
                "the signature file is not well-formed\n{}",
                error.render(&file.display().to_string(), &text)
            ))
            .hint("docs/signatures.md describes the form of these files")
        })?;
    }
    smt::Signatures::set_standard(signatures);
    Ok(())
}
