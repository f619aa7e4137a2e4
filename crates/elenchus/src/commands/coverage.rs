//! `elenchus coverage`: shows how much of the solvers a campaign reached, over time and by strategy.

use crate::commands::place::PlaceArgs;
use crate::outcome::{Exit, Failure, Outcome};
use campaign::present::coverage::{samples, tables};
use clap::Args;
use serde_json::json;
use store::Store;

/// Arguments of `elenchus coverage`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus fuzz --coverage --time 10m && elenchus coverage
  elenchus coverage --out nightly --json

Shows the last campaign of a folder, if it ran with --coverage or --guided: how many functions of each solver it had reached at which \
time, in total and by strategy.")]
pub struct CoverageArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus coverage`.
pub fn run(args: CoverageArgs) -> Outcome {
    let place = args.place.open()?;
    let store = Store::open_existing(place.path())?;
    let campaign = store.last_campaign()?;
    let Some(campaign) = campaign else {
        return Err(Failure::new(format!("no campaign in {}", place.name()))
            .hint("start one: elenchus fuzz --coverage"));
    };
    let points = samples(&store, &campaign)?;
    if points.is_empty() {
        return Err(Failure::new("the last campaign did not measure coverage")
            .hint("measure it: elenchus fuzz --coverage"));
    }
    if args.json {
        let rows: Vec<_> = points
            .iter()
            .map(|(elapsed, statistics)| json!({ "milliseconds": elapsed, "cases": statistics.cases, "reached": statistics.reached }))
            .collect();
        println!("{}", json!(rows));
        return Ok(Exit::Clean);
    }
    for table in tables(&points) {
        println!("{}\n", table.join("\n"));
    }
    Ok(Exit::Clean)
}
