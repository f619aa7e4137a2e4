//! Values: what `get-value`, `eval` and `get-assignment` print after `sat` is the value of the term under the model that the solver
//! prints.

use super::parts::{Parts, conjunction};
use super::{Description, Fact, Needs, Oracle, Stated, Under};
use case::hash::choice;
use case::text::collapsed;
use case::{Answer, Statement};
use smt::sexpr::read_all;
use smt::{Arena, AttributeValue, Command, Plain, Sort, Term, View};
use solver::run::PieceKind;
use solver::{Observation, Profile};
use std::collections::{BTreeMap, BTreeSet};

/// The terms of one script.
const MOST: usize = 30;
/// The sort whose values solvers do not print.
const NO_VALUES: &str = "RegLan";
/// The formulas of one script that get a name.
const MOST_NAMES: usize = 10;

pub(super) struct Values;

impl Oracle for Values {
    fn description(&self) -> &'static Description {
        &Description {
            kind: Statement::Values,
            about: "get-value, eval and get-assignment print the value under the model",
            needs: Needs::Model,
            asks_the_case: true,
            doubted: 1,
            goes_on: false,
            commands: &["get-value", "eval", "get-assignment"],
            responses: PieceKind::Values,
        }
    }

    fn question(&self, case: &str, _: Option<Answer>, solver: &Profile) -> Option<String> {
        let prelude = solver.ask.statement(Statement::Values)?.join("\n");
        let parts = Parts::of_case(case).filter(|parts| parts.is_whole)?;
        let mut terms = parts.closed_subterms(MOST);
        terms.extend(parts.constants());
        terms.retain(|&term| parts.sort_head(parts.arena.sort(term)) != NO_VALUES);
        let hash = choice(case, "values");
        let commands: Vec<&str> = solver.ask.value_commands.iter().map(String::as_str).collect();
        let named = commands.contains(&"get-assignment") && (hash >> 20).is_multiple_of(3);
        let of_terms: Vec<&str> = commands.into_iter().filter(|name| *name != "get-assignment").collect();
        let mut after = String::new();
        if named {
            after.push_str(&names(&parts, case, &terms)?);
        }
        after.push_str("(check-sat)\n(get-model)\n");
        if named {
            after.push_str("(get-assignment)\n");
        }
        for (&term, number) in terms.iter().zip(hash >> 40..) {
            let text = parts.arena.term_text(term);
            match of_terms.get(number.checked_rem(of_terms.len() as u64)? as usize) {
                Some(&"eval") => after.push_str(&format!("(eval {text})\n")),
                _ => after.push_str(&format!("(get-value ({text}))\n")),
            }
        }
        (!terms.is_empty()).then(|| parts.asserting(&prelude, &after))
    }

    fn read(&self, parts: &mut Parts, seen: &Observation, pieces: &[&str]) -> Option<Stated> {
        let model = seen.model().filter(|_| seen.answers == [Answer::Sat])?.to_owned();
        let named = named_formulas(&parts.arena, &parts.assertions);
        let arena = &parts.arena;
        // What each command asks for: a term, or `None` for all names.
        let asked = parts.script.commands.iter().filter_map(|command| match command {
            Command::GetValue(terms) => Some(match &**terms {
                [term] => Asked::Term(arena.term_text(*term)),
                _ => Asked::Other,
            }),
            Command::WithTerm(name, term, rest) if arena.name(*name) == "eval" => {
                Some(match arena.name(*rest) {
                    "" => Asked::Evaluated(arena.term_text(*term)),
                    _ => Asked::Other,
                })
            }
            Command::Plain(Plain::GetAssignment) => Some(Asked::Names),
            _ => None,
        });
        let mut facts = Vec::new();
        let mut is_complete = true;
        for (number, (asked, piece)) in asked.zip(pieces).enumerate() {
            let pairs = match asked {
                Asked::Term(term) => value_of(piece).map(|value| vec![(term, value.to_owned())]),
                Asked::Evaluated(term) => Some(vec![(term, (*piece).to_owned())]),
                Asked::Names => assigned(piece, &named),
                Asked::Other => None,
            };
            is_complete &= pairs.is_some();
            facts.extend(pairs.into_iter().flatten().map(|(term, value)| Fact {
                number,
                said: format!("gives {} the value {}", collapsed(&term), collapsed(&value)),
                formula: format!("(= {term} {value})"),
                under: Under::Model(0),
            }));
        }
        let stated = Stated::new(parts, facts, vec![model]);
        Some(if is_complete { stated } else { stated.incomplete() })
    }
}

/// What a command asks for.
enum Asked {
    /// The value of a term, with the term.
    Term(String),
    /// The value of a term alone.
    Evaluated(String),
    /// The values of all names.
    Names,
    /// Something that we do not read.
    Other,
}

/// An assertion that is always true and names formulas; `None` if there are none.
fn names(parts: &Parts, case: &str, terms: &[Term]) -> Option<String> {
    let mut prefix = "value-".to_owned();
    while case.contains(&prefix) {
        prefix.push('-');
    }
    let formulas = terms.iter().filter(|&&term| parts.arena.sort(term) == Sort::BOOL).take(MOST_NAMES);
    let named: Vec<String> = formulas
        .enumerate()
        .map(|(number, &term)| format!("(! {} :named {prefix}{number})", parts.arena.term_text(term)))
        .collect();
    (!named.is_empty()).then(|| format!("(assert (or true {}))\n", conjunction(named)))
}

/// The formulas with names in assertions, by name. A formula inside which another one has a name is left out.
fn named_formulas(arena: &Arena, assertions: &[Term]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut waiting = assertions.to_vec();
    while let Some(term) = waiting.pop() {
        if !seen.insert(term) {
            continue;
        }
        waiting.extend(arena.children(term));
        let View::Annotated { body, attributes, .. } = arena.view(term) else { continue };
        let names = attributes.iter().filter_map(|attribute| match attribute.value {
            AttributeValue::Text(name) if arena.name(attribute.keyword) == ":named" => Some(arena.name(name)),
            _ => None,
        });
        let text = arena.term_text(body);
        if !text.contains(":named") {
            found.extend(names.map(|name| (unquoted(name).to_owned(), text.clone())));
        }
    }
    found
}

/// The formulas and their values in a response `((name value) …)`; `None` if one of them has no value.
fn assigned(piece: &str, named: &BTreeMap<String, String>) -> Option<Vec<(String, String)>> {
    let read = read_all(piece).ok()?;
    let [pairs] = read.as_slice() else { return None };
    let mut found = Vec::new();
    for pair in pairs.list()? {
        let [name, value] = pair.list()? else { return None };
        // Solvers may add the values of other constants.
        if let Some(formula) = named.get(unquoted(name.atom()?)) {
            let value = value.atom().filter(|value| matches!(*value, "true" | "false"))?;
            found.push((formula.clone(), value.to_owned()));
        }
    }
    Some(found)
}

/// A symbol without its bars, if it has any.
fn unquoted(symbol: &str) -> &str {
    symbol.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')).unwrap_or(symbol)
}

/// The value in a response for one term, `((term value))`.
fn value_of(piece: &str) -> Option<&str> {
    let read = read_all(piece).ok()?;
    let [pairs] = read.as_slice() else { return None };
    let [pair] = pairs.list()? else { return None };
    let [_, value] = pair.list()? else { return None };
    Some(&piece[value.span().start as usize..value.span().end as usize])
}
