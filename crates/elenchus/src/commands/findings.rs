//! `elenchus findings`: lists the findings of campaigns.

use crate::commands::known;
use crate::commands::place::PlaceArgs;
use crate::outcome::{Exit, Failure, Outcome};
use campaign::present::findings::findings_table;
use clap::Args;
use std::path::Path;
use store::{Listed, Store};
use triage::cluster::stored_facts;

/// Arguments of `elenchus findings`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus findings
  elenchus findings --out nightly --new --json
  elenchus findings --store postgres://me@host/fuzz

The most severe come first. `bytes` is the size of the reduced script, `releases` are those that show it.")]
pub struct FindingsArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// Omit known bugs (see `elenchus known`)
    #[arg(long)]
    new: bool,
    /// Also list findings that were merged into others
    #[arg(long)]
    merged: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus findings`.
pub fn run(args: FindingsArgs) -> Outcome {
    let mut place = args.place.open()?;
    let known = place.known(Path::new(known::FILE))?;
    let store = Store::open_existing(place.path())?;
    let mut findings = if args.merged { store.all_findings()? } else { store.findings()? };
    let facts = if known.entries.is_empty() { Vec::new() } else { stored_facts(place.path()) };
    if args.new {
        findings.retain(|finding| known.likely_repeated(finding, &facts).is_none());
    }
    if args.json {
        println!("{}", serde_json::json!(findings));
    } else if findings.is_empty() {
        println!("No findings in {}", place.name());
    } else {
        let link = |finding: &Listed| Some(known.likely_repeated(finding, &facts)?.link.clone());
        println!("{}", findings_table(place.path(), &findings, &link).join("\n"));
    }
    Ok(Exit::Clean)
}

/// Prints the findings of a campaign after all of them were worked on.
pub fn print_findings(store: &Store, json: bool) -> Result<(), Failure> {
    let findings = store.findings()?;
    match json {
        true => println!("{}", serde_json::json!(findings)),
        false => println!("{}", findings_table(store.folder(), &findings, &|_| None).join("\n")),
    }
    Ok(())
}
