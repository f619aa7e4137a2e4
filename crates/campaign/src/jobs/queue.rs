//! Jobs that people ask for.

use super::{LearnDetail, RegressDetail};
use crate::place::CommonPlace;
use store::StoreError;
use store::shared::{NewJob, WorkKind};

impl CommonPlace {
    /// Puts a job into the queue. Returns a sentence about it.
    pub fn queue(&mut self, job: NewJob) -> Result<String, StoreError> {
        let campaign = self.mirror.campaign();
        let said = format!(
            "Queued: {} {} for {}; `elenchus store status` shows what becomes of it",
            job.kind, job.subject, campaign.name
        );
        self.shared.add_jobs(campaign.id, &[job])?;
        Ok(said)
    }
}

/// The job to check all findings on a build.
pub fn regress_job(solver: &str, detail: &RegressDetail) -> NewJob {
    NewJob {
        kind: WorkKind::Regress,
        subject: solver.to_owned(),
        detail: serde_json::json!(detail).to_string(),
        priority: 0,
    }
}

/// The job to learn about the options of a solver.
pub fn learn_job(solver: &str, detail: &LearnDetail) -> NewJob {
    NewJob {
        kind: WorkKind::Learn,
        subject: solver.to_owned(),
        detail: serde_json::json!(detail).to_string(),
        priority: 0,
    }
}
