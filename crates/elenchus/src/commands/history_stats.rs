//! `elenchus history stats`: what a library holds, compared with another one if asked.

use crate::outcome::{Exit, Outcome};
use campaign::config::{default_library, read_library};
use clap::Args;
use history::counts;
use std::path::PathBuf;
use std::sync::Arc;
use strategies::histfuzz::built_in;

/// Arguments of `elenchus history stats`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus history stats
  elenchus history stats bugs.txt --against seeds.txt")]
pub struct StatsArgs {
    /// Library to show [default: elenchus-history.txt if it exists, else the built-in library]
    file: Option<PathBuf>,
    /// Count the rules shared with another library
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// How many skeletons, atoms and rules to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus history stats`.
pub fn run(args: StatsArgs) -> Outcome {
    let library = match args.file.clone().or_else(default_library) {
        Some(file) => Arc::new(read_library(&file)?),
        None => built_in(),
    };
    let other = args.against.as_deref().map(read_library).transpose()?;
    if args.json {
        println!("{}", counts(&library, other.as_ref()));
    } else {
        print!("{}", library.report(other.as_ref(), args.top));
    }
    Ok(Exit::Clean)
}
