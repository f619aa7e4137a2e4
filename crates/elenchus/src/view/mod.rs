//! How a campaign is shown: a live view on a terminal, plain lines in a pipe, JSON for programs.

mod json;
mod live;
mod plain;

use campaign::present;
use campaign::{Event, Listener, Summary};
use console::Term;
use json::JsonLines;
use live::Live;
use plain::Plain;

/// The view of a campaign.
pub enum View {
    /// On a terminal.
    Live(Box<Live>),
    /// In a pipe.
    Plain(Plain),
    /// For programs.
    Json(JsonLines),
}

impl View {
    /// The view for standard output.
    pub fn new(json: bool) -> View {
        let term = Term::stdout();
        match (json, term.is_term()) {
            (true, _) => View::Json(JsonLines::default()),
            (false, true) => View::Live(Box::new(Live::new(term))),
            (false, false) => View::Plain(Plain::default()),
        }
    }

    /// The listener to attach to the campaign.
    pub fn listener(&mut self) -> &mut dyn Listener {
        match self {
            View::Live(live) => live.as_mut(),
            View::Plain(plain) => plain,
            View::Json(json) => json,
        }
    }

    /// Shows notes.
    pub fn notes(&mut self, notes: Vec<String>) {
        for note in notes {
            self.listener().event(&Event::Note(note));
        }
    }

    /// Removes what is only shown while the campaign runs.
    pub fn finish(&mut self) {
        if let View::Live(live) = self {
            live.finish();
        }
    }

    /// Prints the result of the campaign.
    pub fn summary(&self, summary: &Summary, folder: &str, seed: u64) {
        match self {
            View::Json(_) => println!("{}", present::json::summary(summary, folder, seed)),
            _ => println!("{}", present::text::summary(summary, folder, seed).join("\n")),
        }
    }
}
