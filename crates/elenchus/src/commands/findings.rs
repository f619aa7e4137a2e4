//! `elenchus findings`: lists the findings of campaigns.

use crate::commands::known;
use crate::outcome::{Exit, Outcome};
use campaign::config::DEFAULT_OUT;
use case::table::{align, row};
use clap::Args;
use std::path::{Path, PathBuf};
use store::Store;
use triage::cluster::stored_facts;
use triage::known::KnownBugs;

/// Arguments of `elenchus findings`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus findings
  elenchus findings --out nightly --new --json")]
pub struct FindingsArgs {
    /// Folder of the campaign
    #[arg(long, value_name = "DIR", default_value = DEFAULT_OUT)]
    out: PathBuf,
    /// Omit known bugs (see `elenchus known`)
    #[arg(long)]
    new: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus findings`.
pub fn run(args: FindingsArgs) -> Outcome {
    let store = Store::open_existing(&args.out)?;
    let mut findings = store.findings()?;
    let known = KnownBugs::read(Path::new(known::FILE))?;
    let facts = if known.entries.is_empty() { Vec::new() } else { stored_facts(&args.out) };
    if args.new {
        findings.retain(|finding| known.likely_repeated(finding, &facts).is_none());
    }
    if args.json {
        println!("{}", serde_json::json!(findings));
    } else if findings.is_empty() {
        println!("No findings in {}", args.out.display());
    } else {
        let heading = row(["finding", "cases", "title"]);
        let row = |finding: &store::Listed| {
            let link =
                known.likely_repeated(finding, &facts).map(|entry| format!(" (known: {})", entry.link));
            let title = format!("{}{}", finding.title, link.unwrap_or_default());
            vec![finding.id.clone(), finding.count.to_string(), title]
        };
        let rows: Vec<Vec<String>> = std::iter::once(heading).chain(findings.iter().map(row)).collect();
        println!("{}", align(&rows).join("\n"));
    }
    Ok(Exit::Clean)
}
