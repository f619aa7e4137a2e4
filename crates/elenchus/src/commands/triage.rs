//! `elenchus triage`: finishes the triage of the findings of a campaign.

use crate::commands::findings::print_findings;
use crate::commands::place::PlaceArgs;
use crate::commands::subject::limits;
use crate::commands::triage_steps::show_step;
use crate::context::Context;
use crate::outcome::{Exit, Outcome};
use crate::signals;
use campaign::config::time_limit;
use clap::Args;
use std::sync::atomic::Ordering;
use std::time::Duration;
use store::{Store, Touched};
use triage::automatic::triage_folder;
use triage::report::ReportSettings;

/// Arguments of `elenchus triage`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus triage
  elenchus triage --out nightly --time 2m
  elenchus triage --no-bisect
  elenchus triage --store postgres://me@host/fuzz      `elenchus fuzz --store` does it beside the workers, too

Reduces every finding that the campaign has not reduced, merges those that are one bug, finds the releases that show each of the rest, \
and writes a report beside it. What is done already is not done again. Prints the list of findings, the most severe first.")]
pub struct TriageArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// Time limit for reducing one finding
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = time_limit)]
    time: Duration,
    /// Time limit for each run, such as 2s or 500ms
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = time_limit)]
    timeout: Duration,
    /// Do not test other releases
    #[arg(long)]
    no_bisect: bool,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus triage`.
pub fn run(args: TriageArgs) -> Outcome {
    let stop = signals::stop_flag()?;
    let mut place = args.place.open()?;
    let out = place.path().to_owned();
    let context = Context::of_campaign(&out)?.cancelled_by(&stop);
    let stopped = || stop.load(Ordering::Relaxed);
    let mut store = Store::open_existing(&out)?;
    place.begin_work()?;
    let settings = ReportSettings { out: &out, limits: limits(args.timeout), bisect: !args.no_bisect };
    let ended = triage_folder(&mut store, &settings, args.time, &context, &stopped, &mut show_step);
    place.push(Touched::All)?;
    ended?;
    print_findings(&store, args.json)?;
    if stopped() {
        eprintln!("stopped; `elenchus triage {}` continues", place.arguments());
    } else {
        eprintln!("the reports are beside the findings");
    }
    Ok(Exit::Clean)
}
