//! `elenchus replay`: a finding's script, made again from its seed, and what the solvers say to it now.

use crate::commands::fuzz::{DEFAULT_OUT, resolve, store_failure};
use crate::commands::history_strategy;
use crate::commands::solver::failure;
use crate::commands::subject::{Subject, claims_of};
use crate::outcome::{Exit, Failure, Outcome};
use crate::view::align;
use clap::Args;
use smt::Signatures;
use solver::install::Settings as InstallSettings;
use solver::run::{Limits, RunSettings, Want, history, inside_push};
use solver::{Observation, RunError, RunMode, RunRequest, Target, runner};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;
use store::{Finding, Store};
use strategies::StrategyContext;
use triage::{Class, Evaluated, Expected, Question, Rules, Witness};

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
    let limit = Duration::try_from_secs_f64(args.timeout)
        .ok()
        .filter(|limit| !limit.is_zero())
        .ok_or_else(|| Failure::new(format!("{} is not a time limit", args.timeout)))?;
    let store = Store::look(&args.out).map_err(store_failure)?;
    let listed = store.find(&args.id).map_err(store_failure)?;
    let (finding, case, seed) = store.read(&listed).map_err(store_failure)?;
    print!("{case}");
    if args.script {
        return Ok(Exit::Clean);
    }
    println!("; {}", made_again(&finding, &case, seed));
    let places = settings()?;
    let specs: Vec<(String, Vec<String>)> = if args.solvers.is_empty() {
        finding.targets.iter().map(|target| (target.spec.clone(), target.options.clone())).collect()
    } else {
        args.solvers.into_iter().map(|spec| (spec, Vec::new())).collect()
    };
    let want = Want { model: finding.models, check_models: finding.own_checks, ..Want::default() };
    let mut seen: Vec<(Target, Observation)> = Vec::new();
    for (spec, options) in &specs {
        let target = resolve(spec, &places)?.configured(options);
        println!("; {}", campaign::command_line(&target, &want, &case, "case.smt2"));
        let limits = Limits { wall: limit, ..Limits::default() };
        let observation = runner(&target, RunMode::OneShot, &RunSettings::default())
            .and_then(|mut runner| runner.run(&RunRequest::new(&case).limits(limits).want(want)))
            .map_err(run_failure)?;
        seen.push((target, observation));
    }
    print_table(&finding, &seen);
    let theories: BTreeSet<String> = finding.theories.iter().cloned().collect();
    let expected = match (&finding.witness, &finding.unsat_because) {
        (Some(model), _) => Expected::Sat { model },
        (None, Some(reason)) => Expected::Unsat { reason },
        (None, None) => Expected::Unknown,
    };
    let question = Question { script: &case, expected, theories: &theories };
    let witnesses: Vec<Witness<'_>> = seen
        .iter()
        .map(|(target, observation)| Witness { id: &target.id, name: &target.name, observation })
        .collect();
    let verdict = triage::judge(&question, &witnesses, &mut Evaluated::default(), &Rules::default());
    for bug in &verdict.bugs {
        println!("{}: {}", bug.class, bug.title);
    }
    let core =
        if finding.class == Class::InvalidCore.name() { wrong_core(&finding, &case, limit)? } else { None };
    if let Some(why) = &core {
        println!("{}: {why}", Class::InvalidCore);
    }
    if verdict.bugs.is_empty() && core.is_none() {
        println!("nothing wrong shows in these runs");
    }
    let shown = core.is_some() || verdict.bugs.iter().any(|bug| bug.class.is_bug());
    Ok(if shown { Exit::Found } else { Exit::Clean })
}

/// Whose core has a model, and whose, if it still has one.
fn wrong_core(finding: &Finding, case: &str, wall: Duration) -> Result<Option<String>, Failure> {
    let Some(predicate) = claims_of(finding) else { return Ok(None) };
    let subject = Subject { script: case.to_owned(), predicate, origin: String::new(), finding: None };
    let clauses = subject.clauses()?;
    let limits = Limits { wall, ..Limits::default() };
    let established = triage::predicate::establish(case, &clauses, limits).map_err(run_failure)?;
    Ok(established.ok().map(|established| triage::blame(&established).reason))
}

fn settings() -> Result<InstallSettings, Failure> {
    let mut places = InstallSettings::from_environment().map_err(failure)?;
    places.read_default_config().map_err(failure)?;
    Ok(places)
}

fn run_failure(error: RunError) -> Failure {
    Failure::new(error.to_string()).hint(error.hint())
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
        let before = finding.targets.iter().find(|record| record.id == target.id);
        rows.push(vec![
            target.id.clone(),
            before.map_or_else(String::new, |record| record.result.clone()),
            triage::oracle::describe(observation),
            observation.wall.as_millis().to_string(),
        ]);
    }
    println!("{}", align(&rows).join("\n"));
}
