//! The parser: text to typed terms, in one pass and without recursion on the depth of terms.

mod coercion;
mod command;
mod datatypes;
mod frame;
mod inference;
mod names;
mod sorts;
mod state;
mod terms;

use crate::arena::Arena;
use crate::command::Script;
use crate::error::{Error, Span};
use crate::lexer::Kind;
use crate::scope::Scope;
use crate::sort::Sort;
use crate::term::Term;
use state::Parser;

/// The maximum number of errors to report.
const MAX_ERRORS: usize = 20;

/// Parses a script. On failure, returns the errors of all commands, up to a limit.
///
/// ```
/// use smt::{Arena, parse_script};
///
/// let mut arena = Arena::default();
/// assert!(parse_script(&mut arena, "(declare-const x Int) (assert (> x 0))").is_ok());
///
/// // Each command with an error is reported.
/// let errors = parse_script(&mut arena, "(assert y)\n(assert true)\n(assert (not 1))").unwrap_err();
/// let messages: Vec<String> = errors.iter().map(|error| error.message.clone()).collect();
/// assert_eq!(messages, ["unknown constant `y`", "`not` does not take arguments of sorts Int"]);
/// ```
pub fn parse_script(arena: &mut Arena, source: &str) -> Result<Script, Vec<Error>> {
    let mut scope = Scope::default();
    parse_in_scope(arena, &mut scope, source)
}

/// Parses a script whose names may be declared in `scope`, and adds its declarations there.
pub fn parse_in_scope(arena: &mut Arena, scope: &mut Scope, source: &str) -> Result<Script, Vec<Error>> {
    arena.reserve_for_source(source.len());
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

/// Parses a term whose free names are declared in `scope`. Afterwards, `scope` has no local variables.
pub fn parse_term(arena: &mut Arena, scope: &mut Scope, source: &str) -> Result<Term, Error> {
    let mut parser = Parser::new(arena, scope, source);
    parser.advance()?;
    let term = parser.term();
    parser.abandon_term();
    let term = term?;
    parser.expect_end()?;
    Ok(term)
}

/// Parses a sort.
pub fn parse_sort(arena: &mut Arena, scope: &mut Scope, source: &str) -> Result<Sort, Error> {
    let mut parser = Parser::new(arena, scope, source);
    parser.advance()?;
    let sort = parser.sort()?;
    parser.expect_end()?;
    Ok(sort)
}
