//! Plain s-expressions, for small texts that are data: signature files, attribute values, tactics.

use crate::error::{Error, Span};
use crate::lexer::{Kind, Lexer};

/// The maximum nesting depth. These trees are traversed recursively.
const MAX_DEPTH: usize = 200;

/// An atom or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexpr {
    /// A token, as written.
    Atom(Kind, String, Span),
    /// A parenthesised list.
    List(Vec<Sexpr>, Span),
}

impl Sexpr {
    /// The source range.
    pub fn span(&self) -> Span {
        match self {
            Sexpr::Atom(_, _, span) | Sexpr::List(_, span) => *span,
        }
    }

    /// The text of an atom.
    pub fn atom(&self) -> Option<&str> {
        match self {
            Sexpr::Atom(_, text, _) => Some(text),
            Sexpr::List(..) => None,
        }
    }

    /// The elements of a list.
    pub fn list(&self) -> Option<&[Sexpr]> {
        match self {
            Sexpr::Atom(..) => None,
            Sexpr::List(items, _) => Some(items),
        }
    }
}

/// Parses all s-expressions of `source`.
///
/// ```
/// let all = elenchus_smt::sexpr::read_all("(a (b 1)) c").unwrap();
/// assert_eq!(all[0].list().unwrap()[0].atom(), Some("a"));
/// assert_eq!(all[1].atom(), Some("c"));
/// ```
pub fn read_all(source: &str) -> Result<Vec<Sexpr>, Error> {
    let mut lexer = Lexer::new(source);
    let mut stack: Vec<(Vec<Sexpr>, usize)> = vec![(Vec::new(), 0)];
    loop {
        let token = lexer.next_token()?;
        match token.kind {
            Kind::Open if stack.len() > MAX_DEPTH => {
                return Err(Error::syntax(token.span, format!("more than {MAX_DEPTH} levels of nesting")));
            }
            Kind::Open => stack.push((Vec::new(), token.span.start as usize)),
            Kind::Close => {
                let (items, start) = stack.pop().expect("never empty");
                let Some((outer, _)) = stack.last_mut() else {
                    return Err(Error::syntax(token.span, "unmatched `)`"));
                };
                outer.push(Sexpr::List(items, Span::new(start, token.span.end as usize)));
            }
            Kind::End => {
                let (items, start) = stack.pop().expect("never empty");
                return if stack.is_empty() {
                    Ok(items)
                } else {
                    Err(Error::syntax(Span::new(start, start + 1), "unclosed `(`").expected("a `)`"))
                };
            }
            kind => {
                let atom = Sexpr::Atom(kind, lexer.text(token).to_owned(), token.span);
                stack.last_mut().expect("never empty").0.push(atom);
            }
        }
    }
}
