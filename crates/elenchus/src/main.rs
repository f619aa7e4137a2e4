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
    leave_quietly_when_nobody_reads();
    let cli = Cli::parse();
    outcome::report(load_signatures(&cli.signatures).and_then(|()| commands::run(cli.command)))
}

/// Whoever reads our output (`head`, a pager) may stop when they have seen enough. Solvers may close their input early, too,
/// so the signal itself stays ignored; only a failed print to standard output ends the program.
fn leave_quietly_when_nobody_reads() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload().downcast_ref::<String>();
        if message
            .is_some_and(|text| text.starts_with("failed printing to stdout") && text.contains("Broken pipe"))
        {
            std::process::exit(0);
        }
        usual(panic);
    }));
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
