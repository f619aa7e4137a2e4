//! `elenchus findings`: what campaigns have found.

use crate::commands::fuzz::{DEFAULT_OUT, store_failure};
use crate::outcome::{Exit, Outcome};
use crate::view::align;
use clap::Args;
use std::path::PathBuf;
use store::Store;

/// Arguments of `elenchus findings`.
#[derive(Args)]
pub struct FindingsArgs {
    /// The folder of the campaign
    #[arg(long, value_name = "DIR", default_value = DEFAULT_OUT)]
    out: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus findings`.
pub fn run(args: FindingsArgs) -> Outcome {
    let store = Store::look(&args.out).map_err(store_failure)?;
    let findings = store.findings().map_err(store_failure)?;
    if args.json {
        println!("{}", serde_json::json!(findings));
    } else if findings.is_empty() {
        println!("nothing wrong has been found in {}", args.out.display());
    } else {
        let heading = ["finding", "cases", "what"].map(str::to_owned).to_vec();
        let row = |finding: &store::Listed| {
            vec![finding.id.clone(), finding.count.to_string(), finding.title.clone()]
        };
        let rows: Vec<Vec<String>> = std::iter::once(heading).chain(findings.iter().map(row)).collect();
        println!("{}", align(&rows).join("\n"));
    }
    Ok(Exit::Clean)
}
