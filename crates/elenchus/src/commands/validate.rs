//! `elenchus validate`: does a model satisfy a script?

use crate::commands::subject::limits;
use crate::context::Context;
use crate::outcome::{Exit, Failure, Outcome};
use campaign::config::time_limit;
use case::files::{find_scripts, read_text};
use clap::Args;
use semantics::Verdict;
use semantics::model::StringDialect;
use serde_json::json;
use smt::Arena;
use solver::run::{Limits, RunSettings};
use solver::{RunMode, runner};
use std::path::{Path, PathBuf};
use std::time::Duration;
use triage::configured_solvers;
use triage::validation::{
    CoreVerdict, ModelCheck, ModelKind, ParsedScript, check_core, check_model, models_table, validate_all,
    verdict_json, verdict_text,
};

/// Arguments of `elenchus validate`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus validate problem.smt2 --model answer.txt            a model that a solver printed earlier
  elenchus validate problem.smt2 --solver z3                   the model that a solver returns
  elenchus validate corpus/ --solver z3 --solver cvc5          all scripts of a folder
  elenchus validate problem.smt2 --solver z3 --core-by cvc5    the unsat core that a solver returns

Values that a model leaves out are requested with (get-value).

The verdict is valid (every assertion is true), invalid (one is false; its subterms are shown with their values), or undetermined \
(with the reason). With --core-by, a core is valid if the second solver answers unsat on it, and invalid if our evaluator confirms \
the second solver's model of it.

Exit code: 0 if valid or undetermined, 1 if invalid, 2 if there is no model to validate. With several scripts or solvers: 1 if any \
model is invalid, else 0.")]
pub struct ValidateArgs {
    /// Scripts, or folders with .smt2 files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// File with a model, as a solver printed it
    #[arg(long, value_name = "MODEL", required_unless_present = "solver", conflicts_with = "solver")]
    model: Option<PathBuf>,
    /// Solver to ask for a model: NAME, NAME@RELEASE, a path, or a name from the configuration; may be repeated
    #[arg(long = "solver", id = "solver", short, value_name = "SOLVER")]
    solvers: Vec<String>,
    /// Option for the solver's command line; SOLVER:OPTION applies to one of several solvers; may be repeated
    #[arg(long = "option", short, allow_hyphen_values = true, value_name = "OPTION", requires = "solver")]
    options: Vec<String>,
    /// Validate the unsat core of an unsat answer instead, by asking this solver for a model of it
    #[arg(long, value_name = "SOLVER", requires = "solver")]
    core_by: Option<String>,
    /// Time limit for each run of a solver, such as 2s or 500ms
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = time_limit)]
    timeout: Duration,
    /// Read the model's strings with the escapes of old releases, such as \x41
    #[arg(long)]
    legacy_strings: bool,
    /// Print JSON: one object, or one per line if there are several scripts or solvers
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus validate`.
pub fn run(args: ValidateArgs) -> Outcome {
    let dialect = if args.legacy_strings { StringDialect::Legacy } else { StringDialect::Standard };
    let limits = limits(args.timeout);
    let scripts = find_scripts(&args.files)?;
    let context = Context::new()?;
    if let Some(other) = &args.core_by {
        let ([file], [solver]) = (&scripts[..], &args.solvers[..]) else {
            return Err(Failure::new("a core is validated for one script and one solver")
                .hint("name one script, and one solver with --solver"));
        };
        return core(file, (solver, &args.options), other, limits, &context, args.json);
    }
    let (file, solver) = match (&scripts[..], &args.solvers[..], &args.model) {
        ([file], [], Some(model)) => {
            let mut script = parse(file)?;
            let verdict = script.judge(&read_text(model)?, dialect)?;
            return Ok(show(&script.arena, &verdict, args.json));
        }
        (_, [], Some(_)) => {
            return Err(
                Failure::new("--model needs exactly one script").hint("name one script, or use --solver")
            );
        }
        (_, [], None) => {
            return Err(Failure::new("no model given").hint("use --model FILE or --solver NAME"));
        }
        ([file], [solver], _) => (file, solver),
        _ => {
            return many(&scripts, &args, limits, dialect, &context);
        }
    };
    let mut script = parse(file)?;
    let (target, options) = &configured_solvers(&args.solvers, &args.options, &context)?[0];
    let mut runner = runner(target, RunMode::OneShot, &RunSettings::default())?;
    match check_model(&mut script, runner.as_mut(), options, limits, dialect)? {
        ModelCheck::Judged(verdict) => Ok(show(&script.arena, &verdict, args.json)),
        ModelCheck::Unreadable(error) => {
            Err(Failure::new(format!("cannot parse the model of {solver}: {error}"))
                .hint("to see what it prints: `elenchus solve --model`"))
        }
        ModelCheck::NoModel(result) => {
            Err(Failure::new(format!("no model to validate: {solver} answers {result}"))
                .hint("pass a model with --model, or ask another solver"))
        }
    }
}

/// Parses a script file.
pub fn parse(file: &Path) -> Result<ParsedScript, Failure> {
    Ok(ParsedScript::parse(&file.display().to_string(), read_text(file)?)?)
}

fn show(arena: &Arena, verdict: &Verdict, json: bool) -> Exit {
    if json {
        println!("{}", verdict_json(arena, verdict));
    } else {
        let (headline, lines) = verdict_text(arena, verdict);
        println!("{headline}");
        lines.iter().for_each(|line| println!("  {line}"));
    }
    if matches!(verdict, Verdict::Invalid { .. }) { Exit::Found } else { Exit::Clean }
}

fn core(
    file: &Path,
    solver: (&str, &[String]),
    other: &str,
    limits: Limits,
    context: &Context,
    json: bool,
) -> Outcome {
    let check = check_core(&read_text(file)?, solver, other, limits, context)?;
    let invalid = check.verdict == CoreVerdict::Invalid;
    if json {
        println!("{}", json!(check));
    } else {
        print!("{}", check.question);
        println!("; {} answers unsat with the core {}", solver.0, check.core);
        println!("{}: {}", check.verdict, check.why);
        for text in check.alone.iter().chain(&check.model).filter(|_| invalid) {
            println!("{}", text.trim_end());
        }
    }
    Ok(if invalid { Exit::Found } else { Exit::Clean })
}

/// Validates the models of several scripts or solvers: prints a line for each that is not valid, and a table.
fn many(
    scripts: &[PathBuf],
    args: &ValidateArgs,
    limits: Limits,
    dialect: StringDialect,
    context: &Context,
) -> Outcome {
    let solvers = configured_solvers(&args.solvers, &args.options, context)?;
    let results = validate_all(scripts, &solvers, limits, dialect, &mut |file, target, line| {
        if args.json {
            let mut object = line.json;
            object["file"] = json!(file.display().to_string());
            object["solver"] = json!(target.id);
            println!("{object}");
        } else if !matches!(line.kind, ModelKind::Valid | ModelKind::NoModel) {
            println!("{}  {}  {}", file.display(), target.id, line.text);
        }
    })?;
    if !args.json {
        let ids: Vec<&str> = solvers.iter().map(|(target, _)| target.id.as_str()).collect();
        println!("\n{}", models_table(&ids, &results).join("\n"));
    }
    let invalid = results.iter().flatten().any(|kind| *kind == ModelKind::Invalid);
    Ok(if invalid { Exit::Found } else { Exit::Clean })
}
