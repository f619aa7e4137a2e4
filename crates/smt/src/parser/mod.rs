//! Reading scripts: text in, typed terms out, in one pass and without recursion on the depth of terms.

mod command;
mod datatypes;
mod frame;
mod names;
mod sorts;
mod state;
mod terms;

use crate::arena::Arena;
use crate::command::Script;
use crate::error::{Error, Span};
use crate::lexer::Kind;
use crate::scope::Scope;
use crate::term::Term;
use state::Parser;

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
    let mut parser = Parser::new(arena, scope, source);
    let mut script = Script::default();
    let mut errors = Vec::new();
    if let Err(error) = parser.advance() {
        errors.push(error);
        return Err(errors);
    }
    while parser.token.kind != Kind::End {
        let start = parser.token.span.start as usize;
        match parser.command() {
            Ok(command) => {
                script.commands.push(command);
                script.spans.push(Span::new(start, parser.previous_end));
            }
            Err(error) => {
                errors.push(error);
                if errors.len() >= MAX_ERRORS || parser.recover(start).is_err() {
                    break;
                }
            }
        }
    }
    if errors.is_empty() { Ok(script) } else { Err(errors) }
}

/// Reads one term whose free names are declared in `scope`.
pub fn parse_term(arena: &mut Arena, scope: &mut Scope, source: &str) -> Result<Term, Error> {
    let mut parser = Parser::new(arena, scope, source);
    parser.advance()?;
    let term = parser.term();
    parser.abandon_term();
    let term = term?;
    if parser.token.kind != Kind::End {
        return Err(
            Error::syntax(parser.token.span, "something follows the term").expected("the end of the text")
        );
    }
    Ok(term)
}

/// Reads one sort.
pub fn parse_sort(arena: &mut Arena, scope: &mut Scope, source: &str) -> Result<crate::sort::Sort, Error> {
    let mut parser = Parser::new(arena, scope, source);
    parser.advance()?;
    let sort = parser.sort()?;
    if parser.token.kind != Kind::End {
        return Err(
            Error::syntax(parser.token.span, "something follows the sort").expected("the end of the text")
        );
    }
    Ok(sort)
}
