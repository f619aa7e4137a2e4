//! The result of a CI run for programs.

use super::report::CiReport;
use serde_json::{Value, json};

/// The result as one JSON object.
pub fn json(report: &CiReport) -> Value {
    json!({
        "verdict": report.verdict(),
        "candidate": report.candidate,
        "baseline": report.baseline,
        "folder": report.folder,
        "seed": report.random_seed,
        "seeds": report.seeds,
        "cases": report.cases,
        "shared": report.shared,
        "milliseconds": report.elapsed.as_millis() as u64,
        "findings": report.findings,
    })
}
