//! `elenchus replay`: a finding's script, made again from its seed, and what the solvers say to it now.

use crate::commands::fuzz::DEFAULT_OUT;
use crate::commands::history_strategy;
use crate::commands::subject::limits;
use crate::context::Context;
use crate::outcome::{Exit, Failure, Outcome};
use crate::signature_files;
use crate::view::align;
use case::{Class, Finding};
use clap::Args;
use smt::Signatures;
use solver::run::{Limits, RunSettings, Want, history, inside_push};
use solver::{Observation, RunMode, RunRequest, Target, runner};
use std::path::PathBuf;
use store::Store;
use strategies::StrategyContext;
use triage::{Evaluated, Question, Rules, SolverSource, Subject, Witness};

/// Arguments of `elenchus replay`.
#[derive(Args)]
pub struct ReplayArgs {
    /// The finding: its name, the beginning of it, or of its number
    id: String,
    /// The folder of the campaign
    #[arg(long, value_name = "DIR", default_value = DEFAULT_OUT)]
    out: PathBuf,
    /// Other solvers than those of the finding
    #[arg(long = "solver", short, value_name = "SOLVER")]
    solvers: Vec<String>,
    /// Only print the script
    #[arg(long)]
    script: bool,
    /// Time limit for each run in seconds
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
    println!("; {}", made_again(&finding, &case, seed));
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
        println!("nothing wrong shows in these runs");
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

/// Makes the case again from its seed and says whether it is the same.
fn made_again(finding: &Finding, case: &str, seed: String) -> String {
    let origin = &finding.origin;
    let mut context = StrategyContext::new(Signatures::standard());
    match history_strategy::of_seed(&seed) {
        Ok(Some(history)) => context = context.with_history(history),
        Ok(None) => {}
        Err(failure) => return format!("it cannot be made again: {failure}"),
    }
    let Some(strategy) = strategies::by_name(&origin.strategy, &context) else {
        return format!("made by the strategy {}, which this version does not have", origin.strategy);
    };
    let seed = campaign::seed_again(finding, seed);
    let made =
        campaign::case_again(strategy.as_ref(), &seed, origin.campaign_seed, origin.round, origin.index);
    match made {
        Ok(Some(made)) if made.text == case || triage::core_question(&made.text).as_deref() == Some(case) => {
            format!("made again from {} by {}: the same bytes", finding.seed_name, origin.strategy)
        }
        Ok(Some(made)) if inside_push(&made.text).is_some_and(|inside| inside == case) => {
            format!(
                "made again from {} by {}, inside a push: the same bytes",
                finding.seed_name, origin.strategy
            )
        }
        Ok(Some(made)) if history::ends_with(case, &made.text) => {
            format!(
                "made again from {} by {}, after other scripts: the same bytes",
                finding.seed_name, origin.strategy
            )
        }
        Ok(_) => format!("this version's {} makes another script from the seed", origin.strategy),
        Err(reason) => format!("it cannot be made again from its seed: {reason}"),
    }
}

fn print_table(finding: &Finding, seen: &[(Target, Observation)]) {
    let mut rows = vec![["solver", "when found", "now", "ms"].map(str::to_owned).to_vec()];
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
