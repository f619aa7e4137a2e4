//! A report as Markdown, ready to be pasted into a tracker.

use super::{Report, Said, words};
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
    writeln!(out, "**{}**, severity {}.\n", report.solver, words(report.severity))?;
    writeln!(out, "{}", fenced("smt2", &report.script))?;
    writeln!(out, "{}", fenced("", &format!("$ {}\n{}", report.command, report.actual)))?;
    writeln!(out, "Expected: {}\n", report.expected)?;
    writeln!(out, "## Why this is wrong\n\n{}.\n", capital(&report.blame))?;
    if let Some(model) = &report.model {
        writeln!(out, "The model:\n\n{}", fenced("smt2", model))?;
    }
    if let Some(values) = report.values.as_ref().filter(|values| !values.is_empty()) {
        writeln!(out, "Every assertion under it, with the values of its parts:\n\n{}", fenced("", values))?;
    }
    said(out, "With the model's values in the place of the declarations:", &report.with_model)?;
    said(out, "What others say to the script:", &report.others)?;
    writeln!(out, "## Where it shows\n")?;
    match &report.releases {
        Some(releases) => writeln!(out, "{}.\n", capital(releases))?,
        None => writeln!(out, "Other releases were not looked at.\n")?,
    }
    if !report.row.is_empty() {
        writeln!(out, "| release | | |\n|---|---|---|")?;
        for (release, state, did) in &report.row {
            writeln!(out, "| {release} | {state} | {} |", did.replace('|', "\\|").replace('\n', " "))?;
        }
        writeln!(out)?;
    }
    match report.options.as_slice() {
        [] => writeln!(out, "Default options.\n")?,
        options => writeln!(out, "Options: `{}`.\n", options.join(" "))?,
    }
    if let Some(distinguishing_functions) = &report.distinguishing_functions {
        writeln!(
            out,
            "## Where to look\n\nThe nearest script that passes ({}):\n",
            distinguishing_functions.does
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
    writeln!(out, "## Notes for whoever files this\n")?;
    let verdict = if report.policy.wanted { "Within the maintainers' policy" } else { "**Not to be filed**" };
    writeln!(out, "{verdict}: {}.", report.policy.reasons.join("; "))?;
    writeln!(out, "\nSignature: `{}`. Found in {}.", report.signature.replace('`', "'"), report.origin)
}

fn said(out: &mut String, title: &str, list: &[Said]) -> Result {
    if list.is_empty() {
        return Ok(());
    }
    writeln!(out, "{title}\n\n| solver | says |\n|---|---|")?;
    for one in list {
        writeln!(out, "| {} | {} |", one.solver, one.said.replace('|', "\\|").replace('\n', " "))?;
    }
    writeln!(out)
}

/// A block of code whose fence is longer than any run of backticks inside.
fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end())
}

/// A sentence with a capital at its beginning, unless it begins with the name of a solver.
fn capital(text: &str) -> String {
    if text.split(' ').next().is_some_and(|word| word.contains('@')) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
