//! `elenchus triage`: finishes the triage of the findings of a campaign.

use crate::commands::subject::limits;
use crate::context::Context;
use crate::outcome::{Exit, Outcome};
use crate::signals;
use campaign::config::{DEFAULT_OUT, time_limit};
use campaign::present::findings::findings_table;
use campaign::present::text::triaged_line;
use case::table::counted;
use case::text::first_line;
use clap::Args;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;
use store::{Listed, Store};
use triage::automatic::{TriageProgress, TriageStep, triage_folder};
use triage::releases::Releases;
use triage::report::ReportSettings;

/// Arguments of `elenchus triage`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus triage
  elenchus triage --out nightly --time 2m
  elenchus triage --no-bisect

Reduces every finding that the campaign has not reduced, merges those that are one bug, finds the releases that show each of the rest, \
and writes a report beside it. What is done already is not done again. Prints the list of findings, the most severe first.")]
pub struct TriageArgs {
    /// Folder of the campaign
    #[arg(long, value_name = "DIR", default_value = DEFAULT_OUT)]
    out: PathBuf,
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
    let context = Context::of_campaign(&args.out)?;
    let stop = signals::stop_flag()?;
    let stopped = || stop.load(Ordering::Relaxed);
    let mut store = Store::open_existing(&args.out)?;
    let settings = ReportSettings { out: &args.out, limits: limits(args.timeout), bisect: !args.no_bisect };
    triage_folder(&mut store, &settings, args.time, &context, &stopped, &mut show)?;
    let findings = store.findings()?;
    match args.json {
        true => println!("{}", serde_json::json!(findings)),
        false => println!("{}", findings_table(&args.out, &findings, &|_| None).join("\n")),
    }
    if stopped() {
        eprintln!("stopped; `elenchus triage --out {}` continues", args.out.display());
    } else {
        eprintln!("{}; the reports are beside them", counted(findings.len(), "finding"));
    }
    Ok(Exit::Clean)
}

/// Prints a step.
fn show(progress: TriageProgress, step: TriageStep<'_>) {
    let TriageProgress { number, total } = progress;
    let report = |listed: &Listed| format!("report {number}/{total} {}", listed.id);
    match step {
        TriageStep::Reduced(listed) => eprintln!("{number}/{total} {}", triaged_line(listed)),
        TriageStep::Unchanged(listed, why) => {
            eprintln!("{number}/{total} {} stays as it is: {}", listed.id, first_line(&why));
        }
        TriageStep::Note(listed, text) => eprintln!("{}: {}", report(listed), first_line(&text)),
        TriageStep::Reported(listed, written) => {
            let releases = written.releases.as_ref().map(Releases::sentence);
            eprintln!("{}: {}", report(listed), releases.as_ref().unwrap_or(&written.title));
        }
        TriageStep::Unreported(listed, why) => {
            eprintln!("{}: none, since {}", report(listed), first_line(&why));
        }
        TriageStep::Merged(pair) => eprintln!("{} is the same bug as {}", pair.id, pair.into),
    }
}
