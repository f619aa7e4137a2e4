//! `elenchus history stats`: what a library holds, compared with another one if asked.

use crate::outcome::{Exit, Outcome};
use campaign::config::{default_library, read_library};
use case::table::{align, row};
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
    let overlaps = other.as_ref().map(|other| library.overlaps(other));
    if args.json {
        let mut value = json(&library);
        if let Some(overlaps) = overlaps {
            let object = |of: &Overlap| json!({ "support": of.support, "rules": of.rules, "other": of.other, "both": of.both });
            value["against"] = overlaps.iter().map(object).collect();
        }
        println!("{value}");
        return Ok(Exit::Clean);
    }
    let contents: Vec<Vec<String>> =
        library.contents().iter().map(|(name, value)| row([name, value])).collect();
    println!("{}", align(&contents).join("\n"));
    println!("\nRules with a confidence above 0.5, by minimum support");
    println!("{}", align(&rules(&library, overlaps.as_deref())).join("\n"));
    println!("\nMost frequent skeletons, with the number of formulas");
    for counted in library.skeletons.iter().take(args.top) {
        println!("{:6}  {}", counted.count, counted.skeleton);
    }
    println!("\nMost frequent atoms");
    for (text, count) in library.frequent_atoms(args.top) {
        println!("{count:6}  {text}");
    }
    println!("\nStrongest rules, with their support and confidence");
    for rule in library.strongest_rules(args.top) {
        println!("{:6}  {}  ({:.0} %)", rule.support, library.rule_text(rule), 100.0 * rule.confidence());
    }
    Ok(Exit::Clean)
}

fn rules(library: &Library, overlaps: Option<&[Overlap]>) -> Vec<Vec<String>> {
    let Some(overlaps) = overlaps else {
        let count = |support| vec![format!("{support}"), library.rule_texts(support).len().to_string()];
        return std::iter::once(row(["support", "rules"])).chain(SUPPORTS.map(count)).collect();
    };
    let line = |of: &Overlap| {
        let share = 100.0 * of.both as f64 / of.rules.max(1) as f64;
        let counts = [u64::from(of.support), of.rules as u64, of.other as u64, of.both as u64];
        counts.iter().map(u64::to_string).chain([format!("{share:.1} %")]).collect()
    };
    std::iter::once(row(["support", "rules", "other", "shared", "share"]))
        .chain(overlaps.iter().map(line))
        .collect()
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
