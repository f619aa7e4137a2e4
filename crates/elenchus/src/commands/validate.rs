//! `elenchus validate`: does a model make the assertions of a script true?

use crate::commands::model::Loaded;
use crate::commands::solve::start;
use crate::commands::validate_core::Cores;
use crate::commands::validate_many::Many;
use crate::files::find_scripts;
use crate::files::read_text;
use crate::outcome::{Exit, Failure, Outcome};
use clap::Args;
use semantics::model::StringDialect;
use semantics::validate::{Explanation, judge, questions, reasons_text};
use semantics::{Memory, Model, Verdict, eval};
use serde_json::{Value as Json, json};
use smt::{Arena, Term};
use solver::run::{Limits, Want};
use solver::{Answer, RunError, RunMode, RunRequest, Runner};
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `elenchus validate`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus validate problem.smt2 --model answer.txt    a model that a solver printed earlier
  elenchus validate problem.smt2 --solver z3           the model that a solver gives now
  elenchus validate corpus/ --solver z3 --solver cvc5  all scripts of a folder, with a table at the end
  elenchus validate problem.smt2 --solver z3 --core-by cvc5    the unsatisfiable core that a solver gives now

What a model leaves out is asked for with get-value.

The verdict is valid (every assertion is true), invalid (one is false; its sub-terms are shown with their values), or
undetermined (with the reason). With --core-by, a core is valid if the second solver says unsat to it, and invalid if it has
a model of it that our evaluation confirms.

Exit code: 0 for valid and undetermined, 1 for invalid, 2 if there is no model to judge. With several scripts or solvers: 1
if any model is invalid, 0 otherwise.")]
pub struct ValidateArgs {
    /// The scripts; of a folder, all .smt2 files below it
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// A file with the model, as a solver printed it
    #[arg(long, value_name = "MODEL", required_unless_present = "solver", conflicts_with = "solver")]
    model: Option<PathBuf>,
    /// A solver that is asked for the model: NAME, NAME@RELEASE, a path, or a name from the configuration; may be repeated
    #[arg(long = "solver", id = "solver", short, value_name = "SOLVER")]
    solvers: Vec<String>,
    /// An option for the solver's command line; may be repeated
    #[arg(long = "option", short, allow_hyphen_values = true, value_name = "OPTION", requires = "solver")]
    options: Vec<String>,
    /// Judge the core of an unsat answer instead: a second solver is asked for a model of it
    #[arg(long, value_name = "SOLVER", requires = "solver")]
    core_by: Option<String>,
    /// Wall-clock limit for each run of a solver, in seconds
    #[arg(long, default_value_t = 10.0, value_name = "SECONDS")]
    timeout: f64,
    /// The model's strings have the escapes of old releases, such as \x41
    #[arg(long)]
    legacy_strings: bool,
    /// Print JSON: one object, or one a line where there are several scripts or solvers
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus validate`.
pub fn run(args: ValidateArgs) -> Outcome {
    let dialect = if args.legacy_strings { StringDialect::Legacy } else { StringDialect::Standard };
    if !args.timeout.is_finite() || args.timeout <= 0.0 || args.timeout > 1e7 {
        return Err(
            Failure::new(format!("{} is not a time limit", args.timeout)).hint("give seconds, such as 2.5")
        );
    }
    let limits = Limits { wall: Duration::from_secs_f64(args.timeout), ..Limits::default() };
    let scripts = find_scripts(&args.files)?;
    if let Some(other) = &args.core_by {
        let ([file], [solver]) = (&scripts[..], &args.solvers[..]) else {
            return Err(Failure::new("a core is judged for one script and one solver")
                .hint("name one script, and one solver with --solver"));
        };
        let cores = Cores { solver, other, options: &args.options, limits };
        return cores.judge(&read_text(file)?, args.json);
    }
    let (file, solver) = match (&scripts[..], &args.solvers[..], &args.model) {
        ([file], [], Some(model)) => {
            let mut loaded = Loaded::read(file)?;
            let verdict = judge_text(&mut loaded, &read_text(model)?, dialect)?;
            return Ok(show(&loaded.arena, &verdict, args.json));
        }
        (_, [], Some(_)) => {
            return Err(
                Failure::new("a model belongs to one script").hint("name one script, or use --solver")
            );
        }
        (_, [], None) => {
            return Err(Failure::new("no model is given").hint("use --model FILE or --solver NAME"));
        }
        ([file], [solver], _) => (file, solver),
        _ => {
            let many =
                Many { scripts: &scripts, solvers: &args.solvers, options: &args.options, limits, dialect };
            return many.run(args.json);
        }
    };
    let mut loaded = Loaded::read(file)?;
    let mut runner = start(solver, RunMode::OneShot)?;
    match ask(&mut loaded, runner.as_mut(), &args.options, limits, dialect)? {
        Judged::Verdict(verdict) => Ok(show(&loaded.arena, &verdict, args.json)),
        Judged::Unreadable(error) => {
            Err(Failure::new(format!("the model of {solver} cannot be read: {error}"))
                .hint("see what it prints with `elenchus solve --model`"))
        }
        Judged::NoModel(said) => {
            Err(Failure::new(format!("{solver} says {said}, so there is no model to judge"))
                .hint("give a model with --model, or ask another solver"))
        }
    }
}

fn show(arena: &Arena, verdict: &Verdict, as_object: bool) -> Exit {
    if as_object {
        println!("{}", as_json(arena, verdict));
    } else {
        print_text(arena, verdict);
    }
    if matches!(verdict, Verdict::Invalid { .. }) { Exit::Found } else { Exit::Clean }
}

fn judge_text(loaded: &mut Loaded, text: &str, dialect: StringDialect) -> Result<Verdict, Failure> {
    let model = Model::read(&mut loaded.arena, &loaded.scope, text, dialect).map_err(|error| {
        Failure::new(error.to_string()).hint("give what the solver printed for (get-model)")
    })?;
    let question = questions(&loaded.script).pop().unwrap_or_default();
    Ok(judge(&loaded.arena, &question, &model, eval::Limits::default(), Memory::default()).0)
}

/// What became of a script that a solver was asked about.
pub(super) enum Judged {
    /// Its model was judged.
    Verdict(Verdict),
    /// Its model could not be read.
    Unreadable(String),
    /// There is no model; what the solver says instead.
    NoModel(String),
}

/// Asks a solver for a model and judges it. What the model leaves out is asked for.
pub(super) fn ask(
    loaded: &mut Loaded,
    runner: &mut dyn Runner,
    options: &[String],
    limits: Limits,
    dialect: StringDialect,
) -> Result<Judged, RunError> {
    let want = Want { model: true, ..Want::default() };
    let request = RunRequest::new(&loaded.text).options(options).limits(limits).want(want);
    let observation = runner.run(&request)?;
    // Z3 goes on after an error and answers what is left of the script.
    if observation.outcome != solver::Outcome::Answered {
        return Ok(Judged::NoModel(observation.outcome.to_string()));
    }
    let text = match (observation.answer(), observation.model()) {
        (Some(Answer::Sat), Some(model)) => model.to_owned(),
        (Some(Answer::Sat), None) => return Ok(Judged::NoModel("sat and prints no model".to_owned())),
        (Some(answer), _) => return Ok(Judged::NoModel(answer.word().to_owned())),
        (None, _) => return Ok(Judged::NoModel(format!("nothing ({})", observation.outcome))),
    };
    let first = judged(loaded, &text, dialect);
    if !matches!(first, Judged::Verdict(Verdict::Undetermined { .. })) {
        return Ok(first);
    }
    let complete = triage::complete_model(runner, &loaded.text, &text, options, limits, dialect)?;
    Ok(complete.map_or(first, |text| judged(loaded, &text, dialect)))
}

fn judged(loaded: &mut Loaded, text: &str, dialect: StringDialect) -> Judged {
    let model = match Model::read(&mut loaded.arena, &loaded.scope, text, dialect) {
        Ok(model) => model,
        Err(error) => return Judged::Unreadable(error.to_string()),
    };
    let question = questions(&loaded.script).pop().unwrap_or_default();
    Judged::Verdict(judge(&loaded.arena, &question, &model, eval::Limits::default(), Memory::default()).0)
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

pub(super) fn as_json(arena: &Arena, verdict: &Verdict) -> Json {
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
