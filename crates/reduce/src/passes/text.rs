//! Plain s-expressions: what typed changes do not reach (parts of datatypes, of sorts, of strange commands), and scripts that
//! our parser does not take.

use super::in_chunks;
use crate::search::{Body, Candidate, Fate, Halt, Offer, Search};
use crate::state::Typed;
use smt::lexer::{Kind, Lexer};

/// Longer scripts are not searched list by list while they can be changed as terms.
const LONGEST: usize = 20_000;

/// A list or an atom of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    start: usize,
    end: usize,
    /// The place of the list that holds it.
    parent: Option<usize>,
}

/// Leaves out whole commands, in chunks, without a look at what they are.
pub fn commands(search: &mut Search<'_>) -> Result<(), Halt> {
    let mut items = |state: &mut crate::state::State| {
        let top = |span: &Span| span.parent.is_none();
        spans(&state.text).into_iter().filter(top).map(|span| (span.start, span.end)).collect()
    };
    in_chunks(search, usize::MAX, &mut items, &mut |state, gone| {
        let (first, last) = (gone.first()?, gone.last()?);
        let text = format!("{}{}", &state.text[..first.0], &state.text[last.1..]);
        Some(Candidate { body: Body::Text(text), fate: Fate::Checked })
    })
}

/// Leaves out every list and every atom in turn, and puts parts of lists in the place of the whole.
pub fn lists(search: &mut Search<'_>) -> Result<(), Halt> {
    if search.state.typed.is_some() && search.state.text.len() > LONGEST {
        return Ok(());
    }
    let mut from = 0;
    loop {
        let text = search.state.text.clone();
        let spans = spans(&text);
        let mut place = from;
        let mut waiting: std::collections::VecDeque<String> = std::collections::VecDeque::new();
        let mut at = Vec::new();
        let found = search.first(&mut |state, _| {
            loop {
                if let Some(text) = waiting.pop_front() {
                    at.push(place - 1);
                    // A script that can be read stays one that can be read.
                    if state.typed.is_some() && Typed::read(&text, None).is_none() {
                        return Offer::Skip;
                    }
                    return Offer::Try(Candidate { body: Body::Text(text), fate: Fate::Checked });
                }
                if place >= spans.len() {
                    return Offer::End;
                }
                place += 1;
                waiting.extend(shorter(&text, &spans, place - 1));
            }
        })?;
        match found {
            Some(number) => from = at[number],
            None => return Ok(()),
        }
    }
}

/// Whether a script writes any number with a point.
pub fn has_decimals(text: &str) -> bool {
    !decimals(text).is_empty()
}

/// Writes real numbers without a point, for a script whose author does so: strictly that is for logics without integers, but
/// what the author's solver takes it goes on taking.
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
        search.first(&mut |_, number| match number {
            0 => Offer::Try(Candidate { body: Body::Text(whole.clone()), fate: Fate::Kept }),
            _ => Offer::End,
        })?;
    }
    Ok(())
}

/// Where numbers with a point stand in a text.
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

fn shorter(text: &str, spans: &[Span], place: usize) -> Vec<String> {
    let span = spans[place];
    let with = |new: &str| format!("{}{new}{}", &text[..span.start], &text[span.end..]);
    let mut found = vec![without(text, span)];
    let is_list = text[span.start..].starts_with('(');
    if is_list {
        // Only lists can be commands.
        let fits = |part: &&Span| span.parent.is_some() || text[part.start..].starts_with('(');
        let parts = spans.iter().filter(|other| other.parent == Some(place)).filter(fits);
        found.extend(parts.map(|part| with(&text[part.start..part.end])));
    }
    found
}

/// The text without a part, and without the space that set it apart.
fn without(text: &str, span: Span) -> String {
    let before = text[..span.start].trim_end_matches(' ');
    let after = &text[span.end..];
    let after = if before.ends_with('(') { after.trim_start_matches(' ') } else { after };
    format!("{before}{after}")
}

/// All lists and atoms, each list before what it holds.
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
    // A list that is never closed ends with the text.
    for list in open {
        spans[list].end = text.len();
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_atoms_are_found_with_what_holds_them() {
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
}
