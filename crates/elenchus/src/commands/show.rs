//! `elenchus show`: a finding explained.

use crate::commands::fuzz::DEFAULT_OUT;
use crate::outcome::{Exit, Failure, Outcome};
use clap::Args;
use std::path::PathBuf;
use store::Store;

/// Arguments of `elenchus show`.
#[derive(Args)]
pub struct ShowArgs {
    /// The finding: its name, the beginning of it, or of its number
    id: String,
    /// The folder of the campaign
    #[arg(long, value_name = "DIR", default_value = DEFAULT_OUT)]
    out: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus show`.
pub fn run(args: ShowArgs) -> Outcome {
    let store = Store::look(&args.out)?;
    let listed = store.find(&args.id)?;
    let (finding, case, _) = store.read(&listed)?;
    let folder = args.out.join(&listed.folder);
    if args.json {
        println!("{}", serde_json::json!({ "listed": listed, "finding": finding, "case": case }));
        return Ok(Exit::Clean);
    }
    let page = folder.join("README.md");
    let text = std::fs::read_to_string(&page)
        .map_err(|error| Failure::new(format!("{} cannot be read: {error}", page.display())))?;
    println!("{text}");
    let seen = if listed.count == 1 { "once".to_owned() } else { format!("in {} cases", listed.count) };
    println!("Seen {seen}. Everything is in {}.", folder.display());
    Ok(Exit::Clean)
}
