//! The page that explains a finding to someone who has never seen this program.

use case::{AskedScript, Expectation, Finding};
use std::fmt::Write;

/// Longer scripts and outputs are cut; the files have the rest.
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
        writeln!(page, "This is a candidate to look at, not a proven bug.\n")?;
    }
    writeln!(page, "## Results\n")?;
    writeln!(page, "| solver | release | result | ms | |\n|---|---|---|---|---|")?;
    for run in &finding.runs {
        let mark = if run.suspect { "suspect" } else { "" };
        let asked = match run.asked {
            AskedScript::Case => "",
            AskedScript::CoreAlone => " on the core alone",
        };
        let result = one_line(&run.result.to_string());
        writeln!(page, "| {} | {} | {result}{asked} | {} | {mark} |", run.id, run.version, run.milliseconds)?;
    }
    writeln!(page, "\n## Evidence\n")?;
    for evidence in &finding.evidence {
        writeln!(page, "- {}", one_line(&evidence.to_string()))?;
    }
    writeln!(page, "\n## Command lines\n\n```sh")?;
    for run in &finding.runs {
        writeln!(page, "{}", run.command)?;
    }
    writeln!(page, "```\n\n`elenchus replay {id}` runs them all again.\n")?;
    if finding.models {
        writeln!(page, "Reproduces with `(get-model)` after the last check.\n")?;
    }
    if matches!(finding.expectation, Expectation::Sat { .. }) {
        writeln!(
            page,
            "The script was built with a model, which is in `witness.smt2`: `elenchus validate` confirms it.\n"
        )?;
    }
    writeln!(page, "## Script (`case.smt2`)\n\n{}", fenced("smt2", case))?;
    for run in finding.suspects() {
        let printed = format!("{}{}", run.stdout, run.stderr);
        writeln!(page, "## Output of {}\n\n{}", run.id, fenced("", &printed))?;
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
    writeln!(page, "\nSignature: `{}`", one_line(&finding.signature.key()))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// The text as a code block, cut if it is long.
fn fenced(language: &str, text: &str) -> String {
    let shown = match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}\n; … cut here, the file has the rest", &text[..at]),
        None => text.trim_end().to_owned(),
    };
    // The fence must be longer than any run of backticks inside.
    let longest = shown.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{shown}\n{fence}\n")
}
