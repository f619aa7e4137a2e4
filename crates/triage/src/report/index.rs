//! Reports of all findings of a campaign, with an index.

use super::compose::{ReportSettings, report};
use super::content::Report;
use super::html::page;
use super::markdown::markdown;
use crate::error::TriageError;
use crate::source::SolverSource;
use crate::subject::{Subject, Version};
use crate::text::html_escaped;
use std::path::{Path, PathBuf};
use store::Store;

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For a tracker.
    Markdown,
    /// For scripts.
    Json,
    /// A self-contained page.
    Html,
}

impl Format {
    /// The report in this format.
    pub fn render(self, report: &Report) -> String {
        match self {
            Format::Markdown => markdown(report),
            Format::Html => report.html(),
            Format::Json => format!("{:#}\n", serde_json::json!(report)),
        }
    }

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Markdown => "md",
            Format::Json => "json",
            Format::Html => "html",
        }
    }
}

/// The reports that were written.
pub struct Reports {
    /// The index file.
    pub index: PathBuf,
    /// How many reports were written.
    pub written: usize,
    /// The findings without a report, with the reason.
    pub failed: Vec<(String, String)>,
}

/// What happens while reports are written.
#[derive(Clone, Copy, Debug)]
pub enum ReportStep<'a> {
    /// Work on a finding begins.
    Begun {
        /// Its number, from 1.
        number: usize,
        /// How many findings there are.
        of: usize,
        /// Its name.
        id: &'a str,
    },
    /// A report is written.
    Written {
        /// The name of its file.
        name: &'a str,
        /// The report.
        report: &'a Report,
    },
}

/// Writes a report for every finding into the folder `to`, and an index, the most severe first. The index names all reports so far
/// at any time.
pub fn report_all(
    to: &Path,
    format: Format,
    settings: &ReportSettings<'_>,
    source: &dyn SolverSource,
    note: &mut dyn FnMut(String),
    progress: &mut dyn FnMut(ReportStep<'_>),
) -> Result<Reports, TriageError> {
    let findings = Store::open_existing(settings.out)?.findings()?;
    std::fs::create_dir_all(to).map_err(TriageError::io(to))?;
    let mut done: Vec<(String, Report)> = Vec::new();
    let mut failed = Vec::new();
    let index = to.join(format!("index.{}", format.extension()));
    write(&index, &index_text(&done, format))?;
    let of = findings.len();
    for (number, listed) in (1..).zip(findings) {
        progress(ReportStep::Begun { number, of, id: &listed.id });
        let made = Subject::of_finding(settings.out, &listed.id, Version::Reduced, None)
            .and_then(|subject| report(&subject, settings, source, note));
        match made {
            Ok(report) => {
                let name = format!("{}.{}", listed.id, format.extension());
                write(&to.join(&name), &format.render(&report))?;
                write(&to.join(format!("{}.smt2", listed.id)), &report.script)?;
                progress(ReportStep::Written { name: &name, report: &report });
                done.push((name, report));
                done.sort_by_key(|(name, report)| (!report.policy.wanted, report.severity, name.clone()));
                write(&index, &index_text(&done, format))?;
            }
            Err(error) => failed.push((listed.id, error.to_string())),
        }
    }
    Ok(Reports { index, written: done.len(), failed })
}

fn write(path: &Path, text: &str) -> Result<(), TriageError> {
    std::fs::write(path, text).map_err(TriageError::io(path))
}

fn index_text(done: &[(String, Report)], format: Format) -> String {
    let filing = |report: &Report| if report.policy.wanted { "" } else { ", do not file" };
    match format {
        Format::Html => {
            let line = |(name, report): &(String, Report)| {
                let title = html_escaped(&report.title);
                format!("<li><a href=\"{name}\">{title}</a> ({}{})</li>", report.severity, filing(report))
            };
            let lines: Vec<String> = done.iter().map(line).collect();
            page("Findings", &format!("<h1>Findings</h1>\n<ul>\n{}\n</ul>", lines.join("\n")))
        }
        Format::Json => {
            format!("{:#}\n", serde_json::json!(done.iter().map(|(_, report)| report).collect::<Vec<_>>()))
        }
        Format::Markdown => {
            let line = |(name, report): &(String, Report)| {
                format!("- [{}]({name}), {}{}", report.title, report.severity, filing(report))
            };
            format!("# Findings\n\n{}\n", done.iter().map(line).collect::<Vec<_>>().join("\n"))
        }
    }
}
