//! How fast SMT-LIB is read and typed, beside Z3, cvc5 and the Rust crates that read it.
//!
//! Every contender runs in a process of its own; what is measured is the CPU time and the peak memory of that whole process,
//! so start-up and reading the file count for all alike. What was read of one large file is not freed by the Rust crates.

mod contenders;
mod corpus;
mod generate;
mod measure;
mod report;

use contenders::{Contender, Work};
use report::{Line, print_table};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
Usage: reading-bench [--z3 PATH] [--cvc5 PATH] [--megabytes N] [--runs N] [--only NAMES] [--keep FILE]

  --z3 PATH       the Z3 to compare with (default: the installed one, or z3 on the PATH)
  --cvc5 PATH     the cvc5 to compare with (default: cvc5 on the PATH)
  --megabytes N   size of the generated file (default: 20)
  --runs N        runs of each contender, of which the median counts (default: 3)
  --only NAMES    only the contenders whose name contains one of NAMES, as in `z3,elenchus`
  --keep FILE     write the generated file there and stop";

/// What the command line asks for.
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
        Some("run") => contenders::run(&args[1..]),
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
            value.parse::<usize>().ok().filter(|&n| n > 0).ok_or(format!("`{value}` is no number above zero"))
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
    // A folder that stays behind is a nuisance, not a failure.
    let _ = std::fs::remove_dir_all(&folder);
    result
}

fn compare_in(folder: &Path, text: &str, options: &Options) -> Result<(), String> {
    let generated = folder.join("generated.smt2");
    write(&generated, text)?;
    println!("One generated file, {:.1} MB, no check-sat:", text.len() as f64 / 1e6);
    let work = Work { scripts: vec![generated], list: folder.join("generated.list"), bytes: text.len() };
    print_table(&lines(&work, options));
    match corpus::prepare(folder)? {
        Some(corpus) => {
            println!(
                "\nThe corpus, {} files, {:.1} MB (declarations, definitions and assertions):",
                corpus.apart.scripts.len(),
                corpus.apart.bytes as f64 / 1e6
            );
            print_table(&lines(&corpus.apart, options));
            println!(
                "\nThe {} of them that Z3 knows, in one file with names of their own, {:.1} MB:",
                corpus.joined_scripts,
                corpus.joined.bytes as f64 / 1e6
            );
            print_table(&lines(&corpus.joined, options));
        }
        None => {
            println!("\nNo corpus: neither ELENCHUS_SHARED nor ../shared beside the repository holds one.")
        }
    }
    Ok(())
}

fn lines(work: &Work, options: &Options) -> Vec<Line> {
    let all = Contender::all(options.z3.as_deref(), options.cvc5.as_deref());
    let chosen: Vec<&Contender> = all
        .iter()
        .filter(|contender| options.only.split(',').any(|part| contender.name().contains(part)))
        .collect();
    let terminal = std::io::stderr().is_terminal();
    let progress = |name: &str| {
        if terminal {
            eprint!("\r{name:<30}");
        }
    };
    let lines = report::medians(&chosen, work, options.runs, progress);
    if terminal {
        eprint!("\r{:<30}\r", "");
    }
    lines
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}
