//! Reading scripts: text in, typed terms out, in one pass and without recursion on the depth of terms.

mod command;
mod datatypes;
mod names;
mod sorts;
mod terms;

use crate::arena::Arena;
use crate::command::Script;
use crate::error::{Error, Span};
use crate::lexer::{Kind, Lexer, Token};
use crate::scope::Scope;
use crate::symbol::Symbol;
use crate::term::Term;
use crate::typing::Mismatch;

/// After so many errors the rest of a script is not worth reading.
const MAX_ERRORS: usize = 20;

/// Reads a script into the arena. All commands with errors are reported, up to a limit.
pub fn parse_script(arena: &mut Arena, source: &str) -> Result<Script, Vec<Error>> {
    let mut scope = Scope::default();
    parse_in_scope(arena, &mut scope, source)
}

/// Reads a script whose names may be declared in `scope` already; what it declares is added there.
pub fn parse_in_scope(arena: &mut Arena, scope: &mut Scope, source: &str) -> Result<Script, Vec<Error>> {
    arena.expect_source(source.len());
    let mut reader = Reader::new(arena, scope, source);
    let mut script = Script::default();
    let mut errors = Vec::new();
    if let Err(error) = reader.advance() {
        errors.push(error);
        return Err(errors);
    }
    while reader.token.kind != Kind::End {
        let start = reader.token.span.start as usize;
        match reader.command() {
            Ok(command) => {
                script.commands.push(command);
                script.spans.push(Span::new(start, reader.previous_end));
            }
            Err(error) => {
                errors.push(error);
                if errors.len() >= MAX_ERRORS || reader.recover(start).is_err() {
                    break;
                }
            }
        }
    }
    if errors.is_empty() { Ok(script) } else { Err(errors) }
}

/// Reads one term whose free names are declared in `scope`.
pub fn parse_term(arena: &mut Arena, scope: &mut Scope, source: &str) -> Result<Term, Error> {
    let mut reader = Reader::new(arena, scope, source);
    reader.advance()?;
    let term = reader.term();
    reader.abandon_term();
    let term = term?;
    if reader.token.kind != Kind::End {
        return Err(
            Error::syntax(reader.token.span, "something follows the term").expected("the end of the text")
        );
    }
    Ok(term)
}

/// Reads one sort.
pub fn parse_sort(arena: &mut Arena, scope: &mut Scope, source: &str) -> Result<crate::sort::Sort, Error> {
    let mut reader = Reader::new(arena, scope, source);
    reader.advance()?;
    let sort = reader.sort()?;
    if reader.token.kind != Kind::End {
        return Err(
            Error::syntax(reader.token.span, "something follows the sort").expected("the end of the text")
        );
    }
    Ok(sort)
}

/// The state of reading: one token ahead.
pub(crate) struct Reader<'s, 'a> {
    lexer: Lexer<'s>,
    arena: &'a mut Arena,
    scope: &'a mut Scope,
    /// The token that comes next.
    token: Token,
    /// What a simple symbol in view is, if it was met before.
    symbol: Option<Symbol>,
    /// Where the token before it ended.
    previous_end: usize,
    frames: Vec<terms::Frame>,
    operands: Vec<Term>,
    names: Vec<(Symbol, Span)>,
    scratch: String,
}

impl<'s, 'a> Reader<'s, 'a> {
    fn new(arena: &'a mut Arena, scope: &'a mut Scope, source: &'s str) -> Self {
        Reader {
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
        }
    }

    /// Takes the next token into view.
    #[inline]
    fn advance(&mut self) -> Result<(), Error> {
        self.previous_end = self.token.span.end as usize;
        let Some(token) = self.lexer.common_token() else { return self.advance_to_any() };
        self.token = token;
        // Looked up before it is asked for, so that the look-up runs beside the work on the term before it.
        if token.kind == Kind::Symbol {
            self.symbol = self.arena.symbols.get(self.text());
        }
        Ok(())
    }

    fn advance_to_any(&mut self) -> Result<(), Error> {
        self.token = self.lexer.next_token()?;
        self.symbol = match self.token.kind {
            Kind::Symbol => self.arena.symbols.get(self.text()),
            _ => None,
        };
        Ok(())
    }

    /// The text of the token in view.
    #[inline]
    fn text(&self) -> &'s str {
        self.lexer.text(self.token)
    }

    fn expect_open(&mut self, what: &str) -> Result<(), Error> {
        self.expect(Kind::Open, what)
    }

    fn expect_close(&mut self, what: &str) -> Result<(), Error> {
        self.expect(Kind::Close, what)
    }

    fn expect(&mut self, kind: Kind, what: &str) -> Result<(), Error> {
        if self.token.kind == kind {
            return self.advance();
        }
        Err(self.unexpected(what))
    }

    /// The error for a token that does not belong here.
    fn unexpected(&self, what: &str) -> Error {
        let found = match self.token.kind {
            Kind::End => "the text ends too early".to_owned(),
            _ => format!("unexpected `{}`", shorten(self.text())),
        };
        Error::syntax(self.token.span, found).expected(what)
    }

    /// A symbol, simple or quoted.
    fn symbol(&mut self, what: &str) -> Result<Symbol, Error> {
        let symbol = self.peek_symbol().ok_or_else(|| self.unexpected(what))?;
        self.advance()?;
        Ok(symbol)
    }

    #[inline]
    fn peek_symbol(&mut self) -> Option<Symbol> {
        let text = self.text();
        match self.token.kind {
            Kind::Symbol => Some(self.symbol.unwrap_or_else(|| self.arena.symbols.intern(text))),
            Kind::Quoted => Some(self.arena.symbols.intern(&text[1..text.len() - 1])),
            _ => None,
        }
    }

    fn keyword(&mut self, what: &str) -> Result<Symbol, Error> {
        if self.token.kind != Kind::Keyword {
            return Err(self.unexpected(what));
        }
        let symbol = self.arena.symbols.intern(self.text());
        self.advance()?;
        Ok(symbol)
    }

    /// A numeral that fits 32 bits.
    fn small_number(&mut self, what: &str) -> Result<u32, Error> {
        match (self.token.kind, self.text().parse()) {
            (Kind::Numeral, Ok(number)) => {
                self.advance()?;
                Ok(number)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// Everything up to the closing parenthesis of the list that we are in, as written; the parenthesis is left.
    fn rest_of_list(&mut self) -> Result<&'s str, Error> {
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

    /// One s-expression, as written.
    fn raw(&mut self) -> Result<&'s str, Error> {
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

    /// After an error: goes to the command after the one that began at `start`.
    fn recover(&mut self, start: usize) -> Result<(), Error> {
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

    /// Forgets a term that was being read when an error came.
    fn abandon_term(&mut self) {
        self.frames.clear();
        self.operands.clear();
        self.names.clear();
        self.scope.unbind_to(0);
    }

    /// A typing error at a place.
    fn mismatch(&self, span: Span, mismatch: Mismatch) -> Error {
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

/// The beginning of a text that may be long.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
