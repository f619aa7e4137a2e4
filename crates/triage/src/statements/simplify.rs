//! Rewriters: the result of `(simplify t)` has the value of `t` under every assignment. There is no search, so a term costs about a
//! millisecond, and most wrong answers come from wrong rewrites.

use super::parts::Parts;
use super::{Description, Fact, Needs, Oracle, Stated, Under};
use case::text::collapsed;
use case::{Answer, Statement};
use smt::{Command, Term};
use solver::run::PieceKind;
use solver::{Observation, Profile};

/// The terms of one script.
const MOST: usize = 40;

pub(super) struct Simplify;

impl Oracle for Simplify {
    fn description(&self) -> &'static Description {
        &Description {
            kind: Statement::Simplify,
            about: "a simplified term has the value of the term",
            needs: Needs::Nothing,
            asks_the_case: false,
            doubted: 4,
            goes_on: false,
            commands: &["simplify"],
            responses: PieceKind::Simplified,
        }
    }

    fn question(&self, case: &str, _: Option<Answer>, solver: &Profile) -> Option<String> {
        let parts = Parts::of_case(case)?;
        terms_question(
            &parts,
            solver.ask.statement(Statement::Simplify)?,
            "simplify",
            parts.closed_subterms(MOST),
        )
    }

    fn read(&self, parts: &mut Parts, _: &Observation, pieces: &[&str]) -> Option<Stated> {
        equal_terms(parts, "simplify", ("simplifies", "to"), pieces)
    }
}

/// The script that gives each of these terms to a command.
pub(super) fn terms_question(
    parts: &Parts,
    prelude: &[String],
    command: &str,
    terms: Vec<Term>,
) -> Option<String> {
    let mut text = format!("{}\n{}", prelude.join("\n"), parts.declarations);
    for &term in &terms {
        text.push_str(&format!("({command} {})\n", parts.arena.term_text(term)));
    }
    (!terms.is_empty()).then_some(text)
}

/// Each response to a command that takes a term has the value of the term.
pub(super) fn equal_terms(
    parts: &mut Parts,
    command: &str,
    words: (&str, &str),
    pieces: &[&str],
) -> Option<Stated> {
    // With assertions, a solver may simplify under them.
    if !parts.assertions.is_empty() {
        return None;
    }
    let arena = &parts.arena;
    let terms = parts.script.commands.iter().filter_map(|one| match one {
        Command::WithTerm(name, term, _) if arena.name(*name) == command => Some(arena.term_text(*term)),
        _ => None,
    });
    let fact = |(number, (term, result)): (usize, (String, &&str))| Fact {
        number,
        said: format!("{} {} {} {}", words.0, collapsed(&term), words.1, collapsed(result)),
        formula: format!("(= {term} {result})"),
        under: Under::Every,
    };
    let facts: Vec<Fact> = terms.zip(pieces).enumerate().map(fact).collect();
    Some(Stated::new(parts, facts, Vec::new()))
}
