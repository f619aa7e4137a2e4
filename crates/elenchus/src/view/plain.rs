//! Plain lines, for pipes and log files.

use super::text::{finding_line, progress_line};
use campaign::{Event, Listener};
use std::time::{Duration, Instant};

/// How often a line on the progress is printed.
const EVERY: Duration = Duration::from_secs(10);

/// Prints a line for each thing worth telling.
#[derive(Debug, Default)]
pub struct Plain {
    told: Option<Instant>,
}

impl Listener for Plain {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Started { folder, seed, targets, strategies, seeds, resumed } => {
                let how = if *resumed { "going on" } else { "fuzzing" };
                println!(
                    "{how}: {} with {}{}; seed {seed}; findings go to {}",
                    targets.join(", "),
                    strategies.join(", "),
                    if *seeds == 0 { String::new() } else { format!(" on {seeds} seeds") },
                    folder.display()
                );
                self.told = Some(Instant::now());
            }
            Event::Progress(snapshot) => {
                if self.told.is_none_or(|told| told.elapsed() >= EVERY) {
                    println!("{}", progress_line(snapshot));
                    self.told = Some(Instant::now());
                }
            }
            Event::Found(finding) => println!("found {}", finding_line(finding)),
            Event::Note(note) => println!("note: {note}"),
        }
    }
}
