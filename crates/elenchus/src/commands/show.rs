//! `elenchus show`: explains a finding.

use crate::commands::place::PlaceArgs;
use crate::outcome::{Exit, Outcome};
use case::files::read_text;
use clap::Args;
use store::Store;
use triage::automatic::{REPORT, TriagedFinding};

/// Arguments of `elenchus show`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus show wrong-unsat-3f9a
  elenchus show 3f9a --out nightly --json")]
pub struct ShowArgs {
    /// Name of the finding; the beginning of the name or of its number is enough
    id: String,
    #[command(flatten)]
    place: PlaceArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus show`.
pub fn run(args: ShowArgs) -> Outcome {
    let place = args.place.open()?;
    let store = Store::open_existing(place.path())?;
    let listed = store.find(&args.id)?;
    let (finding, case, _) = store.read(&listed)?;
    let folder = place.path().join(&listed.folder);
    if args.json {
        println!("{}", serde_json::json!({ "listed": listed, "finding": finding, "case": case }));
        return Ok(Exit::Clean);
    }
    let report = folder.join(REPORT);
    if report.is_file() {
        println!("{}", read_text(&report)?);
    } else {
        if let Some(triaged) = TriagedFinding::saved(&folder) {
            println!("# {}\n\nReduced: {}\n", triaged.title, triaged.predicate);
            println!("```smt2\n{}\n```\n", triaged.script.trim_end());
        }
        println!("{}", read_text(&folder.join("README.md"))?);
    }
    if let Some(other) = &listed.merged_into {
        println!("It is the same bug as {other}.");
    }
    let seen = if listed.count == 1 { "once".to_owned() } else { format!("in {} cases", listed.count) };
    println!("Seen {seen}. All files are in {}.", folder.display());
    Ok(Exit::Clean)
}
