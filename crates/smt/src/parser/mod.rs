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
/// use elenchus_smt::{Arena, parse_script};
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
///
/// Use it to read a script piece by piece, or to parse terms over the names of a script afterwards:
///
/// ```
/// use elenchus_smt::{Arena, Scope, parse_in_scope, parse_term};
///
/// let mut arena = Arena::default();
/// let mut scope = Scope::default();
/// parse_in_scope(&mut arena, &mut scope, "(declare-fun f (Int) Int)").unwrap();
/// parse_in_scope(&mut arena, &mut scope, "(assert (= (f 0) 1))").unwrap();
/// let term = parse_term(&mut arena, &mut scope, "(f (f 2))").unwrap();
/// assert_eq!(arena.sort_text(arena.sort(term)), "Int");
/// ```
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
///
/// ```
/// use elenchus_smt::{Arena, Scope, Sort, parse_term};
///
/// let mut arena = Arena::default();
/// let term = parse_term(&mut arena, &mut Scope::default(), "(forall ((x Int)) (< x (+ x 1)))").unwrap();
/// assert_eq!(arena.sort(term), Sort::BOOL);
/// let error = parse_term(&mut arena, &mut Scope::default(), "(str.len 1)").unwrap_err();
/// assert_eq!(error.message, "`str.len` does not take arguments of sorts Int");
/// ```
pub fn parse_term(arena: &mut Arena, scope: &mut Scope, source: &str) -> Result<Term, Error> {
    let mut parser = Parser::new(arena, scope, source);
    parser.advance()?;
    let term = parser.term();
    parser.abandon_term();
    let term = term?;
    parser.expect_end()?;
    Ok(term)
}

/// Parses a sort whose names are declared in `scope` or belong to a theory.
///
/// ```
/// use elenchus_smt::{Arena, Scope, parse_in_scope, parse_sort};
///
/// let mut arena = Arena::default();
/// let mut scope = Scope::default();
/// parse_in_scope(&mut arena, &mut scope, "(define-sort Word () (_ BitVec 32))").unwrap();
/// let sort = parse_sort(&mut arena, &mut scope, "(Array Int Word)").unwrap();
/// assert_eq!(arena.sort_text(sort), "(Array Int (_ BitVec 32))");
/// ```
pub fn parse_sort(arena: &mut Arena, scope: &mut Scope, source: &str) -> Result<Sort, Error> {
    let mut parser = Parser::new(arena, scope, source);
    parser.advance()?;
    let sort = parser.sort()?;
    parser.expect_end()?;
    Ok(sort)
}
