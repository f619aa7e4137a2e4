//! `elenchus history stats`: what a library holds, beside another one if that is asked for.

use crate::commands::history_strategy::{DEFAULT_LIBRARY, read_library};
use crate::outcome::{Exit, Outcome};
use crate::view::align;
use clap::Args;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use strategies::histfuzz::{Library, Rule, built_in};

/// Arguments of `elenchus history stats`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus history stats
  elenchus history stats bugs.txt --against seeds.txt")]
pub struct StatsArgs {
    /// The library [default: elenchus-history.txt, if there is one, else the built-in one]
    file: Option<PathBuf>,
    /// Another library: how many rules are in both
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// How many of the commonest are shown
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The supports that rules are counted for: those of the paper, and more than nine, which it uses.
const SUPPORTS: [u32; 6] = [5, 6, 7, 8, 9, 10];

/// Runs `elenchus history stats`.
pub fn run(args: StatsArgs) -> Outcome {
    let present = || Path::new(DEFAULT_LIBRARY).is_file().then(|| PathBuf::from(DEFAULT_LIBRARY));
    let library = match args.file.clone().or_else(present) {
        Some(file) => Arc::new(read_library(&file)?),
        None => built_in(),
    };
    let other = args.against.as_deref().map(read_library).transpose()?;
    if args.json {
        let mut value = json(&library);
        if let Some(other) = &other {
            value["against"] = SUPPORTS.iter().map(|&support| overlap(&library, other, support)).collect();
        }
        println!("{value}");
        return Ok(Exit::Clean);
    }
    for line in counts(&library) {
        println!("{line}");
    }
    println!("\nrules, by the least number of formulas that follow them (confidence above 0.5)");
    let mut rows = vec![vec!["formulas".to_owned(), "rules".to_owned()]];
    if other.is_some() {
        rows[0].extend(["in the other".to_owned(), "in both".to_owned(), "part".to_owned()]);
    }
    for support in SUPPORTS {
        let mut row = vec![support.to_string(), texts(&library, support).len().to_string()];
        if let Some(other) = &other {
            let (ours, both) = (texts(&library, support), texts(other, support));
            let shared = ours.intersection(&both).count();
            let part = 100.0 * shared as f64 / ours.len().max(1) as f64;
            row.extend([both.len().to_string(), shared.to_string(), format!("{part:.1} %")]);
        }
        rows.push(row);
    }
    println!("{}", align(&rows).join("\n"));
    println!("\nthe commonest skeletons, with the formulas that have them");
    for counted in library.skeletons.iter().take(args.top) {
        println!("{:6}  {}", counted.count, counted.skeleton);
    }
    println!("\nthe commonest atoms");
    let mut atoms: Vec<_> = library.atoms.iter().collect();
    atoms.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.text.cmp(&b.text)));
    for atom in atoms.into_iter().take(args.top) {
        println!("{:6}  {}", atom.count, atom.text);
    }
    println!("\nthe strongest rules, with the formulas that follow them");
    let mut rules: Vec<&Rule> = library.rules.iter().collect();
    rules.sort_by(|a, b| b.support.cmp(&a.support).then_with(|| a.cmp(b)));
    for rule in rules.into_iter().take(args.top) {
        println!("{:6}  {}  ({:.0} %)", rule.support, library.rule_text(rule), 100.0 * rule.confidence());
    }
    Ok(Exit::Clean)
}

/// The rules that enough formulas follow, in words.
fn texts(library: &Library, support: u32) -> BTreeSet<String> {
    let enough = |rule: &&Rule| rule.support >= support && rule.confidence() > 0.5;
    library.rules.iter().filter(enough).map(|rule| library.rule_text(rule)).collect()
}

fn overlap(library: &Library, other: &Library, support: u32) -> serde_json::Value {
    let (ours, theirs) = (texts(library, support), texts(other, support));
    json!({
        "support": support, "rules": ours.len(), "other": theirs.len(),
        "both": ours.intersection(&theirs).count(),
    })
}

fn repeated(library: &Library) -> usize {
    library.skeletons.iter().filter(|counted| counted.count > 1).count()
}

fn counts(library: &Library) -> Vec<String> {
    let origins = &library.origins;
    let read = origins.formulas - origins.ill_formed;
    let few: u32 = library.assertions.iter().sum();
    let ill_formed = library.atoms.iter().filter(|atom| atom.ill_formed).count();
    let rows = [
        (
            "formulas",
            format!(
                "{} ({} refused by the type checker, {} assert nothing)",
                origins.formulas, origins.ill_formed, origins.empty
            ),
        ),
        (
            "assertions",
            format!(
                "{}, {:.1} a formula",
                origins.assertions,
                f64::from(origins.assertions) / f64::from(read.max(1))
            ),
        ),
        (
            "with 1 to 5 assertions",
            format!(
                "{:?}, {:.0} % of the formulas",
                library.assertions,
                100.0 * f64::from(few) / f64::from(read.max(1))
            ),
        ),
        (
            "skeletons",
            format!("{}, {} of them in several formulas", library.skeletons.len(), repeated(library)),
        ),
        ("normal skeletons", format!("{} of {} formulas", library.normal.len(), origins.normal)),
        (
            "atoms",
            format!(
                "{} ({} ill-formed), {} left out as too large or not complete",
                library.atoms.len(),
                ill_formed,
                origins.left_out
            ),
        ),
        ("abstract forms", library.forms.len().to_string()),
        (
            "declarations",
            format!("{} of sorts and datatypes, {} ranks", library.declarations.len(), library.ranks.len()),
        ),
        ("option sets", library.options.len().to_string()),
        ("rules", library.rules.len().to_string()),
    ];
    let rows: Vec<Vec<String>> = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    align(&rows)
}

/// The counts of a library as JSON.
pub fn json(library: &Library) -> serde_json::Value {
    let origins = &library.origins;
    json!({
        "formulas": origins.formulas,
        "ill_formed": origins.ill_formed,
        "empty": origins.empty,
        "assertions": origins.assertions,
        "assertion_counts": library.assertions,
        "skeletons": library.skeletons.len(),
        "repeated_skeletons": repeated(library),
        "normal_skeletons": library.normal.len(),
        "atoms": library.atoms.len(),
        "left_out": origins.left_out,
        "forms": library.forms.len(),
        "rules": library.rules.len(),
        "rules_by_support": SUPPORTS.map(|support| (support, texts(library, support).len())),
    })
}
