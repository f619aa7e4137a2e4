//! Benchmark: parsing and typing SMT-LIB, compared with Z3, cvc5 and other Rust crates.
//!
//! Every parser runs in its own process. The benchmark measures the CPU time and peak memory of the whole process, including
//! start-up and reading the file. The Rust crates do not free their result after a single large file.

mod corpus;
mod generate;
mod measure;
mod parsers;
mod report;

use parsers::{Parser, Workload};
use report::{Row, print_table};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
Usage: reading-bench [--z3 PATH] [--cvc5 PATH] [--megabytes N] [--runs N] [--only NAMES] [--keep FILE]

  --z3 PATH       Z3 executable (default: the installed one, or z3 on the PATH)
  --cvc5 PATH     cvc5 executable (default: cvc5 on the PATH)
  --megabytes N   size of the generated file (default: 20)
  --runs N        runs of each parser; the table shows the median (default: 3)
  --only NAMES    only parsers whose name contains one of NAMES, such as `z3,elenchus`
  --keep FILE     write the generated file to FILE and exit";

/// Command-line options.
struct Options {
    z3: Option<PathBuf>,
    cvc5: Option<PathBuf>,
    megabytes: usize,
    runs: usize,
    only: String,
    keep: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.first().map(String::as_str) {
        Some("run") => parsers::run(&args[1..]),
        Some("measure") => measure::measure_command(&args[1..]),
        Some("--help" | "-h") => {
            println!("{HELP}");
            Ok(())
        }
        _ => options(&args).and_then(|options| compare(&options)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn options(args: &[String]) -> Result<Options, String> {
    let mut options =
        Options { z3: None, cvc5: None, megabytes: 20, runs: 3, only: String::new(), keep: None };
    let mut args = args.iter();
    while let Some(flag) = args.next() {
        let value = args.next().ok_or_else(|| format!("`{flag}` needs a value\n{HELP}"))?;
        let number = || {
            value
                .parse::<usize>()
                .ok()
                .filter(|&n| n > 0)
                .ok_or(format!("`{value}` is not a positive number"))
        };
        match flag.as_str() {
            "--z3" => options.z3 = Some(value.into()),
            "--cvc5" => options.cvc5 = Some(value.into()),
            "--megabytes" => options.megabytes = number()?,
            "--runs" => options.runs = number()?,
            "--only" => options.only = value.clone(),
            "--keep" => options.keep = Some(value.into()),
            _ => return Err(format!("unknown option `{flag}`\n{HELP}")),
        }
    }
    Ok(options)
}

fn compare(options: &Options) -> Result<(), String> {
    let text = generate::script(options.megabytes * 1_000_000);
    if let Some(file) = &options.keep {
        return write(file, &text);
    }
    let folder = std::env::temp_dir().join(format!("elenchus-reading-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let result = compare_in(&folder, &text, options);
    // A leftover folder is not an error.
    let _ = std::fs::remove_dir_all(&folder);
    result
}

fn compare_in(folder: &Path, text: &str, options: &Options) -> Result<(), String> {
    let generated = folder.join("generated.smt2");
    write(&generated, text)?;
    println!("One generated file, {:.1} MB, no check-sat:", text.len() as f64 / 1e6);
    let work = Workload { scripts: vec![generated], list: folder.join("generated.list"), bytes: text.len() };
    print_table(&rows(&work, options));
    match corpus::prepare(folder)? {
        Some(corpus) => {
            println!(
                "\nThe corpus, {} files, {:.1} MB (declarations, definitions and assertions):",
                corpus.separate.scripts.len(),
                corpus.separate.bytes as f64 / 1e6
            );
            print_table(&rows(&corpus.separate, options));
            println!(
                "\nThe {} scripts that Z3 supports, in one file with unique names, {:.1} MB:",
                corpus.joined_scripts,
                corpus.joined.bytes as f64 / 1e6
            );
            print_table(&rows(&corpus.joined, options));
        }
        None => {
            println!("\nNo corpus found in ELENCHUS_SHARED or in ../shared next to the repository.")
        }
    }
    Ok(())
}

fn rows(work: &Workload, options: &Options) -> Vec<Row> {
    let all = Parser::all(options.z3.as_deref(), options.cvc5.as_deref());
    let chosen: Vec<&Parser> = all
        .iter()
        .filter(|parser| options.only.split(',').any(|part| parser.name().contains(part)))
        .collect();
    let terminal = std::io::stderr().is_terminal();
    let progress = |name: &str| {
        if terminal {
            eprint!("\r{name:<30}");
        }
    };
    let rows = report::medians(&chosen, work, options.runs, progress);
    if terminal {
        eprint!("\r{:<30}\r", "");
    }
    rows
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}
