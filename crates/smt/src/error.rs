//! Errors with a position in the source: what is wrong, where, and what was expected.

use std::fmt;

/// A range of byte offsets in a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` to `end`, exclusive.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start: start as u32, end: end as u32 }
    }
}

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorKind {
    /// The text is not SMT-LIB: a bad token, a missing parenthesis, a malformed command.
    Syntax,
    /// A name is not declared.
    Undeclared,
    /// The sorts do not match.
    Sort,
}

/// An error in a script.
///
/// ```
/// use elenchus_smt::{Arena, ErrorKind, parse_script};
///
/// let source = "(declare-const x Int)\n(assert (= x #b1))";
/// let errors = parse_script(&mut Arena::default(), source).unwrap_err();
/// assert_eq!(errors[0].kind, ErrorKind::Sort);
/// assert_eq!(errors[0].position(source), (2, 9));
/// assert_eq!(
///     errors[0].render("a.smt2", source),
///     "a.smt2:2:9: error: `=` does not take arguments of sorts Int (_ BitVec 1)
///   |
/// 2 | (assert (= x #b1))
///   |         ^^^^^^^^^
///   = expected: (= A A Bool :chainable)"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// The kind.
    pub kind: ErrorKind,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What was expected, if known.
    pub expected: Option<String>,
    /// The source range.
    pub span: Span,
}

impl Error {
    /// Makes a syntax error.
    pub(crate) fn syntax(span: Span, message: impl Into<String>) -> Self {
        Error { kind: ErrorKind::Syntax, message: message.into(), expected: None, span }
    }

    /// Makes a sort error.
    pub(crate) fn sort(span: Span, message: impl Into<String>) -> Self {
        Error { kind: ErrorKind::Sort, message: message.into(), expected: None, span }
    }

    /// Makes an error for an undeclared name.
    pub(crate) fn undeclared(span: Span, message: impl Into<String>) -> Self {
        Error { kind: ErrorKind::Undeclared, message: message.into(), expected: None, span }
    }

    /// Adds what was expected.
    pub(crate) fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// The line and column of the error, both from 1; columns count characters.
    pub fn position(&self, source: &str) -> (usize, usize) {
        position(source, self.span.start as usize)
    }

    /// Formats the error with its position, its source line and a marker under the offending text.
    pub fn render(&self, file: &str, source: &str) -> String {
        let (line_number, column) = self.position(source);
        let start = floor_boundary(source, self.span.start as usize);
        let line_start = source[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = source[start..].find('\n').map_or(source.len(), |at| start + at);
        let end = floor_boundary(source, (self.span.end as usize).clamp(start, line_end));
        let (before, marked) = (&source[line_start..start], &source[start..end]);
        // A line can be megabytes long: show a window around the error.
        let before_shown = tail_chars(before, 60);
        let marked_shown = head_chars(marked, 60);
        let after_shown = head_chars(&source[start + marked_shown.len()..line_end], 40);
        let left_mark = if before_shown.len() < before.len() { "…" } else { "" };
        let right_mark = if start + marked_shown.len() + after_shown.len() < line_end { "…" } else { "" };
        let printable = |text: &str| text.replace('\t', " ");
        let gutter = line_number.to_string().len();
        let indent = left_mark.chars().count() + before_shown.chars().count();
        let width = marked_shown.chars().count().max(1);
        let expected = match &self.expected {
            Some(expected) => format!("\n{:gutter$} = expected: {expected}", ""),
            None => String::new(),
        };
        format!(
            "{file}:{line_number}:{column}: error: {}\n{:gutter$} |\n{line_number} | {left_mark}{}{}{}{right_mark}\n{:gutter$} | {:indent$}{}{expected}",
            self.message,
            "",
            printable(before_shown),
            printable(marked_shown),
            printable(after_shown).trim_end_matches('\r'),
            "",
            "",
            "^".repeat(width),
        )
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.expected {
            Some(expected) => write!(f, " (expected: {expected})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

/// The line and column of a byte offset, both from 1; columns count characters.
pub fn position(source: &str, offset: usize) -> (usize, usize) {
    let offset = floor_boundary(source, offset);
    let before = &source[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.bytes().filter(|&byte| byte == b'\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// A number with its noun, such as `1 argument` or `2 arguments`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn floor_boundary(source: &str, offset: usize) -> usize {
    let mut offset = offset.min(source.len());
    while !source.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn head_chars(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or(text, |(at, _)| &text[..at])
}

fn tail_chars(text: &str, count: usize) -> &str {
    text.char_indices().rev().nth(count.saturating_sub(1)).map_or(text, |(at, _)| &text[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn render_underlines_the_error() {
        let source = "(assert true)\n(assert (foo é 1))\n";
        let start = source.find("foo").unwrap();
        let error = Error::undeclared(Span::new(start, start + 3), "unknown function `foo`")
            .expected("a declared name");
        let expected = "a.smt2:2:10: error: unknown function `foo`\n  |\n2 | (assert (foo é 1))\n  |          ^^^\n  = expected: a declared name";
        assert_eq!(error.render("a.smt2", source), expected);
    }

    #[test]
    fn errors_render_at_any_offset() {
        for source in ["", "é", "\n", "a\nb", "a\r\nb"] {
            for start in 0..source.len() + 2 {
                let text = Error::syntax(Span::new(start, start + 3), "m").render("f", source);
                assert!(text.starts_with("f:"), "{text}");
            }
        }
        let long = "x".repeat(10_000);
        let text = Error::syntax(Span::new(5_000, 6_000), "m").render("f", &long);
        assert!(text.chars().count() < 600, "{text}");
    }
}
