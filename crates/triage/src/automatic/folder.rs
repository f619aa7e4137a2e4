//! Triage in the folder of a campaign: results are saved beside each finding, and findings of one bug are merged.

use super::merging::{merge_alike, merge_triaged};
use super::saved::TriagedFinding;
use super::{identify, triage_finding};
use crate::error::TriageError;
use crate::releases::{Effort, Releases, bisect};
use crate::report::{Report, ReportSettings, markdown, report};
use crate::source::SolverSource;
use crate::subject::{Subject, Version, reduced_or};
use solver::run::Limits;
use std::path::Path;
use std::time::{Duration, Instant};
use store::{Listed, Merged, Store, TriageResult};

/// The report in the folder of a finding.
pub const REPORT: &str = "report.md";

/// Saves what triage found out about a finding, and merges it with others of the same bug into the most severe, the oldest of
/// these. Returns its new entry in the list, which says whether it was merged.
pub fn record_triaged(store: &mut Store, id: &str, triaged: &TriagedFinding) -> Result<Listed, TriageError> {
    triaged.save(&store.folder().join(store.find(id)?.folder))?;
    let result = TriageResult {
        class: triaged.class,
        needs_options: triaged.needs_options,
        title: &triaged.title,
        reduced_bytes: triaged.script.len() as u64,
    };
    store.triaged(id, result)?;
    merge_triaged(store, id)?;
    Ok(store.find(id)?)
}

/// Lists a finding by the reduced script in its folder. `finished` says that nothing makes the script smaller.
pub fn record_reduced(
    store: &mut Store,
    id: &str,
    finished: bool,
    limits: Limits,
    source: &dyn SolverSource,
) -> Result<Listed, TriageError> {
    let subject = Subject::of_finding(store.folder(), id, Version::Reduced, None)?;
    let identified = identify(&subject, limits, source)?;
    record_triaged(store, id, &TriagedFinding { finished, ..identified })
}

/// What happened to a finding in the triage of a folder.
pub enum TriageStep<'a> {
    /// It was reduced, and perhaps merged.
    Reduced(&'a Listed),
    /// It stays as it is, for this reason.
    Unchanged(&'a Listed, String),
    /// This is being done, or could not be found out.
    Note(&'a Listed, String),
    /// Its releases were tested, and its report was written if wanted. The sentence says what was found.
    Examined(&'a Listed, String),
    /// Nothing was found out, for this reason.
    Unknown(&'a Listed, String),
    /// Two findings turned out to be one bug.
    Merged(&'a Merged),
}

/// How far the triage of a folder is.
#[derive(Clone, Copy, Debug)]
pub struct TriageProgress {
    /// The number of the finding, from 1.
    pub number: usize,
    /// How many there are.
    pub total: usize,
}

/// Receives every step of the triage of a folder.
pub type OnStep<'a> = &'a mut dyn FnMut(TriageProgress, TriageStep<'_>);

/// Does all triage that is left in the folder of a campaign: reduces every finding for at most `time`, merges those that are one bug,
/// and writes the reports. `should_stop` ends it early.
pub fn triage_folder(
    store: &mut Store,
    settings: &ReportSettings<'_>,
    time: Duration,
    source: &dyn SolverSource,
    should_stop: &dyn Fn() -> bool,
    on_step: OnStep<'_>,
) -> Result<(), TriageError> {
    reduce_all(store, settings.limits, time, source, should_stop, on_step)?;
    let report = |id: &str, note: &mut dyn FnMut(String)| {
        let report = write_report(settings, id, source, note)?;
        Ok(report.releases.as_ref().map_or(report.title, Releases::sentence))
    };
    for_each(store, should_stop, on_step, &report)
}

/// Reduces every finding that is not reduced as far as possible, each for at most `time`, and merges those that are one bug.
pub fn reduce_all(
    store: &mut Store,
    limits: Limits,
    time: Duration,
    source: &dyn SolverSource,
    should_stop: &dyn Fn() -> bool,
    on_step: OnStep<'_>,
) -> Result<(), TriageError> {
    let mut waiting = store.findings()?;
    waiting.retain(|listed| !is_reduced(store, listed));
    let total = waiting.len();
    for (listed, number) in waiting.iter().zip(1..).take_while(|_| !should_stop()) {
        let begun = Instant::now();
        let ends = || should_stop() || begun.elapsed() >= time;
        let triaged = Subject::of_finding(store.folder(), &listed.id, Version::Case, None)
            .and_then(|subject| triage_finding(&subject, limits, source, &ends));
        let at = TriageProgress { number, total };
        match triaged {
            Ok(triaged) => on_step(at, TriageStep::Reduced(&record_triaged(store, &listed.id, &triaged)?)),
            Err(error) => on_step(at, TriageStep::Unchanged(listed, error.to_string())),
        }
    }
    Ok(())
}

/// Finds the releases that show each finding, and merges findings that turn out to be one bug.
pub fn bisect_all(
    store: &mut Store,
    limits: Limits,
    source: &dyn SolverSource,
    should_stop: &dyn Fn() -> bool,
    on_step: OnStep<'_>,
) -> Result<(), TriageError> {
    let out = store.folder().to_owned();
    let releases = |id: &str, _: &mut dyn FnMut(String)| {
        let subject = Subject::of_finding(&out, id, Version::Reduced, None)?;
        Ok(saved_or_tested(&subject, limits, source)?.sentence())
    };
    for_each(store, should_stop, on_step, &releases)
}

/// The releases of a finding: those saved for this very script, or those tested now, which are saved.
fn saved_or_tested(
    subject: &Subject,
    limits: Limits,
    source: &dyn SolverSource,
) -> Result<Releases, TriageError> {
    let folder = subject.folder();
    if let Some(saved) = folder.and_then(|folder| Releases::saved(folder, &subject.script)) {
        return Ok(saved);
    }
    let established = subject.establish(&subject.clauses(source)?, limits)?;
    let found = bisect(&subject.script, &established, limits, Effort::Bisect, source, &mut |_| {})?;
    if let Some(folder) = folder {
        found.save(folder, &subject.script)?;
    }
    Ok(found)
}

/// What is found out about a finding, in a sentence. The function receives what could not be found out.
type Examine<'a> = &'a dyn Fn(&str, &mut dyn FnMut(String)) -> Result<String, TriageError>;

/// Examines every finding, and merges those that turn out to be one bug.
fn for_each(
    store: &mut Store,
    should_stop: &dyn Fn() -> bool,
    on_step: OnStep<'_>,
    examine: Examine<'_>,
) -> Result<(), TriageError> {
    let findings = store.findings()?;
    let total = findings.len();
    for (listed, number) in findings.iter().zip(1..).take_while(|_| !should_stop()) {
        let at = TriageProgress { number, total };
        let examined = examine(&listed.id, &mut |text| on_step(at, TriageStep::Note(listed, text)));
        match examined {
            Ok(found) => on_step(at, TriageStep::Examined(listed, found)),
            Err(error) => on_step(at, TriageStep::Unknown(listed, error.to_string())),
        }
    }
    merge_alike(store, &mut |pair| on_step(TriageProgress { number: total, total }, TriageStep::Merged(pair)))
}

/// Whether a finding is reduced as far as possible.
fn is_reduced(store: &Store, listed: &Listed) -> bool {
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
    let case = std::fs::read_to_string(folder.join("case.smt2")).unwrap_or_default();
    Releases::saved(&folder, &reduced_or(&folder, case))
}
