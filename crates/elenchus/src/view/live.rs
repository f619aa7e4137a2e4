//! The live view: a frame that is drawn again several times a second.

use super::keys::Switches;
use super::screen;
use campaign::present::layout::{Frame, Heading, lines};
use campaign::{Event, Listener, Snapshot};
use console::Term;
use std::sync::atomic::Ordering;

/// Draws the live view. It has the terminal from the start of the campaign until it is dropped.
pub struct Live {
    term: Term,
    switches: Switches,
    heading: Heading,
    snapshot: Snapshot,
    note: Option<String>,
    /// The size of the terminal when it was last drawn.
    size: (u16, u16),
}

impl Live {
    /// A view on `term`.
    pub fn new(term: Term, switches: Switches) -> Live {
        let (heading, snapshot) = (Heading::default(), Snapshot::default());
        Live { term, switches, heading, snapshot, note: None, size: (0, 0) }
    }

    fn draw(&mut self) {
        let size = self.term.size();
        let frame = Frame {
            heading: &self.heading,
            snapshot: &self.snapshot,
            note: self.note.as_deref(),
            stopping: self.switches.stop.load(Ordering::Relaxed),
            help: self.switches.help.load(Ordering::Relaxed),
        };
        let (height, width) = (usize::from(size.0), usize::from(size.1));
        let colours = console::colors_enabled();
        let lines = lines(frame, width, height);
        // A terminal of another size may have moved what was on it.
        let mut out = if size == self.size { "\x1b[H".to_owned() } else { "\x1b[2J\x1b[H".to_owned() };
        let rows: Vec<String> =
            lines.iter().map(|line| format!("\x1b[2K{}", line.rendered(colours))).collect();
        out.push_str(&rows.join("\r\n"));
        out.push_str("\x1b[J");
        self.size = size;
        screen::draw(&out);
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        screen::leave();
    }
}

impl Listener for Live {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Started { folder, seed, targets, seeds, .. } => {
                let folder = folder.display().to_string();
                self.heading = Heading { solvers: targets.clone(), seeds: *seeds, seed: *seed, folder };
                screen::enter();
                self.switches.listen();
            }
            Event::Progress(snapshot) => self.snapshot = (**snapshot).clone(),
            Event::Found(_) | Event::Triaged(_) | Event::Reported { .. } => return,
            Event::Note(note) => {
                screen::message(format!("note: {note}"));
                self.note = Some(note.clone());
            }
        }
        self.draw();
    }
}
