//! `elenchus man`: prints the manual page, or writes the pages of all commands.

use crate::Cli;
use crate::outcome::{Exit, Failure, Outcome};
use clap::{Args, CommandFactory};
use clap_mangen::{Man, generate_to};
use std::io;
use std::path::PathBuf;

/// Arguments of `elenchus man`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus man | man -l -                          read the main page
  elenchus man ~/.local/share/man/man1             install the pages of all commands, such as elenchus-fuzz(1)")]
pub struct ManArgs {
    /// Folder for one page for each command; without it, the main page is printed
    dir: Option<PathBuf>,
}

/// Runs `elenchus man`.
pub fn run(args: ManArgs) -> Outcome {
    match args.dir {
        Some(dir) => {
            let failed = |error: io::Error| {
                Failure::new(format!("cannot write to {}: {error}", dir.display()))
                    .hint("check the path and its permissions")
            };
            std::fs::create_dir_all(&dir).map_err(failed)?;
            generate_to(Cli::command(), &dir).map_err(failed)?;
            println!("Wrote the manual pages to {}", dir.display());
        }
        None => {
            let mut page = Vec::new();
            // A vector accepts everything.
            let _ = Man::new(Cli::command()).render(&mut page);
            print!("{}", String::from_utf8_lossy(&page));
        }
    }
    Ok(Exit::Clean)
}
