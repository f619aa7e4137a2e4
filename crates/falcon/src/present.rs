//! Correlations for people: a heat map for the terminal, and one as an HTML page.

use crate::learn::Correlations;
use case::text::{CONTENT_POLICY, html_escaped};
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
    /// What the map leaves out, a sentence each.
    left_out: Vec<String>,
}

/// What the digits of the map mean.
const DIGITS: &str = "0 to 9: the share of formulas with the operation in which the option made a difference, in ninths; ·: no correlation";

/// The width of a character of the page, in pixels.
const CHARACTER: usize = 7;

impl<'a> HeatMap<'a> {
    /// The map of some pairs, with at most `columns` options: those with the largest sums of probabilities. `operations` are those
    /// that the user wants to see.
    pub fn new(
        learned: &'a Correlations,
        pairs: &[Pair],
        operations: impl Fn(&str) -> bool,
        columns: usize,
    ) -> HeatMap<'a> {
        let mut rows: Vec<String> = pairs.iter().map(|pair| pair.operation.clone()).collect();
        rows.dedup();
        let mut sums: BTreeMap<&String, f64> = BTreeMap::new();
        for pair in pairs {
            *sums.entry(&pair.option).or_default() += pair.probability;
        }
        let mut options: Vec<(&String, f64)> = sums.into_iter().collect();
        options.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        let mut left_out = Vec::new();
        let wanted = learned.operations.keys().filter(|name| operations(name));
        let silent: Vec<&str> = wanted.filter(|name| !rows.contains(name)).map(String::as_str).collect();
        if !silent.is_empty() {
            left_out.push(format!("No option correlates with {}.", silent.join(", ")));
        }
        if options.len() > columns {
            left_out.push(format!("{columns} of {} options are shown; --columns shows more.", options.len()));
        }
        let columns = options.into_iter().take(columns).map(|(name, _)| name.clone()).collect();
        HeatMap { learned, rows, columns, left_out }
    }

    /// The operations, one for each row.
    pub fn rows(&self) -> &[String] {
        &self.rows
    }

    /// The options, one for each column.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The length of the longest name of a row.
    fn row_width(&self) -> usize {
        self.rows.iter().map(|row| row.chars().count()).max().unwrap_or(0)
    }

    /// The map in characters, with a legend and what it leaves out.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let width = self.row_width();
        // Writing to a string cannot fail.
        for (index, name) in self.columns.iter().enumerate() {
            let _ = writeln!(out, "{:>width$}  {}┌ {name}", "", "│".repeat(index));
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
            let _ = writeln!(out, "{row:>width$}  {cells}");
        }
        if !self.rows.is_empty() {
            let _ = writeln!(out, "{DIGITS}");
        }
        for line in &self.left_out {
            let _ = writeln!(out, "{line}");
        }
        out
    }

    /// The map as an HTML page with an SVG picture; a tooltip on each cell shows its numbers.
    pub fn html(&self) -> String {
        let HeatMap { learned, rows, columns, .. } = self;
        const CELL: usize = 14;
        // The labels of the columns lean to the right, so the last one needs room beside the map.
        let label = CHARACTER * columns.iter().map(|column| column.chars().count()).max().unwrap_or(0);
        let (left, top) = (CHARACTER * self.row_width() + 12, label + 12);
        let (width, height) = (left + CELL * columns.len() + label, top + CELL * rows.len() + 20);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"monospace\" font-size=\"11\">\n"
        );
        for (index, column) in columns.iter().enumerate() {
            let x = left + CELL * index + CELL / 2;
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{}\" transform=\"rotate(-60 {x} {})\">{}</text>",
                top - 6,
                top - 6,
                html_escaped(column)
            );
        }
        for (line, row) in rows.iter().enumerate() {
            let y = top + CELL * line;
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
                left - 6,
                y + 11,
                html_escaped(row)
            );
            for (index, column) in columns.iter().enumerate() {
                let share = learned.probability(row, column).unwrap_or(0.0);
                let fill = if learned.correlate(row, column) {
                    shade_of(share)
                } else {
                    "rgb(248,248,248)".to_owned()
                };
                let _ = writeln!(
                    svg,
                    "<rect x=\"{}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{fill}\"><title>{} / {}: {share:.2}, elsewhere {:.2}</title></rect>",
                    left + CELL * index,
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
            "<!doctype html>\n<meta charset=\"utf-8\">{CONTENT_POLICY}\n<title>{solver}</title>\n<h1>{solver}</h1>\n<p>{} formulas. The shade of a cell is the \
             share of formulas with the operation in which the option made a difference; pale cells do not correlate.</p>\n<p>Options that matter to most \
             formulas: {}</p>\n<p>{}</p>\n{}\n{svg}",
            learned.formulas,
            html_escaped(&general_options(learned)),
            html_escaped(&self.left_out.join(" ")),
            legend(),
            solver = html_escaped(&learned.solver),
        )
    }
}

/// The shades of the page from a share of 0 to a share of 1.
fn legend() -> String {
    let shade = |step: u32| {
        let share = f64::from(step) / 4.0;
        format!(
            "<span style=\"background:{};padding:2px 8px\">{:.0}&nbsp;%</span>",
            shade_of(share),
            share * 100.0
        )
    };
    format!("<p>{}</p>", (0..=4).map(shade).collect::<String>())
}

/// The colour of a cell.
fn shade_of(share: f64) -> String {
    let shade = 255 - (share * 200.0).round() as u32;
    format!("rgb({shade},{shade},255)")
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
        let map = HeatMap::new(&learned, &pairs, |_| true, 10);
        let silent = "No option correlates with <.";
        assert_eq!(map.text(), format!("     ┌ elim_rem\nrem  9\n{DIGITS}\n{silent}\n"));
        let page = map.html();
        assert!(page.contains("<title>rem / elim_rem: 1.00, elsewhere 0.00</title>"), "{page}");
        assert!(page.contains("No option correlates with &lt;.") && page.contains("100&nbsp;%"), "{page}");
        let map = HeatMap::new(&learned, &pairs, |name| name == "rem", 0);
        assert_eq!(map.text(), format!("rem  \n{DIGITS}\n0 of 1 options are shown; --columns shows more.\n"));
    }

    #[test]
    fn labels_fit_on_the_page() {
        let mut learned = Correlations::new("z3@1");
        let (operation, option) = ("o".repeat(40), "p".repeat(60));
        learned.options = [option.clone()].into();
        let effects = BTreeMap::from([(option.clone(), Effects { coverage: 1, ..Effects::default() })]);
        for _ in 0..4 {
            let due = BTreeMap::from([(operation.clone(), [option.clone()].into())]);
            learned.add(&Seen { effects: effects.clone(), due });
            learned
                .add(&Seen { effects: BTreeMap::new(), due: BTreeMap::from([("<".to_owned(), [].into())]) });
        }
        let page = HeatMap::new(&learned, &correlated(&learned, 0.0), |_| true, 10).html();
        let number = |name: &str| -> usize {
            let rest = page.split(&format!("{name}=\"")).nth(1).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        // Half of a label's length is to the right of its column, and nearly all of it above.
        assert!(number("width") >= 40 * 6 + 60 * 6 / 2 && number("height") >= 60 * 6, "{page}");
    }
}
