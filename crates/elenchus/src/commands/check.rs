//! `elenchus check`: parses and type-checks scripts, and says what they use.

use crate::outcome::{Exit, Failure, Outcome};
use crate::print::StatusLine;
use case::files::{find_scripts, into_text, read_bytes};
use case::parallel::in_parallel;
use case::table::counted;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;
use triage::CheckedScript;

/// Arguments of `elenchus check`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus check problem.smt2           what one script uses, or what is wrong with it
  elenchus check benchmarks/            every .smt2 file below a folder, in parallel
  elenchus check --json benchmarks/     one JSON object per file

Exit code: 0 if every file is well-typed, 1 if one is not, 2 if a file cannot be read.")]
pub struct CheckArgs {
    /// Scripts, or folders with .smt2 files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
    /// Also print the files without errors, when there are several
    #[arg(long, short)]
    verbose: bool,
}

/// Checks the files.
pub fn run(args: CheckArgs) -> Outcome {
    let files = find_scripts(&args.files)?;
    let single = files.len() == 1;
    let started = Instant::now();
    let mut status = StatusLine::new();
    let (mut good, mut bad, mut unreadable, mut bytes) = (0usize, 0usize, 0usize, 0usize);
    in_parallel(
        &files,
        |file| read_bytes(file).map(|bytes| (bytes.len(), CheckedScript::new(into_text(bytes)))),
        |file, checked| {
            status.files(good + bad + unreadable + 1, files.len());
            let name = file.display().to_string();
            let (length, checked) = match checked {
                Ok(checked) => checked,
                Err(error) => {
                    status.clear();
                    unreadable += 1;
                    if args.json {
                        println!("{}", json!({"file": name, "ok": false, "unreadable": error.to_string()}));
                    } else {
                        println!("{error}");
                    }
                    return;
                }
            };
            bytes += length;
            if args.json {
                println!("{}", checked.json(&name));
            } else if checked.result.is_err() || single || args.verbose {
                status.clear();
                print!("{}", checked.text(&name));
            }
            if checked.result.is_ok() { good += 1 } else { bad += 1 }
        },
    );
    status.clear();
    if !args.json && !single {
        let seconds = started.elapsed().as_secs_f64();
        let trouble = if unreadable > 0 { format!(", {unreadable} unreadable") } else { String::new() };
        println!(
            "{}: {good} well-typed, {bad} with errors{trouble}; {:.1} MB in {seconds:.1} s",
            counted(files.len(), "file"),
            bytes as f64 / 1e6
        );
    }
    match (bad, unreadable) {
        (0, 0) => Ok(Exit::Clean),
        (_, 0) => Ok(Exit::Found),
        _ => Err(Failure::new(format!("cannot read {}", counted(unreadable, "file")))
            .hint("check the paths and their permissions")),
    }
}
