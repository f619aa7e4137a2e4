//! `elenchus fmt`: a script with new line breaks and indentation, every token and comment kept.

use crate::files::{find_scripts, read_text};
use crate::outcome::{Exit, Failure, Outcome};
use clap::Args;
use smt::layout;
use std::io::{Read, Write};
use std::path::PathBuf;

/// Arguments of `elenchus fmt`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus fmt problem.smt2             print the script, laid out anew
  elenchus fmt -w scripts/              rewrite every .smt2 file below a folder
  elenchus fmt --check scripts/         exit with 1 if a file is not laid out so
  z3-output | elenchus fmt -            from standard input")]
pub struct FmtArgs {
    /// Scripts, or folders with scripts, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the result back into the files
    #[arg(long, short)]
    write: bool,
    /// Only say which files would change
    #[arg(long, conflicts_with = "write")]
    check: bool,
}

/// Formats the files.
pub fn run(args: FmtArgs) -> Outcome {
    if args.files.iter().any(|file| file.as_os_str() == "-") {
        let mut bytes = Vec::new();
        std::io::stdin()
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::new(format!("cannot read standard input: {error}")))?;
        let text = lay_out("standard input", &String::from_utf8_lossy(&bytes))?;
        return print(&text).map(|()| Exit::Clean);
    }
    let mut changed = 0;
    let files = find_scripts(&args.files)?;
    for file in &files {
        let source = read_text(file)?;
        let text = lay_out(&file.display().to_string(), &source)?;
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
        eprintln!("{} files, {changed} {verb}", files.len());
    }
    Ok(if args.check && changed > 0 { Exit::Found } else { Exit::Clean })
}

fn lay_out(name: &str, source: &str) -> Result<String, Failure> {
    layout::pretty(source).map_err(|error| {
        Failure::new(format!("not made of balanced s-expressions\n{}", error.render(name, source)))
            .hint("nothing was written; mend the text and try again")
    })
}

fn print(text: &str) -> Result<(), Failure> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        // Whoever reads our output may stop when they have seen enough.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("cannot write: {error}")))
        }
        _ => Ok(()),
    }
}

/// Puts the new text in the place of the old one at once, so that an interruption loses nothing.
fn replace(file: &std::path::Path, text: &str) -> Result<(), Failure> {
    let temporary = file.with_extension("smt2.new");
    std::fs::write(&temporary, text).and_then(|()| std::fs::rename(&temporary, file)).map_err(|error| {
        let _ = std::fs::remove_file(&temporary);
        Failure::new(format!("cannot write {}: {error}", file.display())).hint("the file is as it was")
    })
}
