//! `elenchus learn show`: correlations as a heat map, on the terminal and as a page.

use crate::commands::place::StoreArgs;
use crate::outcome::{Exit, Outcome};
use case::files::write;
use case::table::counted;
use clap::Args;
use falcon::Correlations;
use falcon::present::{HeatMap, correlated, general_options};
use serde_json::json;
use std::path::PathBuf;

/// Arguments of `elenchus learn show`.
#[derive(Args)]
#[command(after_help = "Examples:
  elenchus learn show z3@5.4.0.correlations.json
  elenchus learn show z3@5.4.0.correlations.json --operation str. --min 0.5 --html map.html
  elenchus learn show z3@5.4.0 --store postgres://me@host/fuzz      what all machines of a campaign have learned

In the map, a digit is the share of formulas with the operation in which the option made a difference: 9 is all of them, 0 less \
than one in 18. A dot means that operation and option do not correlate.")]
pub struct ShowArgs {
    /// A correlations file; with --store, the id of a release
    file: PathBuf,
    #[command(flatten)]
    store: StoreArgs,
    /// Show only operations whose name contains TEXT
    #[arg(long, value_name = "TEXT")]
    operation: Option<String>,
    /// Show only options whose name contains TEXT
    #[arg(long, value_name = "TEXT")]
    option: Option<String>,
    /// Show only pairs with at least this probability
    #[arg(long, default_value_t = 0.0, value_name = "P")]
    min: f64,
    /// Show at most N options, those with the strongest correlations first
    #[arg(long, default_value_t = 24, value_name = "N")]
    columns: usize,
    /// Write the map as an HTML page with an SVG picture
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print all pairs as JSON
    #[arg(long)]
    json: bool,
}

/// Runs `elenchus learn show`.
pub fn run(args: ShowArgs) -> Outcome {
    let file = match args.store.is_named() && !args.file.is_file() {
        true => args.store.open()?.fetch_correlations(&args.file.to_string_lossy())?,
        false => args.file,
    };
    let learned = Correlations::read(&file)?;
    let chosen =
        |name: &str, part: &Option<String>| part.as_ref().is_none_or(|part| name.contains(part.as_str()));
    let mut pairs = correlated(&learned, args.min);
    pairs.retain(|pair| chosen(&pair.operation, &args.operation) && chosen(&pair.option, &args.option));
    if args.json {
        let rows: Vec<_> = pairs
            .iter()
            .map(|pair| {
                let mut row = json!(pair);
                row["effects"] =
                    json!(learned.pairs.get(&pair.operation).and_then(|of| of.get(&pair.option)));
                row["formulas"] = json!(learned.operations.get(&pair.operation));
                row
            })
            .collect();
        println!("{}", json!({ "solver": learned.solver, "formulas": learned.formulas, "pairs": rows }));
        return Ok(Exit::Clean);
    }
    println!(
        "{}: {}, {} of operation and option; options that matter to most formulas: {}",
        learned.solver,
        counted(learned.formulas, "formula"),
        counted(pairs.len(), "correlated pair"),
        general_options(&learned)
    );
    let map = HeatMap::new(&learned, &pairs, |name| chosen(name, &args.operation), args.columns);
    print!("{}", map.text());
    if let Some(file) = &args.html {
        write(file, &map.html())?;
        println!("Wrote the map to {}", file.display());
    }
    Ok(Exit::Clean)
}
