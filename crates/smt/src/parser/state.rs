//! The parser's state and its token-level helpers.

use super::frame::Frame;
use crate::arena::Arena;
use crate::error::{Error, Span};
use crate::lexer::{Kind, Lexer, Token};
use crate::scope::Scope;
use crate::symbol::Symbol;
use crate::term::Term;
use crate::typing::Mismatch;

/// The state of the parser, with one token of lookahead.
pub(super) struct Parser<'s, 'a> {
    pub(super) lexer: Lexer<'s>,
    pub(super) arena: &'a mut Arena,
    pub(super) scope: &'a mut Scope,
    /// The next token.
    pub(super) token: Token,
    /// The symbol of the next token, if it is a simple symbol that was interned before.
    pub(super) symbol: Option<Symbol>,
    /// The end of the previous token.
    pub(super) previous_end: usize,
    pub(super) frames: Vec<Frame>,
    pub(super) operands: Vec<Term>,
    pub(super) names: Vec<(Symbol, Span)>,
    pub(super) scratch: String,
    /// Constants of which the sort must be inferred.
    pub(super) open: Vec<Term>,
}

impl<'s, 'a> Parser<'s, 'a> {
    pub(super) fn new(arena: &'a mut Arena, scope: &'a mut Scope, source: &'s str) -> Self {
        Parser {
            lexer: Lexer::new(source),
            arena,
            scope,
            token: Token { kind: Kind::End, span: Span::default() },
            symbol: None,
            previous_end: 0,
            frames: Vec::new(),
            operands: Vec::new(),
            names: Vec::new(),
            scratch: String::new(),
            open: Vec::new(),
        }
    }

    /// Reads the next token.
    #[inline]
    pub(super) fn advance(&mut self) -> Result<(), Error> {
        self.previous_end = self.token.span.end as usize;
        let Some(token) = self.lexer.common_token() else { return self.advance_slowly() };
        self.token = token;
        // Looking the symbol up early lets the lookup overlap with the work on the previous term.
        if token.kind == Kind::Symbol {
            self.symbol = self.arena.symbols.get(self.text());
        }
        Ok(())
    }

    fn advance_slowly(&mut self) -> Result<(), Error> {
        self.token = self.lexer.next_token()?;
        self.symbol = match self.token.kind {
            Kind::Symbol => self.arena.symbols.get(self.text()),
            _ => None,
        };
        Ok(())
    }

    /// The text of the next token.
    #[inline]
    pub(super) fn text(&self) -> &'s str {
        self.lexer.text(self.token)
    }

    pub(super) fn expect_open(&mut self, what: &str) -> Result<(), Error> {
        self.expect(Kind::Open, what)
    }

    pub(super) fn expect_close(&mut self, what: &str) -> Result<(), Error> {
        self.expect(Kind::Close, what)
    }

    fn expect(&mut self, kind: Kind, what: &str) -> Result<(), Error> {
        if self.token.kind == kind {
            return self.advance();
        }
        Err(self.unexpected(what))
    }

    pub(super) fn expect_end(&self) -> Result<(), Error> {
        match self.token.kind {
            Kind::End => Ok(()),
            _ => Err(self.unexpected("the end of the input")),
        }
    }

    /// The error for an unexpected token.
    pub(super) fn unexpected(&self, what: &str) -> Error {
        let found = match self.token.kind {
            Kind::End => "unexpected end of input".to_owned(),
            _ => format!("unexpected `{}`", shorten(self.text())),
        };
        Error::syntax(self.token.span, found).expected(what)
    }

    /// Parses a symbol, simple or quoted.
    pub(super) fn symbol(&mut self, what: &str) -> Result<Symbol, Error> {
        let symbol = self.peek_symbol().ok_or_else(|| self.unexpected(what))?;
        self.advance()?;
        Ok(symbol)
    }

    #[inline]
    pub(super) fn peek_symbol(&mut self) -> Option<Symbol> {
        let text = self.text();
        match self.token.kind {
            Kind::Symbol => Some(self.symbol.unwrap_or_else(|| self.arena.symbols.intern(text))),
            Kind::Quoted => Some(self.arena.symbols.intern(&text[1..text.len() - 1])),
            _ => None,
        }
    }

    pub(super) fn keyword(&mut self, what: &str) -> Result<Symbol, Error> {
        if self.token.kind != Kind::Keyword {
            return Err(self.unexpected(what));
        }
        let symbol = self.arena.symbols.intern(self.text());
        self.advance()?;
        Ok(symbol)
    }

    /// Parses a numeral that fits into 32 bits.
    pub(super) fn small_number(&mut self, what: &str) -> Result<u32, Error> {
        match (self.token.kind, self.text().parse()) {
            (Kind::Numeral, Ok(number)) => {
                self.advance()?;
                Ok(number)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// Skips to the closing parenthesis of the current list and returns the skipped text.
    pub(super) fn rest_of_list(&mut self) -> Result<&'s str, Error> {
        let start = self.token.span.start as usize;
        if self.token.kind == Kind::Close {
            return Ok("");
        }
        let mut depth = 0usize;
        loop {
            match self.token.kind {
                Kind::Open => depth += 1,
                Kind::Close if depth == 0 => {
                    return Ok(&self.lexer.source()[start..self.previous_end]);
                }
                Kind::Close => depth -= 1,
                Kind::End => return Err(self.unexpected("a `)`")),
                _ => {}
            }
            self.advance()?;
        }
    }

    /// Skips one s-expression and returns its text.
    pub(super) fn raw(&mut self) -> Result<&'s str, Error> {
        let start = self.token.span.start as usize;
        let mut depth = 0usize;
        loop {
            match self.token.kind {
                Kind::Open => depth += 1,
                Kind::Close if depth == 0 => return Err(self.unexpected("a value")),
                Kind::Close => depth -= 1,
                Kind::End => return Err(self.unexpected("a `)`")),
                _ => {}
            }
            self.advance()?;
            if depth == 0 {
                return Ok(&self.lexer.source()[start..self.previous_end]);
            }
        }
    }

    /// Recovers from an error: skips to the command after the one that starts at `start`.
    pub(super) fn recover(&mut self, start: usize) -> Result<(), Error> {
        self.abandon_term();
        self.lexer.seek(start);
        self.advance()?;
        let mut depth = 0usize;
        loop {
            match self.token.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth = depth.saturating_sub(1),
                Kind::End => return Ok(()),
                _ => {}
            }
            self.advance()?;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Discards an incomplete term after an error.
    pub(super) fn abandon_term(&mut self) {
        self.frames.clear();
        self.operands.clear();
        self.names.clear();
        self.scope.unbind_to(0);
    }

    /// Adds a source range to a typing error.
    pub(super) fn mismatch(&self, span: Span, mismatch: Mismatch) -> Error {
        let error = if mismatch.undeclared {
            Error::undeclared(span, mismatch.message)
        } else {
            Error::sort(span, mismatch.message)
        };
        match mismatch.expected {
            Some(expected) => error.expected(expected),
            None => error,
        }
    }
}

/// Truncates a long text.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
