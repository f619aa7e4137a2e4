//! Triage in the folder of a campaign: results are saved beside each finding, and findings of one bug are merged.

use super::saved::TriagedFinding;
use crate::cluster::{clusters, stored_facts};
use crate::error::TriageError;
use crate::releases::Releases;
use crate::report::{Report, ReportSettings, markdown, report};
use crate::source::SolverSource;
use crate::subject::{Subject, Version, reduced_or};
use std::path::Path;
use store::{Listed, Merged, Store, TriageResult};

/// The report in the folder of a finding.
pub const REPORT: &str = "report.md";

/// Saves what triage found out about a finding. Returns its new entry in the list, which says whether it was merged.
pub fn record_triaged(store: &mut Store, id: &str, triaged: &TriagedFinding) -> Result<Listed, TriageError> {
    let folder = store.folder().join(store.find(id)?.folder);
    triaged.save(&folder)?;
    let result = TriageResult {
        identity: &triaged.identity.key(),
        class: triaged.class,
        needs_options: !triaged.identity.options.is_empty(),
        title: &triaged.title,
        reduced_bytes: triaged.script.len() as u64,
    };
    if store.triaged(id, result)?.is_none() {
        merge_explained(store, id, triaged)?;
    }
    Ok(store.find(id)?)
}

/// Merges a finding with one that explains it, or with those that it explains.
fn merge_explained(store: &mut Store, id: &str, triaged: &TriagedFinding) -> Result<(), TriageError> {
    let listed = store.findings()?;
    let mut same = Vec::new();
    for (rank, finding) in listed.iter().enumerate() {
        let other = TriagedFinding::saved(&store.folder().join(&finding.folder));
        let related = |other: &TriagedFinding| {
            other.identity.explains(&triaged.identity) || triaged.identity.explains(&other.identity)
        };
        if finding.id == id || other.is_some_and(|other| related(&other)) {
            same.push(rank);
        }
    }
    // The list begins with the most severe.
    let mut same = same.into_iter();
    let Some(first) = same.next() else { return Ok(()) };
    for other in same {
        store.merge(&Merged { id: listed[other].id.clone(), into: listed[first].id.clone() })?;
    }
    Ok(())
}

/// Whether triage has still to reduce a finding.
pub fn is_reduced(store: &Store, listed: &Listed) -> bool {
    TriagedFinding::saved(&store.folder().join(&listed.folder)).is_some_and(|triaged| triaged.finished)
}

/// Finds the releases that show a finding and writes its report beside it.
pub fn write_report(
    settings: &ReportSettings<'_>,
    id: &str,
    source: &dyn SolverSource,
    note: &mut dyn FnMut(String),
) -> Result<Report, TriageError> {
    let subject = Subject::of_finding(settings.out, id, Version::Reduced, None)?;
    let report = report(&subject, settings, source, note)?;
    if let Some(folder) = subject.folder() {
        let path = folder.join(REPORT);
        std::fs::write(&path, markdown(&report)).map_err(TriageError::io(&path))?;
    }
    Ok(report)
}

/// The releases that were tested with the present script of a finding.
pub fn releases_of(out: &Path, listed: &Listed) -> Option<Releases> {
    let folder = out.join(&listed.folder);
    Releases::saved(&folder, &reduced_or(&folder, String::new()))
}

/// Merges findings that are likely one bug, now that it is known which releases show them. `merged` receives each pair.
pub fn merge_alike(store: &mut Store, merged: &mut dyn FnMut(&Merged)) -> Result<(), TriageError> {
    let listed = store.findings()?;
    let is_listed = |name: &str| listed.iter().any(|finding| finding.id == name);
    let mut facts = stored_facts(store.folder());
    facts.retain(|one| is_listed(&one.name) && (one.releases.is_some() || one.crash.is_some()));
    // The most severe finding represents a group.
    facts.sort_by_key(|one| listed.iter().position(|finding| finding.id == one.name));
    for group in clusters(&facts) {
        for &other in &group[1..] {
            let pair = Merged { id: facts[other].name.clone(), into: facts[group[0]].name.clone() };
            store.merge(&pair)?;
            merged(&pair);
        }
    }
    Ok(())
}
