//! `elenchus triage`: finishes the triage of the findings of a campaign.

use crate::commands::findings::findings_table;
use crate::commands::subject::limits;
use crate::context::Context;
use crate::outcome::{Exit, Outcome};
use crate::signals;
use campaign::config::{DEFAULT_OUT, time_limit};
use campaign::present::text::triaged_line;
use case::table::counted;
use clap::Args;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use store::Store;
use triage::automatic::{is_reduced, merge_alike, record_triaged, triage_finding, write_report};
use triage::report::ReportSettings;
use triage::{Subject, Version};

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
    let (context, limits) = (Context::new()?, limits(args.timeout));
    let stop = signals::stop_flag()?;
    let stopped = || stop.load(Ordering::Relaxed);
    let mut store = Store::open_existing(&args.out)?;
    let mut waiting = store.findings()?;
    waiting.retain(|listed| !is_reduced(&store, listed));
    let total = waiting.len();
    for (number, listed) in waiting.iter().enumerate().take_while(|_| !stopped()) {
        let head = format!("{}/{total}", number + 1);
        let until = Instant::now() + args.time;
        let should_stop = || stopped() || Instant::now() >= until;
        let triaged = Subject::of_finding(&args.out, &listed.id, Version::Case, None)
            .and_then(|subject| triage_finding(&subject, limits, &context, &should_stop));
        match triaged {
            Ok(triaged) => {
                eprintln!("{head} {}", triaged_line(&record_triaged(&mut store, &listed.id, &triaged)?))
            }
            Err(error) => {
                eprintln!("{head} {} stays as it is: {}", listed.id, first_line(&error.to_string()))
            }
        }
    }
    let settings = ReportSettings { out: &args.out, limits, bisect: !args.no_bisect };
    let listed = store.findings()?;
    for (number, finding) in listed.iter().enumerate().take_while(|_| !stopped()) {
        let head = format!("report {}/{} {}", number + 1, listed.len(), finding.id);
        let mut note = |text: String| eprintln!("{head}: {}", first_line(&text));
        match write_report(&settings, &finding.id, &context, &mut note) {
            Ok(report) => {
                eprintln!("{head}: {}", report.releases.map_or(report.title, |found| found.sentence()))
            }
            Err(error) => eprintln!("{head}: none, since {}", first_line(&error.to_string())),
        }
    }
    merge_alike(&mut store, &mut |pair| eprintln!("{} is the same bug as {}", pair.id, pair.into))?;
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

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
