//! How a campaign is shown: a live view on a terminal, plain lines in a pipe, JSON for programs.

mod json;
mod keys;
mod live;
mod plain;
pub mod screen;

pub use keys::Switches;
pub use plain::Plain;

use campaign::present;
use campaign::{Event, Listener, Summary};
use console::Term;
use json::JsonLines;
use live::Live;

/// The view of a campaign.
pub enum View {
    /// On a terminal.
    Live(Box<Live>),
    /// In a pipe, or in the background.
    Plain(Plain),
    /// For programs.
    Json(JsonLines),
}

impl View {
    /// The view for standard output. The live view sets the switches by keys.
    pub fn new(json: bool, switches: &Switches) -> View {
        let term = Term::stdout();
        let dumb = std::env::var_os("TERM").is_none_or(|name| name == "dumb");
        match json {
            true => View::Json(JsonLines::default()),
            false if term.is_term() && !dumb && screen::is_in_foreground() => {
                View::Live(Box::new(Live::new(term, switches.clone())))
            }
            false => View::Plain(Plain::default()),
        }
    }

    /// Whether this is the live view.
    pub fn is_live(&self) -> bool {
        matches!(self, View::Live(_))
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
        if self.is_live() {
            screen::leave();
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
