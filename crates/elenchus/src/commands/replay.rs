//! `elenchus replay`: makes a finding's script again from its seed, and runs the solvers on it.

use crate::commands::subject::limits;
use crate::context::Context;
use crate::outcome::{Exit, Failure, Outcome};
use crate::signature_files;
use campaign::config::DEFAULT_OUT;
use campaign::remake;
use case::table::{align, row};
use case::{Class, Finding};
use clap::Args;
use solver::run::{Limits, RunSettings, Want};
use solver::{Observation, RunMode, RunRequest, Target, runner};
use std::path::PathBuf;
use store::Store;
use triage::{Evaluated, Question, Rules, SolverSource, Subject, Witness};

/// Arguments of `elenchus replay`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus replay wrong-unsat-3f9a
  elenchus replay 3f9a --solver z3@latest         test another release
  elenchus replay 3f9a --script > case.smt2

Exit code: 0 if the runs show no bug, 1 if they show one.")]
pub struct ReplayArgs {
    /// Name of the finding; the beginning of the name or of its number is enough
    id: String,
    /// Folder of the campaign
    #[arg(long, value_name = "DIR", default_value = DEFAULT_OUT)]
    out: PathBuf,
    /// Run this solver instead of those of the finding; may be repeated
    #[arg(long = "solver", short, value_name = "SOLVER")]
    solvers: Vec<String>,
    /// Print the script and stop
    #[arg(long)]
    script: bool,
    /// Time limit for each run, in seconds
    #[arg(long, default_value_t = 20.0, value_name = "SECONDS")]
    timeout: f64,
}

/// Runs `elenchus replay`.
pub fn run(args: ReplayArgs) -> Outcome {
    let limits = limits(args.timeout)?;
    let store = Store::look(&args.out)?;
    let listed = store.find(&args.id)?;
    let (finding, case, seed) = store.read(&listed)?;
    signature_files::require(&finding.signature_files, &listed.id)?;
    print!("{case}");
    if args.script {
        return Ok(Exit::Clean);
    }
    println!("; {}", remake(&finding, &case, seed));
    let context = Context::new()?;
    let specs: Vec<(String, Vec<String>)> = if args.solvers.is_empty() {
        finding.runs.iter().map(|run| (run.spec.clone(), run.options.clone())).collect()
    } else {
        args.solvers.into_iter().map(|spec| (spec, Vec::new())).collect()
    };
    let want = Want { model: finding.models, check_models: finding.own_checks, ..Want::default() };
    let mut seen: Vec<(Target, Observation)> = Vec::new();
    for (spec, options) in &specs {
        let target = context.resolve(spec)?.configured(options);
        println!("; {}", campaign::command_line(&target, &want, &case, "case.smt2"));
        let observation = runner(&target, RunMode::OneShot, &RunSettings::default())
            .and_then(|mut runner| runner.run(&RunRequest::new(&case).limits(limits).want(want)))?;
        seen.push((target, observation));
    }
    print_table(&finding, &seen);
    let question = Question { script: &case, expectation: &finding.expectation, theories: &finding.theories };
    let witnesses: Vec<Witness<'_>> = seen
        .iter()
        .map(|(target, observation)| Witness { id: &target.id, name: &target.name, observation })
        .collect();
    let verdict = triage::judge(&question, &witnesses, &mut Evaluated::default(), &Rules::default());
    for bug in &verdict.bugs {
        println!("{}: {}", bug.class, bug.title());
    }
    let core = match finding.class {
        Class::InvalidCore => wrong_core(&finding, &case, limits, &context)?,
        _ => None,
    };
    if let Some(why) = &core {
        println!("{}: {why}", Class::InvalidCore);
    }
    if verdict.bugs.is_empty() && core.is_none() {
        println!("no bug in these runs");
    }
    let shown = core.is_some() || verdict.bugs.iter().any(|bug| bug.class.is_bug());
    Ok(if shown { Exit::Found } else { Exit::Clean })
}

/// Why the unsat core of a finding is wrong, if it still is.
fn wrong_core(
    finding: &Finding,
    case: &str,
    limits: Limits,
    context: &Context,
) -> Result<Option<String>, Failure> {
    let Some(predicate) = finding.predicate.clone() else { return Ok(None) };
    let clauses = Subject::of_script(case.to_owned(), predicate, "").clauses(context)?;
    let established = triage::predicate::establish(case, &clauses, limits)?;
    Ok(established.ok().map(|established| triage::blame(&established).reason))
}

fn print_table(finding: &Finding, seen: &[(Target, Observation)]) {
    let mut rows = vec![row(["solver", "when found", "now", "ms"])];
    for (target, observation) in seen {
        let before = finding.runs.iter().find(|run| run.id == target.id);
        rows.push(vec![
            target.id.clone(),
            before.map_or_else(String::new, |run| run.result.to_string()),
            triage::run_result(observation).to_string(),
            observation.wall.as_millis().to_string(),
        ]);
    }
    println!("{}", align(&rows).join("\n"));
}
