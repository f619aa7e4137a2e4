//! Lines of styled text.

use case::printable;

/// What a piece of text means; the terminal decides how it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Ordinary text.
    Plain,
    /// A heading.
    Strong,
    /// Less important text.
    Faint,
    /// Nothing is wrong.
    Good,
    /// A candidate, or something that waits.
    Candidate,
    /// A bug.
    Bug,
}

impl Look {
    /// The control sequences that make a terminal show it.
    fn codes(self) -> &'static str {
        match self {
            Look::Plain => "",
            Look::Strong => "\x1b[1m",
            Look::Faint => "\x1b[2m",
            Look::Good => "\x1b[32m",
            Look::Candidate => "\x1b[33m",
            Look::Bug => "\x1b[31m\x1b[1m",
        }
    }
}

/// A line: pieces of text, each with its look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line(Vec<(String, Look)>);

impl Line {
    /// A line of one piece.
    pub fn new(text: impl Into<String>, look: Look) -> Line {
        Line::default().with(text, look)
    }

    /// A line of ordinary text.
    pub fn plain(text: impl Into<String>) -> Line {
        Line::new(text, Look::Plain)
    }

    /// The line with another piece at its end.
    pub fn with(mut self, text: impl Into<String>, look: Look) -> Line {
        self.0.push((text.into(), look));
        self
    }

    /// The line with the pieces of another one at its end.
    pub fn joined(mut self, other: Line) -> Line {
        self.0.extend(other.0);
        self
    }

    /// The number of characters.
    pub fn width(&self) -> usize {
        self.0.iter().map(|(text, _)| text.chars().count()).sum()
    }

    /// The line, cut off with an ellipsis if it is wider than `width`.
    pub fn cut(self, width: usize) -> Line {
        if self.width() <= width {
            return self;
        }
        let mut left = width.saturating_sub(1);
        let mut pieces = Vec::new();
        for (text, look) in self.0 {
            let kept: String = text.chars().take(left).collect();
            left -= kept.chars().count();
            pieces.push((kept, look));
        }
        if width > 0 {
            pieces.push(("…".to_owned(), Look::Plain));
        }
        Line(pieces)
    }

    /// The text for a terminal, with colours or without.
    pub fn rendered(&self, colours: bool) -> String {
        let piece = |(text, look): &(String, Look)| match (look.codes(), printable(text)) {
            (codes, text) if colours && !codes.is_empty() => format!("{codes}{text}\x1b[0m"),
            (_, text) => text.into_owned(),
        };
        self.0.iter().map(piece).collect()
    }
}

/// Puts fields side by side, on as many lines as they need. A field that is too wide for a line is cut off.
pub fn flow(fields: Vec<Line>, width: usize) -> Vec<Line> {
    const GAP: &str = "  ";
    let mut lines: Vec<Line> = Vec::new();
    for field in fields {
        match lines.last_mut() {
            Some(last) if last.width() + GAP.len() + field.width() <= width => {
                *last = std::mem::take(last).with(GAP, Look::Plain).joined(field);
            }
            _ => lines.push(field.cut(width)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_to_the_width() {
        let line = || Line::plain("über").with("mut", Look::Bug);
        let table = [(9, "übermut"), (7, "übermut"), (6, "überm…"), (4, "übe…"), (1, "…"), (0, "")];
        for (width, expected) in table {
            assert_eq!(line().cut(width).rendered(false), expected, "{width}");
        }
    }

    #[test]
    fn fields_flow_onto_the_next_line() {
        let fields = |texts: &[&str]| texts.iter().map(|text| Line::plain(*text)).collect();
        let lines = flow(fields(&["one", "two", "three", "quite long"]), 8);
        let texts: Vec<String> = lines.iter().map(|line| line.rendered(false)).collect();
        assert_eq!(texts, ["one  two", "three", "quite l…"]);
    }

    #[test]
    fn looks_are_colours_only_if_wanted() {
        let line = Line::new("bug", Look::Bug);
        assert_eq!(line.rendered(false), "bug");
        assert_eq!(line.rendered(true), "\x1b[31m\x1b[1mbug\x1b[0m");
    }
}
