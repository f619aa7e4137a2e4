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
}

impl Listener for Plain {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Started { folder, seed, targets, strategies, seeds, resumed } => {
                let how = if *resumed { "resuming" } else { "fuzzing" };
                println!(
                    "{how} {} with {}{}; random seed {seed}; findings in {}",
                    targets.join(", "),
                    strategies.join(", "),
                    if *seeds == 0 { String::new() } else { format!(" on {}", counted(*seeds, "seed")) },
                    folder.display()
                );
                self.printed = Some(Instant::now());
            }
            Event::Progress(snapshot) => {
                if self.printed.is_none_or(|printed| printed.elapsed() >= EVERY) {
                    println!("{}", progress_line(snapshot));
                    self.printed = Some(Instant::now());
                }
            }
            Event::Found(finding) => println!("found {}", finding_line(finding)),
            Event::Reported { finding, releases } => {
                println!("{}", reported_line(finding, releases.as_deref()))
            }
            Event::Triaged(finding) => println!("{}", triaged_line(finding)),
            Event::Note(note) => println!("note: {note}"),
        }
    }
}
