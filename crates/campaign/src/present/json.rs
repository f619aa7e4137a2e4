//! The state and the result of a campaign as JSON.

use crate::{Ended, Snapshot, Summary};
use serde_json::{Value, json};

/// The state of a campaign.
pub fn progress(kind: &str, snapshot: &Snapshot) -> Value {
    let (time, cases) = snapshot.this_run;
    let mut statistics = json!(snapshot.statistics);
    // Most readers of JSON have no integers of 64 bits.
    statistics["digest"] = digest(snapshot).into();
    json!({
        "event": kind,
        "elapsed_ms": snapshot.elapsed.as_millis() as u64,
        "this_run": { "elapsed_ms": time.as_millis() as u64, "cases": cases },
        "paused": snapshot.paused,
        "jobs": snapshot.jobs,
        "seeds": snapshot.seeds,
        "time_limit_ms": snapshot.time.map(|time| time.as_millis() as u64),
        "case_limit": snapshot.cases,
        "accepted_share": snapshot.statistics.accepted_share(),
        "solver_share": snapshot.statistics.solver_share(),
        "statistics": statistics,
        "bugs": snapshot.findings.iter().filter(|finding| finding.bug).count(),
        "candidates": snapshot.findings.iter().filter(|finding| !finding.bug).count(),
    })
}

/// The result of a campaign.
pub fn summary(summary: &Summary, folder: &str, seed: u64) -> Value {
    let ended = match summary.ended {
        Ended::Time => "time",
        Ended::Cases => "cases",
        Ended::Exhausted => "exhausted",
        Ended::Complete => "complete",
        Ended::Interrupted => "interrupted",
    };
    let unfit: Vec<Value> = summary
        .unusable_seeds
        .iter()
        .map(|one| json!({ "strategy": one.strategy, "seed": one.seed, "reason": one.reason }))
        .collect();
    let mut value = progress("summary", &summary.snapshot);
    value["ended"] = ended.into();
    value["folder"] = folder.into();
    value["seed"] = seed.into();
    value["digest"] = digest(&summary.snapshot).into();
    value["unfit"] = unfit.into();
    value["operators"] = json!(summary.operators);
    value["findings"] = json!(summary.snapshot.findings);
    value["new_findings"] = json!(summary.new_findings);
    value
}

fn digest(snapshot: &Snapshot) -> String {
    format!("{:016x}", snapshot.statistics.digest)
}
