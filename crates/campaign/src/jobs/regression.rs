//! Checks whether a build still shows the findings of a campaign.

use super::steps::{Done, Stage, StepError};
use case::table::counted;
use serde::{Deserialize, Serialize};
use solver::run::Limits;
use std::time::Duration;
use store::shared::Job;
use triage::TriageError;
use triage::regress::{Progress, of_campaign};

/// The kind of the documents with the results.
pub(super) const DOCUMENT: &str = "regress";

/// How to check a build.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RegressDetail {
    /// The time limit of a run, in milliseconds; the usual one if there is none.
    pub timeout: Option<u64>,
}

/// What became of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegressRow {
    /// The finding.
    pub name: String,
    /// What became of it.
    pub state: Progress,
    /// What the build did.
    pub did: String,
}

impl Stage<'_> {
    /// Runs all findings on a build, and keeps what it did beside each and in a document.
    pub(super) fn regress(&mut self, job: &Job) -> Result<Done, StepError> {
        let detail: RegressDetail = serde_json::from_str(&job.detail).unwrap_or_default();
        let wall = detail.timeout.map_or(self.limits.run, Duration::from_millis);
        let target = self.source.resolve(&job.subject).map_err(TriageError::from)?;
        let mut probed = Vec::new();
        for regression in of_campaign(self.place.mirror.folder())? {
            if self.has_ended() {
                return Err(StepError::Stopped);
            }
            if let Some(probe) = regression.probe(&target, Limits { wall, ..Limits::default() })? {
                probed.push((regression.name, probe));
            }
        }
        let mut rows: Vec<RegressRow> = Vec::new();
        self.record(|store| {
            rows.clear();
            for regression in of_campaign(store.folder())? {
                let Some((_, probe)) = probed.iter().find(|(name, _)| *name == regression.name) else {
                    continue;
                };
                let state = regression.remember(&target, probe)?;
                rows.push(RegressRow { name: regression.name, state, did: probe.did() });
            }
            Ok(rows.iter().map(|row| row.name.clone()).collect())
        })?;
        let body = serde_json::json!({ "solver": target.id, "findings": rows }).to_string().into_bytes();
        self.place.change_document::<StepError>(DOCUMENT, &target.id, &mut |_| Ok(body.clone()))?;
        let count = |wanted| rows.iter().filter(|row| row.state == wanted).count();
        let (fixed, open, back) =
            (count(Progress::Fixed), count(Progress::StillThere), count(Progress::CameBack));
        Ok(Done::last(format!(
            "{}: {fixed} fixed, {open} still there, {back} came back of {}",
            target.id,
            counted(rows.len(), "finding")
        )))
    }
}
