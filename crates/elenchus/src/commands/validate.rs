//! `elenchus validate`: does a model make the assertions of a script true?

use crate::commands::model::{Loaded, read_text};
use crate::commands::solve::{run_failure, start};
use crate::outcome::{Exit, Failure, Outcome};
use clap::Args;
use semantics::model::StringDialect;
use semantics::validate::{Explanation, judge, questions, reasons_text};
use semantics::{Memory, Model, Verdict, eval};
use serde_json::{Value as Json, json};
use smt::{Arena, Term};
use solver::run::{Limits, Want};
use solver::{Answer, RunRequest, Way};
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `elenchus validate`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus validate problem.smt2 --model answer.txt    a model that a solver printed earlier
  elenchus validate problem.smt2 --solver z3           the model that a solver gives now

The verdict is valid (every assertion is true), invalid (one is false; its sub-terms are shown with their values), or
undetermined (with the reason).

Exit code: 0 for valid and undetermined, 1 for invalid, 2 if there is no model to judge.")]
pub struct ValidateArgs {
    /// The script
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A file with the model, as a solver printed it
    #[arg(long, value_name = "MODEL", required_unless_present = "solver", conflicts_with = "solver")]
    model: Option<PathBuf>,
    /// A solver that is asked for the model: NAME, NAME@RELEASE, a path, or a name from the configuration
    #[arg(long, short, value_name = "SOLVER")]
    solver: Option<String>,
    /// An option for the solver's command line; may be repeated
    #[arg(long = "option", short, allow_hyphen_values = true, value_name = "OPTION", requires = "solver")]
    options: Vec<String>,
    /// Wall-clock limit for the solver, in seconds
    #[arg(long, default_value_t = 10.0, value_name = "SECONDS")]
    timeout: f64,
    /// The model's strings have the escapes of old releases, such as \x41
    #[arg(long)]
    legacy_strings: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus validate`.
pub fn run(args: ValidateArgs) -> Outcome {
    let mut loaded = Loaded::read(&args.file)?;
    let dialect = if args.legacy_strings { StringDialect::Legacy } else { StringDialect::Standard };
    let verdict = match (&args.model, &args.solver) {
        (Some(path), _) => {
            let text = read_text(path)?;
            judge_text(&mut loaded, &text, dialect)?
        }
        (None, Some(spec)) => ask(&mut loaded, spec, &args, dialect)?,
        (None, None) => {
            return Err(Failure::new("no model is given").hint("use --model FILE or --solver NAME"));
        }
    };
    if args.json {
        println!("{}", as_json(&loaded.arena, &verdict));
    } else {
        print_text(&loaded.arena, &verdict);
    }
    Ok(if matches!(verdict, Verdict::Invalid { .. }) { Exit::Found } else { Exit::Clean })
}

fn judge_text(loaded: &mut Loaded, text: &str, dialect: StringDialect) -> Result<Verdict, Failure> {
    let model = Model::read(&mut loaded.arena, &loaded.scope, text, dialect).map_err(|error| {
        Failure::new(error.to_string()).hint("give what the solver printed for (get-model)")
    })?;
    let question = questions(&loaded.script).pop().unwrap_or_default();
    Ok(judge(&loaded.arena, &question, &model, eval::Limits::default(), Memory::default()).0)
}

/// Asks a solver for a model and judges it.
fn ask(
    loaded: &mut Loaded,
    spec: &str,
    args: &ValidateArgs,
    dialect: StringDialect,
) -> Result<Verdict, Failure> {
    if !args.timeout.is_finite() || args.timeout <= 0.0 || args.timeout > 1e7 {
        return Err(
            Failure::new(format!("{} is not a time limit", args.timeout)).hint("give seconds, such as 2.5")
        );
    }
    let mut runner = start(spec, Way::OneShot)?;
    let limits = Limits { wall: Duration::from_secs_f64(args.timeout), ..Limits::default() };
    let want = Want { model: true, ..Want::default() };
    let request = RunRequest::new(&loaded.text).options(&args.options).limits(limits).want(want);
    let observation = runner.run(&request).map_err(run_failure)?;
    match (observation.answer(), observation.model()) {
        (Some(Answer::Sat), Some(model)) => judge_text(loaded, model, dialect),
        (Some(Answer::Sat), None) => Err(Failure::new(format!("{spec} says sat and prints no model"))
            .hint("see what it prints with `elenchus solve --model`")),
        (answer, _) => {
            let said = answer.map_or("nothing", Answer::word);
            Err(Failure::new(format!("{spec} says {said}, so there is no model to judge"))
                .hint("give a model with --model, or ask another solver"))
        }
    }
}

fn print_text(arena: &Arena, verdict: &Verdict) {
    match verdict {
        Verdict::Valid => println!("valid"),
        Verdict::Invalid { index, explanation, .. } => {
            println!("invalid: assertion {} is false", index + 1);
            for line in explanation.text(arena).lines() {
                println!("  {line}");
            }
        }
        Verdict::Undetermined { reasons } => {
            println!("undetermined");
            for reason in reasons_text(arena, reasons) {
                println!("  {reason}");
            }
        }
    }
}

fn as_json(arena: &Arena, verdict: &Verdict) -> Json {
    match verdict {
        Verdict::Valid => json!({"verdict": "valid"}),
        Verdict::Invalid { index, explanation, .. } => json!({
            "verdict": "invalid",
            "assertion": index + 1,
            "explanation": tree(arena, explanation),
        }),
        Verdict::Undetermined { reasons } => json!({
            "verdict": "undetermined",
            "reasons": reasons_text(arena, reasons),
        }),
    }
}

/// An explanation as nested objects; its depth is bounded.
fn tree(arena: &Arena, explanation: &Explanation) -> Json {
    let value = |term: Term, outcome: &semantics::Outcome<semantics::Value>| match outcome {
        Ok(value) => json!(value.text(arena, arena.sort(term))),
        Err(reason) => json!({"undetermined": reason.text(arena)}),
    };
    let bindings: Vec<Json> = explanation
        .bindings
        .iter()
        .map(|(name, outcome)| json!({"name": arena.term_text(*name), "value": value(*name, outcome)}))
        .collect();
    json!({
        "term": arena.term_text(explanation.term),
        "value": value(explanation.term, &explanation.value),
        "bindings": bindings,
        "parts": explanation.parts.iter().map(|part| tree(arena, part)).collect::<Vec<_>>(),
    })
}
