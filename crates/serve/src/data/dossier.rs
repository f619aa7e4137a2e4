//! Everything about a finding: its entry, its folder, and what people decided.

use case::Finding;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use store::{Browser, Listed, StatusChange, StoreError};
use triage::automatic::{REPORT, TriagedFinding, releases_of};
use triage::releases::Releases;

/// Longer files are cut off, in bytes.
const LONGEST: u64 = 1 << 20;
/// How many similar findings to name.
const SIMILAR: u64 = 8;

/// Everything about a finding.
#[derive(Clone, Debug)]
pub struct Dossier {
    /// Its entry in the list.
    pub listed: Listed,
    /// Its folder.
    pub folder: PathBuf,
    /// What is known about it; the reason if its folder cannot be read.
    pub finding: Result<Finding, String>,
    /// What triage found out.
    pub triaged: Option<TriagedFinding>,
    /// The case as it was found.
    pub case: String,
    /// The seed.
    pub seed: String,
    /// The reduced script.
    pub reduced: Option<String>,
    /// The releases that show it.
    pub releases: Option<Releases>,
    /// The report for its maintainer, or else the page that explains the finding.
    pub report: String,
    /// The decisions of people, the newest first.
    pub history: Vec<StatusChange>,
    /// The findings that were merged into it.
    pub merged: Vec<Listed>,
    /// Findings that are likely the same bug.
    pub similar: Vec<Listed>,
    /// What it can be filtered by, by kind.
    pub facets: BTreeMap<String, Vec<String>>,
}

impl Dossier {
    /// Reads everything about a finding of the campaign in the folder `out`.
    pub fn read(browser: &Browser, out: &Path, listed: Listed) -> Result<Dossier, StoreError> {
        let folder = out.join(&listed.folder);
        let finding = read_text(&folder, "finding.json")
            .ok_or_else(|| "its file finding.json cannot be read".to_owned())
            .and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
        let mut facets: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (kind, value) in browser.facets_of(&listed.id)? {
            facets.entry(kind).or_default().push(value);
        }
        Ok(Dossier {
            finding,
            triaged: TriagedFinding::saved(&folder),
            case: read_text(&folder, "case.smt2").unwrap_or_default(),
            seed: read_text(&folder, "seed.smt2").unwrap_or_default(),
            reduced: read_text(&folder, triage::REDUCED),
            releases: releases_of(out, &listed),
            report: read_text(&folder, REPORT)
                .or_else(|| read_text(&folder, "README.md"))
                .unwrap_or_default(),
            history: browser.status_history(&listed.id)?,
            merged: browser.merged_into(&listed.id)?,
            similar: browser.similar(&listed, SIMILAR)?,
            facets,
            folder,
            listed,
        })
    }

    /// The smallest script that shows the bug.
    pub fn script(&self) -> &str {
        self.reduced.as_deref().unwrap_or(&self.case)
    }

    /// The options that the solver that is wrong needs.
    pub fn options(&self) -> Vec<String> {
        let reduced = self.triaged.iter().flat_map(|triaged| &triaged.predicate.clauses);
        let options: Vec<String> = reduced.flat_map(|clause| clause.options.iter().cloned()).collect();
        if self.triaged.is_some() {
            return options;
        }
        let suspects = self.finding.iter().flat_map(Finding::suspects);
        suspects.flat_map(|run| run.options.iter().cloned()).collect()
    }
}

/// A file of the folder, cut off if it is very long.
fn read_text(folder: &Path, name: &str) -> Option<String> {
    use std::io::Read;
    let mut bytes = Vec::new();
    std::fs::File::open(folder.join(name)).ok()?.take(LONGEST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
