//! `elenchus check`: does a script parse and type, and what does it use?

use crate::files::{Progress, find_scripts, in_parallel};
use crate::outcome::{Exit, Outcome};
use clap::Args;
use serde_json::json;
use smt::{Arena, Error, Features, Script, logic, parse_script};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Arguments of `elenchus check`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus check problem.smt2           what one script uses, or what is wrong with it
  elenchus check benchmarks/            every .smt2 file below a folder, in parallel
  elenchus check --json benchmarks/     one JSON object a file, for scripts

Exit code: 0 if every file is well-typed, 1 if one is not, 2 if a file cannot be read.")]
pub struct CheckArgs {
    /// Scripts, or folders with scripts
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object a file
    #[arg(long)]
    json: bool,
    /// Print every file, also those without errors, when there are many
    #[arg(long, short)]
    verbose: bool,
}

/// What was found out about one file.
struct Checked {
    bytes: usize,
    source: String,
    result: Result<About, Vec<Error>>,
}

/// What a well-typed script is like.
struct About {
    declared_logic: Option<String>,
    smallest_logic: String,
    commands: usize,
    assertions: usize,
    checks: usize,
    terms: usize,
    features: Features,
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
                        println!("{name}: cannot be read: {message}");
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
        let trouble = if unreadable > 0 { format!(", {unreadable} cannot be read") } else { String::new() };
        println!(
            "{} files: {good} well-typed, {bad} with errors{trouble}; {:.1} MB in {seconds:.1} s",
            files.len(),
            bytes as f64 / 1e6
        );
    }
    match (bad, unreadable) {
        (0, 0) => Ok(Exit::Clean),
        (_, 0) => Ok(Exit::Found),
        _ => Err(crate::outcome::Failure::new(format!("{unreadable} files could not be read"))),
    }
}

fn check(file: &Path) -> Result<Checked, String> {
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    let length = bytes.len();
    let source = String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    let mut arena = Arena::default();
    let result = parse_script(&mut arena, &source).map(|script| about(&mut arena, &script));
    Ok(Checked { bytes: length, source, result })
}

fn about(arena: &mut Arena, script: &Script) -> About {
    let terms = arena.len();
    let features = arena.features(script);
    About {
        declared_logic: script.logic().map(|logic| arena.name(logic).to_owned()),
        smallest_logic: logic::smallest(&features, arena.signatures()),
        commands: script.commands.len(),
        assertions: script.assertions().count(),
        checks: script.commands.iter().filter(|command| command.is_check()).count(),
        terms,
        features,
    }
}

/// The features that are worth a word, by name.
fn flags(features: &Features) -> Vec<&'static str> {
    [
        (features.quantifiers, "quantifiers"),
        (features.uninterpreted, "uninterpreted functions or sorts"),
        (features.datatypes, "datatypes"),
        (features.recursive, "recursive definitions"),
        (features.higher_order, "functions as values"),
        (features.nonlinear, "non-linear arithmetic"),
        (features.incremental, "several checks"),
        (features.other_commands, "commands beyond the standard"),
    ]
    .into_iter()
    .filter_map(|(holds, name)| holds.then_some(name))
    .collect()
}

fn print_text(name: &str, checked: &Checked) {
    let about = match &checked.result {
        Ok(about) => about,
        Err(errors) => {
            for error in errors {
                println!("{}\n", error.render(name, &checked.source));
            }
            return;
        }
    };
    let declared = about.declared_logic.as_deref().unwrap_or("none");
    println!("{name}: well-typed");
    println!("  logic      {} (declared: {declared})", about.smallest_logic);
    println!(
        "  size       {} commands, {} assertions, {} checks, {} distinct terms",
        about.commands, about.assertions, about.checks, about.terms
    );
    println!("  theories   {}", about.features.theories.iter().cloned().collect::<Vec<_>>().join(" "));
    let flags = flags(&about.features);
    if !flags.is_empty() {
        println!("  uses       {}", flags.join(", "));
    }
    if let Some(solvers) = &about.features.solvers {
        let solvers: Vec<&str> = solvers.iter().map(String::as_str).collect();
        let known = if solvers.is_empty() { "no one solver".to_owned() } else { solvers.join(", ") };
        println!("  known to   {known} (it uses operators beyond the standard)");
    }
    let operators: Vec<String> =
        about.features.operators.iter().map(|(operator, count)| format!("{operator} {count}")).collect();
    if !operators.is_empty() {
        println!("  operators  {}", operators.join(", "));
    }
}

fn as_json(name: &str, checked: &Checked) -> serde_json::Value {
    match &checked.result {
        Ok(about) => json!({
            "file": name,
            "ok": true,
            "logic": about.smallest_logic,
            "declared_logic": about.declared_logic,
            "commands": about.commands,
            "assertions": about.assertions,
            "checks": about.checks,
            "terms": about.terms,
            "theories": about.features.theories,
            "features": flags(&about.features),
            "solvers": about.features.solvers,
            "operators": about.features.operators,
        }),
        Err(errors) => {
            let errors: Vec<serde_json::Value> = errors
                .iter()
                .map(|error| {
                    let (line, column) = error.position(&checked.source);
                    json!({
                        "kind": format!("{:?}", error.kind).to_lowercase(),
                        "line": line,
                        "column": column,
                        "message": error.message,
                        "expected": error.expected,
                    })
                })
                .collect();
            json!({"file": name, "ok": false, "errors": errors})
        }
    }
}
