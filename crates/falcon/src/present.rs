//! Correlations for people: a heat map for the terminal, and one as an HTML page.

use crate::learn::Correlations;
use case::text::html_escaped;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// An operation and an option that matters to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The operation.
    pub operation: String,
    /// The option.
    pub option: String,
    /// The share of formulas with the operation in which the option made a difference.
    pub probability: f64,
    /// The same for formulas without the operation.
    pub elsewhere: f64,
}

/// All pairs that correlate with at least the probability `min`, by operation.
pub fn correlated(learned: &Correlations, min: f64) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (operation, options) in &learned.pairs {
        for option in options.keys() {
            let probability = learned.probability(operation, option).unwrap_or(0.0);
            if probability >= min && learned.correlate(operation, option) {
                let elsewhere = learned.elsewhere(operation, option);
                pairs.push(Pair {
                    operation: operation.clone(),
                    option: option.clone(),
                    probability,
                    elsewhere,
                });
            }
        }
    }
    pairs
}

/// A heat map: one row for each operation, one column for each option.
pub struct HeatMap<'a> {
    learned: &'a Correlations,
    rows: Vec<String>,
    columns: Vec<String>,
}

impl<'a> HeatMap<'a> {
    /// The map of some pairs, with at most `columns` options: those with the largest sums of probabilities.
    pub fn new(learned: &'a Correlations, pairs: &[Pair], columns: usize) -> HeatMap<'a> {
        let mut rows: Vec<String> = pairs.iter().map(|pair| pair.operation.clone()).collect();
        rows.dedup();
        let mut sums: BTreeMap<&String, f64> = BTreeMap::new();
        for pair in pairs {
            *sums.entry(&pair.option).or_default() += pair.probability;
        }
        let mut options: Vec<(&String, f64)> = sums.into_iter().collect();
        options.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        let columns = options.into_iter().take(columns).map(|(name, _)| name.clone()).collect();
        HeatMap { learned, rows, columns }
    }

    /// The map in characters: a digit for ninths of the probability, a dot for no correlation.
    pub fn text(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        for (index, name) in self.columns.iter().enumerate() {
            let _ = writeln!(out, "{:>24}  {}┌ {name}", "", "│".repeat(index));
        }
        for row in &self.rows {
            let cells: String = self
                .columns
                .iter()
                .map(|column| match self.learned.probability(row, column) {
                    Some(share) if self.learned.correlate(row, column) => {
                        char::from_digit((share * 9.0).round() as u32, 10).unwrap_or('9')
                    }
                    _ => '·',
                })
                .collect();
            let _ = writeln!(out, "{row:>24}  {cells}");
        }
        out
    }

    /// The map as an HTML page with an SVG picture; a tooltip on each cell shows its numbers.
    pub fn html(&self) -> String {
        let HeatMap { learned, rows, columns } = self;
        const CELL: usize = 14;
        const LEFT: usize = 170;
        const TOP: usize = 260;
        let (width, height) = (LEFT + CELL * columns.len() + 40, TOP + CELL * rows.len() + 20);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"monospace\" font-size=\"11\">\n"
        );
        for (index, column) in columns.iter().enumerate() {
            let x = LEFT + CELL * index + CELL / 2;
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{}\" transform=\"rotate(-60 {x} {})\">{}</text>",
                TOP - 6,
                TOP - 6,
                html_escaped(column)
            );
        }
        for (line, row) in rows.iter().enumerate() {
            let y = TOP + CELL * line;
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
                LEFT - 6,
                y + 11,
                html_escaped(row)
            );
            for (index, column) in columns.iter().enumerate() {
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
                    LEFT + CELL * index,
                    CELL - 1,
                    CELL - 1,
                    html_escaped(row),
                    html_escaped(column),
                    learned.elsewhere(row, column),
                );
            }
        }
        svg.push_str("</svg>\n");
        format!(
            "<!doctype html>\n<meta charset=\"utf-8\">\n<title>{solver}</title>\n<h1>{solver}</h1>\n<p>{} formulas. The shade of a cell is the \
             share of formulas with the operation in which the option made a difference; pale cells do not correlate.</p>\n<p>Options that matter to most \
             formulas: {}</p>\n{svg}",
            learned.formulas,
            html_escaped(&general_options(learned)),
            solver = html_escaped(&learned.solver),
        )
    }
}

/// The options that matter to most formulas, whatever their operations.
pub fn general_options(learned: &Correlations) -> String {
    let names: Vec<&str> =
        learned.options.iter().filter(|option| learned.is_general(option)).map(String::as_str).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Effects, Seen};

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
        let expected = Pair {
            operation: "rem".to_owned(),
            option: "elim_rem".to_owned(),
            probability: 1.0,
            elsewhere: 0.0,
        };
        assert_eq!(pairs, [expected]);
        let map = HeatMap::new(&learned, &pairs, 10);
        assert_eq!(map.text(), format!("{:>24}  ┌ elim_rem\n{:>24}  9\n", "", "rem"));
        let page = map.html();
        assert!(page.contains("<title>rem / elim_rem: 1.00, elsewhere 0.00</title>"), "{page}");
    }
}
