//! Pretty-printing of source text: new line breaks and indentation, with every token and comment preserved. It works on tokens,
//! so it accepts any s-expressions, and uses an explicit stack, so nesting depth is not limited.

use crate::error::{Error, Span};
use crate::lexer::{Kind, Lexer, Token};

/// The line width to stay within where possible.
const WIDTH: usize = 100;

/// The maximum indentation. Without a limit, deep terms would consist mostly of spaces.
const MAX_INDENT: usize = 60;

/// Heads that keep their first argument (a name, bindings or variables) on the same line.
const KEEPS_FIRST: [&str; 17] = [
    "declare-fun",
    "declare-const",
    "define-fun",
    "define-fun-rec",
    "define-const",
    "define-sort",
    "declare-datatype",
    "set-info",
    "set-option",
    "let",
    "forall",
    "exists",
    "lambda",
    "match",
    "_",
    "as",
    "!",
];

/// Reformats a text.
///
/// ```
/// let text = elenchus_smt::layout::pretty("(assert   (not\n p)) ; side").unwrap();
/// assert_eq!(text, "(assert (not p)) ; side\n");
/// ```
pub fn pretty(source: &str) -> Result<String, Error> {
    let items = read(source)?;
    let mut layout =
        Layout { source, items: &items, out: String::with_capacity(source.len() * 2), column: 0 };
    layout.run();
    Ok(layout.out)
}

/// A token with the data needed to lay it out.
struct Item {
    token: Token,
    /// For an opening parenthesis: the index of the closing one.
    close: usize,
    /// For an opening parenthesis: the width of the list on one line; `None` if it contains a comment.
    width: Option<usize>,
    /// A blank line precedes it.
    blank_before: bool,
    /// It is on the same line as the previous token.
    same_line: bool,
}

fn read(source: &str) -> Result<Vec<Item>, Error> {
    let mut lexer = Lexer::new(source);
    let mut items: Vec<Item> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut previous_end = 0;
    loop {
        let token = lexer.next_with_comments()?;
        let gap = &source[previous_end..token.span.start as usize];
        previous_end = token.span.end as usize;
        if token.kind == Kind::End {
            break;
        }
        let newlines = gap.bytes().filter(|&byte| byte == b'\n').count();
        let at = items.len();
        items.push(Item {
            token,
            close: at,
            width: None,
            blank_before: newlines > 1,
            same_line: newlines == 0,
        });
        match token.kind {
            Kind::Open => open.push(at),
            Kind::Close => {
                let Some(start) = open.pop() else {
                    return Err(Error::syntax(token.span, "unmatched `)`"));
                };
                items[start].close = at;
                items[start].width = list_width(&items, start, at);
            }
            _ => {}
        }
    }
    match open.pop() {
        Some(at) => Err(Error::syntax(items[at].token.span, "unclosed `(`").expected("a `)`")),
        None => Ok(items),
    }
}

/// The width of a list on one line, computed from its elements.
fn list_width(items: &[Item], start: usize, close: usize) -> Option<usize> {
    let mut width = 2;
    let mut at = start + 1;
    let mut count = 0;
    while at < close {
        let item = &items[at];
        width += match item.token.kind {
            Kind::Comment => return None,
            Kind::Open => item.width?,
            _ if is_overlong(item) => return None,
            _ => length(item.token.span),
        };
        if width > 10 * WIDTH {
            // Too long for any line: the exact width does not matter.
            return None;
        }
        count += 1;
        at = item.close + 1;
    }
    Some(width + usize::saturating_sub(count, 1))
}

/// Whether a token is too long to share a line with others.
fn is_overlong(item: &Item) -> bool {
    length(item.token.span) > 10 * WIDTH
}

fn length(span: Span) -> usize {
    (span.end - span.start) as usize
}

struct Layout<'a> {
    source: &'a str,
    items: &'a [Item],
    out: String,
    column: usize,
}

/// A list that is being written on several lines.
struct Open {
    close: usize,
    indent: usize,
    written: usize,
    /// The number of elements on the line of the parenthesis.
    on_first_line: usize,
}

impl Layout<'_> {
    fn run(&mut self) {
        let mut open: Vec<Open> = Vec::new();
        let mut at = 0;
        let mut after_comment = false;
        while at < self.items.len() {
            let item = &self.items[at];
            if item.token.kind == Kind::Close {
                let list = open.pop().expect("parentheses match");
                if after_comment {
                    self.new_line(list.indent);
                }
                self.write(at);
                after_comment = false;
                at += 1;
                continue;
            }
            self.separate(open.last_mut(), item, at == 0, after_comment);
            after_comment = item.token.kind == Kind::Comment;
            let fits = item.width.is_some_and(|width| self.column + width <= WIDTH);
            if item.token.kind == Kind::Open && !fits {
                self.write(at);
                let indent = (self.column + 1).min(MAX_INDENT);
                let on_first_line = self.first_line(at);
                open.push(Open { close: item.close, indent, written: 0, on_first_line });
                at += 1;
            } else {
                self.write_flat(at);
                at = item.close + 1;
            }
        }
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    /// Moves the cursor to the position of the next element.
    fn separate(&mut self, list: Option<&mut Open>, item: &Item, first: bool, after_comment: bool) {
        let trailing_comment = item.token.kind == Kind::Comment && item.same_line && !first;
        let Some(list) = list else {
            if trailing_comment {
                self.write_text(" ");
            } else if !first {
                self.new_line(0);
                if item.blank_before {
                    self.new_line(0);
                }
            }
            return;
        };
        debug_assert!(list.close < self.items.len());
        if trailing_comment && list.written > 0 {
            self.write_text(" ");
        } else if list.written > 0 && (list.written >= list.on_first_line || after_comment) {
            self.new_line(list.indent);
        } else if list.written > 0 {
            self.write_text(" ");
        } else if after_comment {
            self.new_line(list.indent);
        }
        if item.token.kind != Kind::Comment {
            list.written += 1;
        }
    }

    /// The number of elements of a broken list that stay on its first line.
    fn first_line(&self, open: usize) -> usize {
        match self.items.get(open + 1) {
            Some(head) if head.token.kind == Kind::Symbol => {
                let keeps = KEEPS_FIRST.contains(&self.text(head.token.span));
                1 + usize::from(keeps)
            }
            _ => 1,
        }
    }

    fn text(&self, span: Span) -> &str {
        &self.source[span.start as usize..span.end as usize]
    }

    fn write(&mut self, at: usize) {
        let span = self.items[at].token.span;
        let text = &self.source[span.start as usize..span.end as usize];
        self.write_text(text.trim_end());
    }

    /// Writes an element on the current line.
    fn write_flat(&mut self, at: usize) {
        let last = self.items[at].close;
        for next in at..=last {
            let kind = self.items[next].token.kind;
            if next > at && kind != Kind::Close && self.items[next - 1].token.kind != Kind::Open {
                self.write_text(" ");
            }
            self.write(next);
        }
    }

    fn write_text(&mut self, text: &str) {
        self.out.push_str(text);
        self.column = match text.rfind('\n') {
            Some(newline) => text[newline + 1..].chars().count(),
            None => self.column + text.chars().count(),
        };
    }

    fn new_line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_laid_out() {
        let long = "(assert (and (= aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 1) (= bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb 2) (= cccccccccccc 3)))";
        let table = [
            ("", ""),
            ("(a  b\n c)", "(a b c)\n"),
            ("(a)(b)\n\n\n(c)", "(a)\n(b)\n\n(c)\n"),
            ("; top\n(a) ; side\n(b ; in\n c)", "; top\n(a) ; side\n(b ; in\n  c)\n"),
            (
                long,
                "(assert\n  (and\n    (= aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 1)\n    (= bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb 2)\n    (= cccccccccccc 3)))\n",
            ),
        ];
        for (source, expected) in table {
            let laid_out = pretty(source).unwrap();
            assert_eq!(laid_out, expected, "{source}");
            assert_eq!(pretty(&laid_out).unwrap(), expected, "again: {source}");
        }
    }

    #[test]
    fn unbalanced_texts_are_rejected() {
        for source in ["(", ")", "(()", "\"", "(a))"] {
            assert!(pretty(source).is_err(), "{source}");
        }
    }

    #[test]
    fn deep_nesting_does_not_overflow_the_stack() {
        let depth = 200_000;
        let source = format!("{}x{}", "(f ".repeat(depth), ")".repeat(depth));
        assert!(pretty(&source).unwrap().len() < 70 * depth);
    }
}
