//! `elenchus init`: writes a configuration file that explains every setting.

use crate::outcome::{Exit, Failure, Outcome};
use campaign::config::TEMPLATE;
use campaign::config::keys::schema;
use clap::Args;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

/// Arguments of `elenchus init`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus init
  elenchus init nightly.toml && elenchus fuzz --config nightly.toml
  elenchus init --schema > elenchus.schema.json             for editors that check and complete TOML files")]
pub struct InitArgs {
    /// File to write
    #[arg(default_value = "elenchus.toml")]
    file: PathBuf,
    /// Print a JSON schema of the file instead
    #[arg(long, conflicts_with = "file")]
    schema: bool,
}

/// Runs `elenchus init`. An existing file is not overwritten.
pub fn run(args: InitArgs) -> Outcome {
    if args.schema {
        println!("{:#}", schema());
        return Ok(Exit::Clean);
    }
    let shown = args.file.display();
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&args.file)
        .and_then(|mut file| file.write_all(TEMPLATE.as_bytes()));
    match written {
        Ok(()) => {
            println!("Wrote {shown}; `elenchus fuzz` in this folder uses it");
            Ok(Exit::Clean)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(Failure::new(format!("{shown} already exists"))
                .hint("move it away, or name another file: elenchus init FILE"))
        }
        Err(error) => {
            Err(Failure::new(format!("cannot write {shown}: {error}"))
                .hint("check the path and its permissions"))
        }
    }
}
