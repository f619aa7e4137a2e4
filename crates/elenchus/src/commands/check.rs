//! `elenchus check`: parses and type-checks scripts, and says what they use.

use crate::files::{Progress, find_scripts, in_parallel, into_text};
use crate::outcome::{Exit, Failure, Outcome};
use case::table::counted;
use clap::Args;
use serde_json::json;
use smt::{Arena, Error, ScriptSummary, parse_script};
use std::path::{Path, PathBuf};
use std::time::Instant;

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

/// One file.
struct Checked {
    bytes: usize,
    source: String,
    result: Result<ScriptSummary, Vec<Error>>,
}

/// Checks the files.
pub fn run(args: CheckArgs) -> Outcome {
    let files = find_scripts(&args.files)?;
    let single = files.len() == 1;
    let started = Instant::now();
    let mut progress = Progress::new(files.len());
    let (mut good, mut bad, mut unreadable, mut bytes) = (0usize, 0usize, 0usize, 0usize);
    in_parallel(
        &files,
        |file| check(file),
        |file, checked| {
            progress.step();
            let name = file.display().to_string();
            let checked = match checked {
                Ok(checked) => checked,
                Err(message) => {
                    progress.clear();
                    unreadable += 1;
                    if args.json {
                        println!("{}", json!({"file": name, "ok": false, "unreadable": message}));
                    } else {
                        println!("cannot read {name}: {message}");
                    }
                    return;
                }
            };
            bytes += checked.bytes;
            if args.json {
                println!("{}", as_json(&name, &checked));
            } else if checked.result.is_err() || single || args.verbose {
                progress.clear();
                print_text(&name, &checked);
            }
            if checked.result.is_ok() { good += 1 } else { bad += 1 }
        },
    );
    progress.clear();
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

fn check(file: &Path) -> Result<Checked, String> {
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    let length = bytes.len();
    let source = into_text(bytes);
    let mut arena = Arena::default();
    let result = parse_script(&mut arena, &source).map(|script| ScriptSummary::new(&mut arena, &script));
    Ok(Checked { bytes: length, source, result })
}

fn print_text(name: &str, checked: &Checked) {
    let summary = match &checked.result {
        Ok(summary) => summary,
        Err(errors) => {
            for error in errors {
                println!("{}\n", error.render(name, &checked.source));
            }
            return;
        }
    };
    let features = &summary.features;
    println!("{name}: well-typed");
    let declared = summary.declared_logic.as_deref().unwrap_or("none");
    println!("  logic      {} (declared: {declared})", summary.smallest_logic);
    println!(
        "  size       {}, {}, {}, {}",
        counted(summary.commands, "command"),
        counted(summary.assertions, "assertion"),
        counted(summary.checks, "check"),
        counted(summary.terms, "distinct term")
    );
    println!("  theories   {}", features.theories.iter().cloned().collect::<Vec<_>>().join(" "));
    let notable = features.notable();
    if !notable.is_empty() {
        println!("  uses       {}", notable.join(", "));
    }
    if let Some(solvers) = &features.solvers {
        let solvers: Vec<&str> = solvers.iter().map(String::as_str).collect();
        let names = if solvers.is_empty() { "none".to_owned() } else { solvers.join(", ") };
        println!("  solvers    {names} (it uses nonstandard operators)");
    }
    let operators: Vec<String> =
        features.operators.iter().map(|(name, count)| format!("{name} {count}")).collect();
    if !operators.is_empty() {
        println!("  operators  {}", operators.join(", "));
    }
}

fn as_json(name: &str, checked: &Checked) -> serde_json::Value {
    match &checked.result {
        Ok(summary) => json!({
            "file": name,
            "ok": true,
            "logic": summary.smallest_logic,
            "declared_logic": summary.declared_logic,
            "commands": summary.commands,
            "assertions": summary.assertions,
            "checks": summary.checks,
            "terms": summary.terms,
            "theories": summary.features.theories,
            "features": summary.features.notable(),
            "solvers": summary.features.solvers,
            "operators": summary.features.operators,
        }),
        Err(errors) => {
            let object = |error: &Error| {
                let (line, column) = error.position(&checked.source);
                json!({
                    "kind": format!("{:?}", error.kind).to_lowercase(),
                    "line": line,
                    "column": column,
                    "message": error.message,
                    "expected": error.expected,
                })
            };
            json!({"file": name, "ok": false, "errors": errors.iter().map(object).collect::<Vec<_>>()})
        }
    }
}
