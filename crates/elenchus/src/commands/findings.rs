//! `elenchus findings`: lists the findings of campaigns.

use crate::commands::known;
use crate::outcome::{Exit, Outcome};
use campaign::config::DEFAULT_OUT;
use case::table::{align, row};
use clap::Args;
use std::path::{Path, PathBuf};
use store::{Listed, Store};
use triage::automatic::releases_of;
use triage::cluster::stored_facts;
use triage::known::KnownBugs;

/// Arguments of `elenchus findings`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus findings
  elenchus findings --out nightly --new --json

The most severe come first. `bytes` is the size of the reduced script, `releases` are those that show it.")]
pub struct FindingsArgs {
    /// Folder of the campaign
    #[arg(long, value_name = "DIR", default_value = DEFAULT_OUT)]
    out: PathBuf,
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
    let store = Store::open_existing(&args.out)?;
    let mut findings = if args.merged { store.all_findings()? } else { store.findings()? };
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
        let link = |finding: &Listed| Some(known.likely_repeated(finding, &facts)?.link.clone());
        println!("{}", findings_table(&args.out, &findings, &link).join("\n"));
    }
    Ok(Exit::Clean)
}

/// The findings as a table. `link` says where a finding has been reported.
pub fn findings_table(
    out: &Path,
    findings: &[Listed],
    link: &dyn Fn(&Listed) -> Option<String>,
) -> Vec<String> {
    let heading = row(["finding", "severity", "bytes", "cases", "releases", "title"]);
    let row = |finding: &Listed| {
        let merged = finding.merged_into.as_ref().map(|other| format!(" (same as {other})"));
        let known = link(finding).map(|link| format!(" (known: {link})"));
        vec![
            finding.id.clone(),
            finding.severity.to_string(),
            finding.reduced_bytes.map_or_else(|| "-".to_owned(), |bytes| bytes.to_string()),
            finding.count.to_string(),
            releases_of(out, finding).map_or_else(|| "-".to_owned(), |releases| releases.range()),
            format!("{}{}{}", finding.title, merged.unwrap_or_default(), known.unwrap_or_default()),
        ]
    };
    align(&std::iter::once(heading).chain(findings.iter().map(row)).collect::<Vec<_>>())
}
