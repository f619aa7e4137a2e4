//! Changes the text as s-expressions: for scripts that do not parse, and for what typed passes do not reach, such as parts of
//! datatypes, sorts and unknown commands.

use super::in_chunks;
use crate::search::{Body, Candidate, Halt, ModelEffect, Offer, Search};
use crate::state::Typed;
use smt::lexer::{Kind, Lexer};
use std::collections::VecDeque;

/// Longer scripts are not searched list by list if they parse.
const MAX_BYTES: usize = 20_000;

/// A list or an atom of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    start: usize,
    end: usize,
    /// The index of the enclosing list.
    parent: Option<usize>,
}

/// Removes top-level lists, in chunks.
pub fn commands(search: &mut Search<'_>) -> Result<(), Halt> {
    let mut items = |state: &mut crate::state::State| {
        let top = |span: &Span| span.parent.is_none();
        spans(&state.text).into_iter().filter(top).map(|span| (span.start, span.end)).collect()
    };
    in_chunks(search, usize::MAX, &mut items, &mut |state, removed| {
        let (first, last) = (removed.first()?, removed.last()?);
        let text = format!("{}{}", &state.text[..first.0], &state.text[last.1..]);
        Some(Candidate::of_text(text))
    })
}

/// Removes every list and atom in turn, and replaces lists by their elements.
pub fn lists(search: &mut Search<'_>) -> Result<(), Halt> {
    if search.state.typed.is_some() && search.state.text.len() > MAX_BYTES {
        return Ok(());
    }
    let mut from = 0;
    loop {
        let text = search.state.text.clone();
        let spans = spans(&text);
        let mut next_span = from;
        let mut waiting: VecDeque<String> = VecDeque::new();
        let mut spans_tried = Vec::new();
        let found = search.take_first(&mut |state, _| {
            loop {
                if let Some(text) = waiting.pop_front() {
                    spans_tried.push(next_span - 1);
                    // A script that parses must still parse.
                    if state.typed.is_some() && Typed::read(&text, None).is_none() {
                        return Offer::Skip;
                    }
                    return Offer::Try(Candidate::of_text(text));
                }
                if next_span >= spans.len() {
                    return Offer::End;
                }
                next_span += 1;
                waiting.extend(shorter(&text, &spans, next_span - 1));
            }
        })?;
        match found {
            Some(index) => from = spans_tried[index],
            None => return Ok(()),
        }
    }
}

/// Whether a script contains a decimal.
pub fn has_decimals(text: &str) -> bool {
    !decimals(text).is_empty()
}

/// Writes decimals such as `1.0` as numerals, for a script whose author does so. Strictly, only logics without integers allow it,
/// but the solvers accepted the original script.
pub fn whole_reals(search: &mut Search<'_>) -> Result<(), Halt> {
    let mut whole = search.state.text.clone();
    for (start, end) in decimals(&whole).into_iter().rev() {
        if whole[start..end].ends_with(".0") {
            whole.replace_range(end - 2..end, "");
        }
    }
    let text = |typed: &Typed| typed.arena.script_text(&typed.script);
    let same = |typed: &Typed| Typed::read(&whole, None).is_some_and(|read| text(&read) == text(typed));
    if search.state.typed.as_ref().is_some_and(same) {
        search.take_first(&mut |_, index| match index {
            0 => Offer::Try(Candidate { body: Body::Text(whole.clone()), effect: ModelEffect::Preserved }),
            _ => Offer::End,
        })?;
    }
    Ok(())
}

/// The byte ranges of decimals.
fn decimals(text: &str) -> Vec<(usize, usize)> {
    let mut lexer = Lexer::new(text);
    let mut found = Vec::new();
    while let Ok(token) = lexer.next_token() {
        match token.kind {
            Kind::End => break,
            Kind::Decimal => found.push((token.span.start as usize, token.span.end as usize)),
            _ => {}
        }
    }
    found
}

/// The texts with a span removed, or replaced by one of its elements.
fn shorter(text: &str, spans: &[Span], index: usize) -> Vec<String> {
    let span = spans[index];
    let with = |new: &str| format!("{}{new}{}", &text[..span.start], &text[span.end..]);
    let mut found: Vec<String> =
        (!is_needed(text, spans, span)).then(|| without(text, span)).into_iter().collect();
    let is_list = text[span.start..].starts_with('(');
    if is_list {
        // A top-level element must be a list.
        let fits = |part: &&Span| span.parent.is_some() || text[part.start..].starts_with('(');
        let parts = spans.iter().filter(|other| other.parent == Some(index)).filter(fits);
        found.extend(parts.map(|part| with(&text[part.start..part.end])));
    }
    found
}

/// Whether an atom must stay although newer solvers do without it: the number in `(push 1)` and `(declare-sort U 0)`, and the name in
/// `(select a i)`. Older releases would refuse the script.
fn is_needed(text: &str, spans: &[Span], span: Span) -> bool {
    let Some(list) = span.parent.map(|parent| &text[spans[parent].start..span.start]) else { return false };
    let is_head = list.trim_end() == "(";
    let atom = &text[span.start..span.end];
    let is_number = atom.starts_with(|first: char| first.is_ascii_digit());
    let has_number = ["(push", "(pop", "(declare-sort"].iter().any(|command| list.starts_with(command));
    (is_number && has_number) || (is_head && atom == "select")
}

/// The text without a span and the space next to it.
fn without(text: &str, span: Span) -> String {
    let before = text[..span.start].trim_end_matches(' ');
    let after = &text[span.end..];
    // A line that was only the span goes with it.
    if let Some(after) = after.strip_prefix('\n').filter(|_| before.is_empty() || before.ends_with('\n')) {
        return format!("{before}{after}");
    }
    let after = if before.ends_with('(') { after.trim_start_matches(' ') } else { after };
    format!("{before}{after}")
}

/// All lists and atoms, each list before its elements.
fn spans(text: &str) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut lexer = Lexer::new(text);
    while let Ok(token) = lexer.next_token() {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        let parent = open.last().copied();
        match token.kind {
            Kind::End => break,
            Kind::Open => {
                open.push(spans.len());
                spans.push(Span { start, end, parent });
            }
            Kind::Close => {
                if let Some(list) = open.pop() {
                    spans[list].end = end;
                }
            }
            _ => spans.push(Span { start, end, parent }),
        }
    }
    // An unclosed list ends with the text.
    for list in open {
        spans[list].end = text.len();
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_know_their_parents() {
        let text = "(f (g x) \"a b\") ; (no)\nz";
        let found: Vec<(&str, Option<usize>)> =
            spans(text).iter().map(|span| (&text[span.start..span.end], span.parent)).collect();
        assert_eq!(
            found,
            [
                ("(f (g x) \"a b\")", None),
                ("f", Some(0)),
                ("(g x)", Some(0)),
                ("g", Some(2)),
                ("x", Some(2)),
                ("\"a b\"", Some(0)),
                ("z", None),
            ]
        );
        assert_eq!(shorter("(f (g x))", &spans("(f (g x))"), 2), ["(f)", "(f g)", "(f x)"]);
    }

    #[test]
    fn scripts_stay_readable_for_older_releases() {
        // A text, an atom or list of it, and the texts without it.
        let table: [(&str, &str, &[&str]); 6] = [
            ("(push 1)", "1", &[]),
            ("(pop 1)", "1", &[]),
            ("(declare-sort U 0)", "0", &[]),
            ("(f (select a i))", "select", &[]),
            ("(f (select a i))", "a", &["(f (select i))"]),
            ("(f)\n(g)\n(h)", "(g)", &["(f)\n(h)"]),
        ];
        for (text, part, expected) in table {
            let spans = spans(text);
            let index = spans.iter().position(|span| &text[span.start..span.end] == part).unwrap();
            assert_eq!(shorter(text, &spans, index), expected, "{text} {part}");
        }
    }
}
