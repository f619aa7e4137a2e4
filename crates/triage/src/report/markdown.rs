//! A report as Markdown, ready to be pasted into a tracker.

use super::content::{Report, SolverResult};
use crate::text::fenced;
use std::fmt::{Result, Write};

/// The report as Markdown.
pub fn markdown(report: &Report) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut out, report);
    out
}

fn write(out: &mut String, report: &Report) -> Result {
    writeln!(out, "# {}\n", report.title)?;
    writeln!(out, "**{}**, severity: {}.\n", report.solver, report.severity)?;
    writeln!(out, "{}", fenced("smt2", &report.script))?;
    writeln!(out, "{}", fenced("", format!("$ {}\n{}", report.command, report.actual).trim_end()))?;
    if let Some(ended) = &report.ended {
        writeln!(out, "The run ends with: {ended}\n")?;
    }
    writeln!(out, "Expected: {}\n", report.expected)?;
    writeln!(out, "## Why this is wrong\n\n{}.\n", capital(&report.blame))?;
    if let Some(model) = &report.model {
        writeln!(out, "The model:\n\n{}", fenced("smt2", model))?;
    }
    if let Some(values) = report.values.as_ref().filter(|values| !values.is_empty()) {
        let heading = report.values_heading();
        writeln!(out, "{heading}:\n\n{}", fenced("", values))?;
    }
    results(out, "With the model in place of the declarations:", &report.with_model)?;
    results(out, "Other solvers:", &report.others)?;
    writeln!(out, "## Releases\n")?;
    match &report.releases {
        Some(found) => {
            writeln!(out, "{}.\n", capital(&found.sentence()))?;
            writeln!(out, "| release | | |\n|---|---|---|")?;
            for probe in &found.probes {
                writeln!(
                    out,
                    "| {} | {} | {} |",
                    probe.release,
                    found.word(probe.state),
                    cell(&probe.did())
                )?;
            }
            writeln!(out)?;
        }
        None => writeln!(out, "Not tested.\n")?,
    }
    match report.options.as_slice() {
        [] => writeln!(out, "Default options.\n")?,
        options => writeln!(out, "Options: `{}`.\n", options.join(" "))?,
    }
    if let Some(distinguishing_functions) = &report.distinguishing_functions {
        writeln!(
            out,
            "## Where to look\n\nThe nearest passing script ({}):\n",
            distinguishing_functions.result
        )?;
        writeln!(out, "{}", fenced("smt2", &distinguishing_functions.neighbour))?;
        writeln!(
            out,
            "Functions that only the failing script reaches: {}.\n",
            distinguishing_functions.names()
        )?;
    }
    if !report.duplicates.is_empty() {
        writeln!(out, "## Likely the same\n")?;
        report.duplicates.iter().try_for_each(|one| writeln!(out, "- {one}"))?;
        writeln!(out)?;
    }
    writeln!(out, "## Notes for the reporter\n")?;
    let verdict = if report.policy.wanted { "Within the maintainers' policy" } else { "**Do not file**" };
    writeln!(out, "{verdict}: {}.", report.policy.reasons.join("; "))?;
    writeln!(out, "\nSignature: `{}`. Found in {}.", report.signature.replace('`', "'"), report.origin)
}

fn results(out: &mut String, title: &str, list: &[SolverResult]) -> Result {
    if list.is_empty() {
        return Ok(());
    }
    writeln!(out, "{title}\n\n| solver | result |\n|---|---|")?;
    for one in list {
        writeln!(out, "| {} | {} |", one.solver, cell(&one.text()))?;
    }
    writeln!(out)
}

/// Text for the cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// The sentence with a capital first letter, unless it begins with the name of a solver.
fn capital(text: &str) -> String {
    if text.split(' ').next().is_some_and(|word| word.contains('@')) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
