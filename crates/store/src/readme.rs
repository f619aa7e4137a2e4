//! The page that explains a finding to a reader who does not know this program.

use case::text::{collapsed, fenced, head};
use case::{AskedScript, Expectation, Finding};
use std::fmt::Write;

/// Longer scripts and outputs are truncated, in characters; the files have the rest.
const SHOWN: usize = 4_000;

/// The page of a finding.
pub fn render(id: &str, finding: &Finding, case: &str) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut page, id, finding, case);
    page
}

fn write(page: &mut String, id: &str, finding: &Finding, case: &str) -> std::fmt::Result {
    writeln!(page, "# {}\n", finding.title())?;
    writeln!(page, "Finding `{id}`, class **{}**.\n", finding.class)?;
    if !finding.class.is_bug() {
        writeln!(page, "This is a candidate, not a proven bug.\n")?;
    }
    writeln!(page, "## Results\n")?;
    writeln!(page, "| solver | release | result | ms | |\n|---|---|---|---|---|")?;
    for run in &finding.runs {
        let mark = if run.suspect { "suspect" } else { "" };
        let asked = match run.asked {
            AskedScript::Case => "",
            AskedScript::CoreAlone => " on the core alone",
            AskedScript::Doubt => " on whether that can be wrong",
            AskedScript::Plain => " on `plain.smt2`",
        };
        let result = cell(&run.result.to_string());
        writeln!(page, "| {} | {} | {result}{asked} | {} | {mark} |", run.id, run.version, run.milliseconds)?;
    }
    writeln!(page, "\n## Evidence\n")?;
    for evidence in &finding.evidence {
        writeln!(page, "- {}", cell(&evidence.to_string()))?;
    }
    writeln!(page, "\n## Command lines\n\n```sh")?;
    for run in &finding.runs {
        writeln!(page, "{}", run.command)?;
    }
    writeln!(page, "```\n\n`elenchus replay {id}` runs all of them again.\n")?;
    if finding.runs.iter().any(|run| run.asked == AskedScript::Plain) {
        writeln!(
            page,
            "`plain.smt2` asks the same: every question from scratch, without objectives and tactics.\n"
        )?;
    }
    if finding.models {
        writeln!(page, "Reproduces with `(get-model)` after the last check.\n")?;
    }
    if matches!(finding.expectation, Expectation::Sat { .. }) {
        writeln!(
            page,
            "The script was built with a model, which is in `witness.smt2`: `elenchus validate` confirms it.\n"
        )?;
    }
    writeln!(page, "## Script (`case.smt2`)\n\n{}", block("smt2", case))?;
    for run in finding.suspects() {
        let printed = format!("{}{}", run.stdout, run.stderr);
        writeln!(page, "## Output of {}\n\n{}", run.id, block("", &printed))?;
    }
    let origin = &finding.origin;
    writeln!(page, "## Origin\n")?;
    writeln!(
        page,
        "Strategy {}, seed `{}` (hash {}), campaign seed {}, round {}, case {}. Found by elenchus {}.",
        origin.strategy,
        finding.seed_name,
        origin.seed_hash,
        origin.campaign_seed,
        origin.round,
        origin.index,
        finding.found_by
    )?;
    writeln!(page, "\nSignature: `{}`", cell(&finding.signature.key()))
}

/// Text for the cell of a table or an item of a list.
fn cell(text: &str) -> String {
    collapsed(text).replace('|', "\\|")
}

/// The text as a code block, truncated if it is long.
fn block(language: &str, text: &str) -> String {
    let shown = head(text, SHOWN);
    if shown.len() < text.len() {
        return fenced(language, &format!("{shown}\n; … cut here, the file has the rest"));
    }
    fenced(language, shown)
}
