//! Plain lines, for pipes and log files.

use campaign::present::text::{finding_line, progress_line, reported_line, triaged_line};
use campaign::{Event, Listener};
use case::table::counted;
use std::time::{Duration, Instant};

/// How often to print the progress.
const EVERY: Duration = Duration::from_secs(10);

/// Prints a line for each event.
#[derive(Debug, Default)]
pub struct Plain {
    printed: Option<Instant>,
    /// Whether to print to standard error, because standard output is for the result.
    to_stderr: bool,
}

impl Plain {
    /// Prints to standard error.
    pub fn to_stderr() -> Plain {
        Plain { to_stderr: true, ..Plain::default() }
    }

    fn print(&self, line: &str) {
        if self.to_stderr { eprintln!("{line}") } else { println!("{line}") }
    }
}

impl Listener for Plain {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Started { folder, seed, targets, strategies, seeds, resumed } => {
                let how = if *resumed { "resuming" } else { "fuzzing" };
                self.print(&format!(
                    "{how} {} with {}{}; random seed {seed}; findings in {}",
                    targets.join(", "),
                    strategies.join(", "),
                    if *seeds == 0 { String::new() } else { format!(" on {}", counted(*seeds, "seed")) },
                    folder.display()
                ));
                self.printed = Some(Instant::now());
            }
            Event::Progress(snapshot) => {
                if self.printed.is_none_or(|printed| printed.elapsed() >= EVERY) {
                    self.print(&progress_line(snapshot));
                    self.printed = Some(Instant::now());
                }
            }
            Event::Found(finding) => self.print(&format!("found {}", finding_line(finding))),
            Event::Reported { finding, releases } => self.print(&reported_line(finding, releases.as_deref())),
            Event::Triaged(finding) => self.print(&triaged_line(finding)),
            Event::Note(note) => self.print(&format!("note: {note}")),
        }
    }
}
