//! The live view: a block of lines at the foot of the terminal that is drawn over itself, with findings above it.

use super::text::{counts, duration, finding_line, left, percent, rate, solver_table, strategy_table};
use campaign::{Event, Listener, Snapshot};
use console::Term;
use std::io::Write;

/// How many of the latest findings the block shows.
const LATEST: usize = 5;

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
            // Back to the first line of the block, and away with it.
            out.push_str(&format!("\x1b[{}A\r\x1b[J", self.drawn));
        }
        for line in above {
            out.push_str(line);
            out.push('\n');
        }
        for line in &block {
            out.push_str(&cut(line, usize::from(width)));
            out.push('\n');
        }
        self.drawn = block.len();
        // A terminal that is gone is no reason to stop fuzzing.
        let _ = self.term.write_all(out.as_bytes());
        let _ = self.term.flush();
    }

    /// Takes the block off the screen.
    pub fn finish(&mut self) {
        if self.drawn > 0 {
            let _ = self.term.write_all(format!("\x1b[{}A\r\x1b[J", self.drawn).as_bytes());
            self.drawn = 0;
        }
    }
}

/// The lines of the block.
fn block(head: &[String], snapshot: &Snapshot) -> Vec<String> {
    let statistics = &snapshot.statistics;
    let (bugs, candidates) = counts(&snapshot.findings);
    let mut lines = head.to_vec();
    lines.push(format!(
        "{}  {} cases  {}/s  solvers {} of the time  {} accepted  {} duplicates{}",
        duration(snapshot.elapsed),
        statistics.cases,
        rate(snapshot),
        percent(statistics.solver_share()),
        percent(statistics.accepted_share()),
        statistics.duplicates,
        left(snapshot).map(|left| format!("  {left}")).unwrap_or_default(),
    ));
    lines.push(String::new());
    lines.extend(solver_table(statistics));
    lines.push(String::new());
    lines.extend(strategy_table(statistics));
    lines.push(String::new());
    lines.push(format!("{bugs} bugs, {candidates} candidates   (Ctrl-C stops)"));
    let mut latest: Vec<_> = snapshot.findings.iter().collect();
    latest.sort_by_key(|finding| std::cmp::Reverse(finding.first_seen));
    lines.extend(
        latest.iter().take(LATEST).map(|finding| format!("  {} ×{}", finding_line(finding), finding.count)),
    );
    lines
}

/// The part of a line that fits.
fn cut(line: &str, width: usize) -> String {
    match line.char_indices().nth(width.saturating_sub(1)) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

impl Listener for Live {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Started { folder, seed, targets, strategies, seeds, .. } => {
                self.head = vec![format!(
                    "elenchus  {} | {} | {seeds} seeds | seed {seed} | {}",
                    targets.join(" "),
                    strategies.join(" "),
                    folder.display()
                )];
                self.draw(&[]);
            }
            Event::Progress(snapshot) => {
                self.last = Some((**snapshot).clone());
                self.draw(&[]);
            }
            Event::Found(_) => {}
            Event::Note(note) => self.draw(&[format!("note: {note}")]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_fits_the_terminal_and_shows_what_counts() {
        let lines = block(&["head".to_owned()], &Snapshot::default());
        assert_eq!(lines[0], "head");
        assert!(lines.iter().any(|line| line.starts_with("0 bugs, 0 candidates")));
        assert_eq!(cut("abcdef", 4), "abc…");
        assert_eq!(cut("abc", 4), "abc");
    }
}
