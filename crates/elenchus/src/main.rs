//! The command line. Each subcommand is one module of `commands`.

#[macro_use]
mod print;

mod commands;
mod context;
mod logging;
mod outcome;
mod signals;
mod view;

use campaign::config::signature_files;
use clap::Parser;
use outcome::Failure;
use std::process::ExitCode;

/// Finds wrong answers in SMT solvers.
#[derive(Parser)]
#[command(name = "elenchus", version, about, propagate_version = true)]
#[command(after_help = "Examples:
  elenchus fuzz --time 2m                            fuzz all available solvers for two minutes
  elenchus findings                                  list what was found
  elenchus solve puzzle.smt2 -s z3 -s cvc5           compare the answers of two solvers

Every command has --help with examples.

Exit code: 0 if nothing is wrong, 1 if something wrong was found, 2 for usage errors and problems of the environment.")]
struct Cli {
    /// Load more operators from a signature file; may be repeated
    #[arg(long, global = true, value_name = "FILE")]
    signatures: Vec<std::path::PathBuf>,
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    handle_panics();
    logging::install();
    let cli = Cli::parse();
    let loaded = signature_files::load(&cli.signatures).map_err(Failure::from);
    outcome::report(loaded.and_then(|()| commands::run(cli.command)))
}

/// Exits quietly when the reader of our output (`head`, a pager) has seen enough. Solvers may close their input early too, so
/// SIGPIPE stays ignored, and only a failed print to standard output ends the program. The messages of other panics wait while the
/// live view has the terminal.
fn handle_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload().downcast_ref::<String>();
        if message
            .is_some_and(|text| text.starts_with("failed printing to stdout") && text.contains("Broken pipe"))
        {
            std::process::exit(0);
        }
        if !view::screen::holds_panic(&panic.to_string()) {
            usual(panic);
        }
    }));
}
