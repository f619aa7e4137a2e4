//! One JSON object a line, for machines.

use campaign::{Ended, Event, Listener, Snapshot, Summary};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How often the progress is told.
const EVERY: Duration = Duration::from_secs(1);

/// Prints one JSON object a line.
#[derive(Debug, Default)]
pub struct JsonLines {
    told: Option<Instant>,
}

fn progress(kind: &str, snapshot: &Snapshot) -> Value {
    let (time, cases) = snapshot.this_run;
    json!({
        "event": kind,
        "elapsed_ms": snapshot.elapsed.as_millis() as u64,
        "this_run": { "elapsed_ms": time.as_millis() as u64, "cases": cases },
        "jobs": snapshot.jobs,
        "seeds": snapshot.seeds,
        "time_limit_ms": snapshot.time.map(|time| time.as_millis() as u64),
        "case_limit": snapshot.cases,
        "accepted_share": snapshot.statistics.accepted_share(),
        "solver_share": snapshot.statistics.solver_share(),
        "statistics": snapshot.statistics,
        "bugs": snapshot.findings.iter().filter(|finding| finding.bug).count(),
        "candidates": snapshot.findings.iter().filter(|finding| !finding.bug).count(),
    })
}

/// The closing object.
pub fn summary(summary: &Summary, folder: &str, seed: u64) -> Value {
    let ended = match summary.ended {
        Ended::Time => "time",
        Ended::Cases => "cases",
        Ended::Exhausted => "exhausted",
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
    value["digest"] = format!("{:016x}", summary.snapshot.statistics.digest).into();
    value["unfit"] = unfit.into();
    value["findings"] = json!(summary.snapshot.findings);
    value
}

impl Listener for JsonLines {
    fn event(&mut self, event: &Event) {
        let value = match event {
            Event::Started { folder, seed, targets, strategies, seeds, resumed } => json!({
                "event": "started", "folder": folder, "seed": seed, "targets": targets,
                "strategies": strategies, "seeds": seeds, "resumed": resumed,
            }),
            Event::Progress(snapshot) => {
                if self.told.is_some_and(|told| told.elapsed() < EVERY) {
                    return;
                }
                self.told = Some(Instant::now());
                progress("progress", snapshot)
            }
            Event::Found(finding) => json!({ "event": "found", "finding": finding }),
            Event::Note(note) => json!({ "event": "note", "text": note }),
        };
        println!("{value}");
    }
}
