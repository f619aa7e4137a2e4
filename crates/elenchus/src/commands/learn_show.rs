//! `elenchus learn show`: correlations as a heat map, on the terminal and as a page.

use crate::commands::learn::correlations_failure;
use crate::outcome::{Exit, Failure, Outcome};
use clap::Args;
use falcon::learn::Correlations;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Arguments of `elenchus learn show`.
#[derive(Args)]
pub struct ShowArgs {
    /// The file
    file: PathBuf,
    /// Only operations whose name contains this
    #[arg(long, value_name = "TEXT")]
    operation: Option<String>,
    /// Only options whose name contains this
    #[arg(long, value_name = "TEXT")]
    option: Option<String>,
    /// Only pairs with at least this probability
    #[arg(long, default_value_t = 0.0, value_name = "P")]
    min: f64,
    /// How many options the map shows, the most telling first
    #[arg(long, default_value_t = 24, value_name = "N")]
    columns: usize,
    /// Write the map as an HTML page with an SVG picture
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print all pairs as JSON
    #[arg(long)]
    json: bool,
}

/// A pair that correlates: operation, option, probability, and the probability elsewhere.
pub type Pair = (String, String, f64, f64);

/// All pairs that correlate with at least this probability, by operation.
pub fn correlated(learned: &Correlations, min: f64) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (operation, options) in &learned.pairs {
        for option in options.keys() {
            let probability = learned.probability(operation, option).unwrap_or(0.0);
            if probability >= min && learned.correlate(operation, option) {
                let elsewhere = learned.elsewhere(operation, option);
                pairs.push((operation.clone(), option.clone(), probability, elsewhere));
            }
        }
    }
    pairs
}

/// Runs `elenchus learn show`.
pub fn run(args: ShowArgs) -> Outcome {
    let learned = Correlations::read(&args.file).map_err(correlations_failure)?;
    let chosen =
        |name: &str, part: &Option<String>| part.as_ref().is_none_or(|part| name.contains(part.as_str()));
    let mut pairs = correlated(&learned, args.min);
    pairs
        .retain(|(operation, option, ..)| chosen(operation, &args.operation) && chosen(option, &args.option));
    if args.json {
        let rows: Vec<_> = pairs
            .iter()
            .map(|(operation, option, probability, elsewhere)| {
                let effects = learned.pairs.get(operation).and_then(|options| options.get(option));
                json!({ "operation": operation, "option": option, "probability": probability,
                        "elsewhere": elsewhere, "effects": effects, "formulas": learned.operations.get(operation) })
            })
            .collect();
        println!("{}", json!({ "solver": learned.solver, "formulas": learned.formulas, "pairs": rows }));
        return Ok(Exit::Clean);
    }
    let (rows, columns) = axes(&pairs, args.columns);
    println!(
        "{}: {} formulas; {} pairs correlate; general options: {}",
        learned.solver,
        learned.formulas,
        pairs.len(),
        general(&learned)
    );
    print!("{}", terminal(&learned, &rows, &columns));
    if let Some(file) = &args.html {
        std::fs::write(file, page(&learned, &rows, &columns)).map_err(|error| {
            Failure::new(format!("{} cannot be written: {error}", file.display())).hint("check the folder")
        })?;
        println!("the map is in {}", file.display());
    }
    Ok(Exit::Clean)
}

fn general(learned: &Correlations) -> String {
    let names: Vec<&str> =
        learned.options.iter().filter(|option| learned.is_general(option)).map(String::as_str).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// The operations, and the options with the largest sums of probabilities.
fn axes(pairs: &[Pair], most: usize) -> (Vec<String>, Vec<String>) {
    let mut rows: Vec<String> = pairs.iter().map(|(operation, ..)| operation.clone()).collect();
    rows.dedup();
    let mut sums: BTreeMap<&String, f64> = BTreeMap::new();
    for (_, option, probability, _) in pairs {
        *sums.entry(option).or_default() += probability;
    }
    let mut columns: Vec<(&String, f64)> = sums.into_iter().collect();
    columns.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    (rows, columns.into_iter().take(most).map(|(name, _)| name.clone()).collect())
}

/// The map in characters: one row an operation, one column an option, a digit for tenths, a dot for nothing.
fn terminal(learned: &Correlations, rows: &[String], columns: &[String]) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    for (at, name) in columns.iter().enumerate() {
        let _ = writeln!(out, "{:>24}  {}┌ {name}", "", "│".repeat(at));
    }
    for row in rows {
        let cells: String = columns
            .iter()
            .map(|column| match learned.probability(row, column) {
                Some(share) if learned.correlate(row, column) => {
                    char::from_digit((share * 9.0).round() as u32, 10).unwrap_or('9')
                }
                _ => '·',
            })
            .collect();
        let _ = writeln!(out, "{row:>24}  {cells}");
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The map as a page with a picture; each cell tells its numbers when pointed at.
fn page(learned: &Correlations, rows: &[String], columns: &[String]) -> String {
    const CELL: usize = 14;
    const LEFT: usize = 170;
    const TOP: usize = 260;
    let (width, height) = (LEFT + CELL * columns.len() + 40, TOP + CELL * rows.len() + 20);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"monospace\" font-size=\"11\">\n"
    );
    for (at, column) in columns.iter().enumerate() {
        let x = LEFT + CELL * at + CELL / 2;
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{}\" transform=\"rotate(-60 {x} {})\">{}</text>",
            TOP - 6,
            TOP - 6,
            escaped(column)
        );
    }
    for (line, row) in rows.iter().enumerate() {
        let y = TOP + CELL * line;
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            LEFT - 6,
            y + 11,
            escaped(row)
        );
        for (at, column) in columns.iter().enumerate() {
            let share = learned.probability(row, column).unwrap_or(0.0);
            let shade = 255 - (share * 200.0).round() as u32;
            let fill = if learned.correlate(row, column) {
                format!("rgb({shade},{shade},255)")
            } else {
                "rgb(248,248,248)".to_owned()
            };
            let _ = writeln!(
                svg,
                "<rect x=\"{}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{fill}\"><title>{} / {}: {share:.2}, elsewhere {:.2}</title></rect>",
                LEFT + CELL * at,
                CELL - 1,
                CELL - 1,
                escaped(row),
                escaped(column),
                learned.elsewhere(row, column),
            );
        }
    }
    svg.push_str("</svg>\n");
    format!(
        "<!doctype html>\n<meta charset=\"utf-8\">\n<title>{solver}</title>\n<h1>{solver}</h1>\n<p>{} formulas. A cell is the share of \
         formulas with the operation to which the option made a difference; pale cells do not correlate.</p>\n<p>Relevant to \
         most formulas: {}</p>\n{svg}",
        learned.formulas,
        escaped(&general(learned)),
        solver = escaped(&learned.solver),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use falcon::learn::{Effects, Seen};

    #[test]
    fn maps_show_what_correlates() {
        let mut learned = Correlations::new("z3@1");
        learned.options = ["elim_rem", "other"].map(str::to_owned).into();
        let effects =
            BTreeMap::from([("elim_rem".to_owned(), Effects { coverage: 1, ..Effects::default() })]);
        let due = |operation: &str, options: &[&str]| {
            BTreeMap::from([(operation.to_owned(), options.iter().map(|one| (*one).to_owned()).collect())])
        };
        for _ in 0..4 {
            learned.add(&Seen { effects: effects.clone(), due: due("rem", &["elim_rem"]) });
            learned.add(&Seen { effects: BTreeMap::new(), due: due("<", &[]) });
        }
        let pairs = correlated(&learned, 0.0);
        assert_eq!(pairs, [("rem".to_owned(), "elim_rem".to_owned(), 1.0, 0.0)]);
        let (rows, columns) = axes(&pairs, 10);
        let map = terminal(&learned, &rows, &columns);
        assert!(map.contains("┌ elim_rem") && map.contains("rem  9"), "{map}");
        let page = page(&learned, &rows, &columns);
        assert!(page.contains("<title>rem / elim_rem: 1.00, elsewhere 0.00</title>"), "{page}");
    }
}
