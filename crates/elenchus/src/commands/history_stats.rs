//! `elenchus history stats`: what a library holds, compared with another one if asked.

use crate::outcome::{Exit, Outcome};
use campaign::config::{default_library, read_library};
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use strategies::histfuzz::stats::{Overlap, SUPPORTS};
use strategies::histfuzz::{Library, built_in};

/// Arguments of `elenchus history stats`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus history stats
  elenchus history stats bugs.txt --against seeds.txt")]
pub struct StatsArgs {
    /// Library to show [default: elenchus-history.txt if it exists, else the built-in library]
    file: Option<PathBuf>,
    /// Count the rules shared with another library
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// How many skeletons, atoms and rules to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus history stats`.
pub fn run(args: StatsArgs) -> Outcome {
    let library = match args.file.clone().or_else(default_library) {
        Some(file) => Arc::new(read_library(&file)?),
        None => built_in(),
    };
    let other = args.against.as_deref().map(read_library).transpose()?;
    if args.json {
        let mut value = json(&library);
        if let Some(other) = &other {
            let object = |of: &Overlap| json!({ "support": of.support, "rules": of.rules, "other": of.other, "both": of.both });
            value["against"] = library.overlaps(other).iter().map(object).collect();
        }
        println!("{value}");
        return Ok(Exit::Clean);
    }
    print!("{}", library.report(other.as_ref(), args.top));
    Ok(Exit::Clean)
}

/// The counts of a library as JSON.
pub fn json(library: &Library) -> Value {
    let origins = &library.origins;
    json!({
        "formulas": origins.formulas,
        "ill_formed": origins.ill_formed,
        "empty": origins.empty,
        "assertions": origins.assertions,
        "assertion_counts": library.assertions,
        "skeletons": library.skeletons.len(),
        "repeated_skeletons": library.repeated_skeletons(),
        "normal_skeletons": library.normal.len(),
        "atoms": library.atoms.len(),
        "left_out": origins.left_out,
        "forms": library.forms.len(),
        "rules": library.rules.len(),
        "rules_by_support": SUPPORTS.map(|support| (support, library.rule_texts(support).len())),
    })
}
