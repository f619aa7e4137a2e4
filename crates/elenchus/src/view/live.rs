//! The live view: a block of lines at the bottom of the terminal that is redrawn in place, below notes.

use campaign::present::text::block;
use campaign::{Event, Listener, Snapshot};
use case::table::counted;
use case::text::shortened;
use console::Term;
use std::io::Write;

/// Draws the live view.
pub struct Live {
    term: Term,
    head: Vec<String>,
    /// How many lines of the block are on the screen.
    drawn: usize,
    last: Option<Snapshot>,
}

impl Live {
    /// A view on `term`.
    pub fn new(term: Term) -> Live {
        Live { term, head: Vec::new(), drawn: 0, last: None }
    }

    /// Writes lines above the block and draws the block again.
    fn draw(&mut self, above: &[String]) {
        let (height, width) = self.term.size();
        let mut block = match &self.last {
            Some(snapshot) => block(&self.head, snapshot),
            None => self.head.clone(),
        };
        block.truncate(usize::from(height).saturating_sub(2).max(1));
        let mut out = String::new();
        if self.drawn > 0 {
            // Move to the first line of the block and clear it.
            out.push_str(&format!("\x1b[{}A\r\x1b[J", self.drawn));
        }
        for line in above {
            out.push_str(line);
            out.push('\n');
        }
        for line in &block {
            out.push_str(&shortened(line, usize::from(width).saturating_sub(1)));
            out.push('\n');
        }
        self.drawn = block.len();
        // A closed terminal is no reason to stop fuzzing.
        let _ = self.term.write_all(out.as_bytes());
        let _ = self.term.flush();
    }

    /// Clears the block.
    pub fn finish(&mut self) {
        if self.drawn > 0 {
            let _ = self.term.write_all(format!("\x1b[{}A\r\x1b[J", self.drawn).as_bytes());
            self.drawn = 0;
        }
    }
}

impl Listener for Live {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Started { folder, seed, targets, strategies, seeds, .. } => {
                self.head = vec![format!(
                    "elenchus  {} | {} | {} | random seed {seed} | {}",
                    targets.join(" "),
                    strategies.join(" "),
                    counted(*seeds, "seed"),
                    folder.display()
                )];
                self.draw(&[]);
            }
            Event::Progress(snapshot) => {
                self.last = Some((**snapshot).clone());
                self.draw(&[]);
            }
            Event::Found(_) | Event::Triaged(_) => {}
            Event::Note(note) => self.draw(&[format!("note: {note}")]),
        }
    }
}
