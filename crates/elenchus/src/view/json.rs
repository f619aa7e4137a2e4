//! Events as JSON, one object per line.

use campaign::present::json::progress;
use campaign::{Event, Listener};
use serde_json::json;
use std::time::{Duration, Instant};

/// How often to print the progress.
const EVERY: Duration = Duration::from_secs(1);

/// Prints events as JSON.
#[derive(Debug, Default)]
pub struct JsonLines {
    printed: Option<Instant>,
}

impl Listener for JsonLines {
    fn event(&mut self, event: &Event) {
        let value = match event {
            Event::Started { folder, seed, targets, strategies, seeds, resumed } => json!({
                "event": "started", "folder": folder, "seed": seed, "targets": targets,
                "strategies": strategies, "seeds": seeds, "resumed": resumed,
            }),
            Event::Progress(snapshot) => {
                if self.printed.is_some_and(|printed| printed.elapsed() < EVERY) {
                    return;
                }
                self.printed = Some(Instant::now());
                progress("progress", snapshot)
            }
            Event::Found(finding) => json!({ "event": "found", "finding": finding }),
            Event::Reported { finding, releases } => {
                json!({ "event": "reported", "finding": finding, "releases": releases })
            }
            Event::Triaged(finding) => json!({ "event": "triaged", "finding": finding }),
            Event::Note(note) => json!({ "event": "note", "text": note }),
        };
        println!("{value}");
    }
}
