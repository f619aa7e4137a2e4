//! Jobs that people ask for.

use super::{LearnDetail, RegressDetail};
use store::shared::{NewJob, WorkKind};

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
