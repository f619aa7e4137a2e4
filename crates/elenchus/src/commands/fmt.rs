//! `elenchus fmt`: formats scripts; every token and comment is kept.

use crate::outcome::{Exit, Failure, Outcome};
use case::files::{find_scripts, read_text, read_text_or_stdin, replace};
use case::printable;
use case::table::counted;
use clap::Args;
use smt::layout;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Arguments of `elenchus fmt`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus fmt problem.smt2             print the formatted script
  elenchus fmt -w scripts/              rewrite every .smt2 file below a folder
  elenchus fmt --check scripts/         exit with 1 if a file is not formatted
  elenchus fmt - < problem.smt2         format standard input")]
pub struct FmtArgs {
    /// Scripts, folders with .smt2 files, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the result back into the files
    #[arg(long, short)]
    write: bool,
    /// List the files that would change, and change none
    #[arg(long, conflicts_with = "write")]
    check: bool,
}

/// Formats the files.
pub fn run(args: FmtArgs) -> Outcome {
    if args.files.iter().any(|file| file.as_os_str() == "-") {
        let text = format("standard input", &read_text_or_stdin(Path::new("-"))?)?;
        return print(&text).map(|()| Exit::Clean);
    }
    let mut changed = 0;
    let files = find_scripts(&args.files)?;
    for file in &files {
        let source = read_text(file)?;
        let text = format(&file.display().to_string(), &source)?;
        if !args.write && !args.check {
            print(&text)?;
        } else if text != source {
            changed += 1;
            println!("{}", file.display());
            if args.write {
                replace(file, &text)?;
            }
        }
    }
    if args.check || args.write {
        let verb = if args.write { "changed" } else { "would change" };
        eprintln!("{}, {changed} {verb}", counted(files.len(), "file"));
    }
    Ok(if args.check && changed > 0 { Exit::Found } else { Exit::Clean })
}

fn format(name: &str, source: &str) -> Result<String, Failure> {
    layout::pretty(source).map_err(|error| {
        Failure::new(format!("the parentheses do not match\n{}", error.render(name, source)))
            .hint("fix the text and try again; no file was changed")
    })
}

fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    // A pipe or a file gets every byte of the script.
    let text = if out.is_terminal() { printable(text) } else { text.into() };
    match out.write_all(text.as_bytes()) {
        // The reader of our output may stop early.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("cannot write: {error}")))
        }
        _ => Ok(()),
    }
}
