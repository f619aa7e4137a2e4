//! `elenchus coverage`: which part of the solvers a campaign reached, over time and by strategy.

use crate::commands::fuzz::DEFAULT_OUT;
use crate::outcome::{Exit, Failure, Outcome};
use crate::view::align;
use campaign::Statistics;
use clap::Args;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::PathBuf;
use store::Store;

/// Arguments of `elenchus coverage`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus fuzz --coverage --time 10m && elenchus coverage
  elenchus coverage --out nightly --json

Shows the last campaign of a folder that was run with --coverage or --guided: how many functions of each solver were reached after
which time, in all and by the cases of each strategy.")]
pub struct CoverageArgs {
    /// The folder of the campaign
    #[arg(long, value_name = "DIR", default_value = DEFAULT_OUT)]
    out: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus coverage`.
pub fn run(args: CoverageArgs) -> Outcome {
    let store = Store::look(&args.out)?;
    let campaign = store.last_campaign()?;
    let Some(campaign) = campaign else {
        return Err(Failure::new(format!("there is no campaign in {}", args.out.display()))
            .hint("begin one: elenchus fuzz --coverage"));
    };
    let mut points = store.samples(campaign.id)?;
    points.push((campaign.progress.elapsed, campaign.progress.totals.clone()));
    let points: Vec<(u64, Statistics)> = points
        .into_iter()
        .filter_map(|(elapsed, body)| Some((elapsed, serde_json::from_str(&body).ok()?)))
        .filter(|(_, statistics): &(u64, Statistics)| !statistics.reached.is_empty())
        .collect();
    if points.is_empty() {
        return Err(Failure::new("the last campaign did not measure what it reached")
            .hint("run it with --coverage: elenchus fuzz --coverage"));
    }
    if args.json {
        let rows: Vec<_> = points
            .iter()
            .map(|(elapsed, statistics)| json!({ "milliseconds": elapsed, "cases": statistics.cases, "reached": statistics.reached }))
            .collect();
        println!("{}", json!(rows));
        return Ok(Exit::Clean);
    }
    let solvers: BTreeSet<&String> =
        points.iter().flat_map(|(_, statistics)| statistics.reached.keys()).collect();
    for solver in solvers {
        println!("{}", align(&table(solver, &points)).join("\n"));
        println!();
    }
    Ok(Exit::Clean)
}

/// A row for each point in time.
fn table(solver: &str, points: &[(u64, Statistics)]) -> Vec<Vec<String>> {
    let reached = |statistics: &Statistics| statistics.reached.get(solver).cloned().unwrap_or_default();
    let strategies: BTreeSet<String> =
        points.iter().flat_map(|(_, statistics)| reached(statistics).strategies.into_keys()).collect();
    let head = [solver, "cases", "functions", "of all"].map(str::to_owned);
    let mut rows = vec![head.into_iter().chain(strategies.iter().cloned()).collect::<Vec<String>>()];
    for (elapsed, statistics) in points {
        let reach = reached(statistics);
        let share = 100.0 * reach.reached as f64 / reach.points.max(1) as f64;
        let mut row = vec![
            format!("{} s", elapsed / 1000),
            statistics.cases.to_string(),
            reach.reached.to_string(),
            format!("{share:.1}%"),
        ];
        row.extend(
            strategies.iter().map(|name| reach.strategies.get(name).copied().unwrap_or(0).to_string()),
        );
        rows.push(row);
    }
    rows
}
