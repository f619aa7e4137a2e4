//! Shortens the symbols that a script introduces.

use crate::model::rename;
use crate::search::{Body, Candidate, Halt, ModelEffect, Offer, Search};
use crate::state::Typed;
use smt::lexer::{Kind, Lexer};
use smt::rewrite::post_order;
use smt::{Command, Symbol, Term, View};
use std::collections::{BTreeMap, BTreeSet};

/// Shortens all symbols at once, or one at a time.
pub fn shorten(search: &mut Search<'_>) -> Result<(), Halt> {
    let mut from = 0;
    loop {
        let Some(typed) = &search.state.typed else { return Ok(()) };
        let plan = plan(typed, &search.state.text);
        if plan.is_empty() {
            return Ok(());
        }
        let found = search.take_first(&mut |state, index| {
            let names: BTreeMap<String, String> = match index {
                0 if from == 0 => plan.iter().cloned().collect(),
                0 => return Offer::Skip,
                _ => match plan.get(from + index - 1) {
                    Some(pair) => BTreeMap::from([pair.clone()]),
                    None => return Offer::End,
                },
            };
            let text = rename(&state.text, &names);
            Offer::Try(Candidate { body: Body::Text(text), effect: ModelEffect::Renamed(names) })
        })?;
        match found {
            Some(0) | None => return Ok(()),
            Some(index) => from += index - 1,
        }
    }
}

/// The symbols to rename, each with its new name, in the order of the text.
fn plan(typed: &Typed, text: &str) -> Vec<(String, String)> {
    let own = own_names(typed);
    let mut taken: BTreeSet<&str> = BTreeSet::new();
    let mut order: Vec<&str> = Vec::new();
    let mut lexer = Lexer::new(text);
    while let Ok(token) = lexer.next_token() {
        let word = lexer.text(token);
        let name = match token.kind {
            Kind::End => break,
            Kind::Symbol => word,
            Kind::Quoted => &word[1..word.len() - 1],
            _ => continue,
        };
        if taken.insert(name) && own.contains(name) {
            order.push(name);
        }
    }
    let mut fresh = candidates().filter(|name| !taken.contains(name.as_str()));
    let mut plan = Vec::new();
    for name in order.into_iter().filter(|name| name.len() > 1 || !smt::lexer::is_simple_symbol(name)) {
        if let Some(new) = fresh.next()
            && (new.len() < name.len() || !smt::lexer::is_simple_symbol(name))
        {
            plan.push((name.to_owned(), new));
        }
    }
    plan
}

/// `a`, `b`, … `z`, `a0`, …: symbols that no solver predefines.
fn candidates() -> impl Iterator<Item = String> {
    let letters = || ('a'..='z').chain('A'..='Z').map(String::from);
    let numbered = (0..).flat_map(move |number| letters().map(move |letter| format!("{letter}{number}")));
    letters().chain(numbered)
}

/// The symbols that the script introduces.
fn own_names(typed: &Typed) -> BTreeSet<String> {
    let arena = &typed.arena;
    let mut names: BTreeSet<Symbol> = BTreeSet::new();
    for command in &typed.script.commands {
        match command {
            Command::Declare(_, op) => {
                names.insert(arena.op(*op).name);
            }
            Command::Define(_, definitions) => {
                for definition in definitions {
                    names.insert(arena.op(definition.op).name);
                    names.extend(definition.params.iter().filter_map(|&param| local(typed, param)));
                }
            }
            Command::DeclareSort(name, _) => {
                names.insert(*name);
            }
            Command::DeclareDatatypes(ids) => {
                for id in ids {
                    let datatype = arena.datatype(*id);
                    names.insert(datatype.name);
                    names.extend(datatype.params.iter());
                    for constructor in &datatype.constructors {
                        names.insert(constructor.name);
                        names.extend(constructor.fields.iter().map(|(selector, _)| *selector));
                    }
                }
            }
            _ => {}
        }
    }
    let roots: Vec<Term> = typed.roots().into_iter().map(|(_, root)| root).collect();
    for node in post_order(arena, &roots) {
        names.extend(arena.bound_names(node).iter().filter_map(|&name| local(typed, name)));
    }
    names.into_iter().map(|name| arena.name(name).to_owned()).collect()
}

fn local(typed: &Typed, term: Term) -> Option<Symbol> {
    match typed.arena.view(term) {
        View::Local(name) => Some(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_introduced_symbols_get_short_unused_names() {
        let text = "(declare-const a Int)(declare-const |long name| Int)(declare-fun other (Int) Int)\
            (assert (forall ((bound Int)) (= (other bound) a |long name|)))";
        let typed = Typed::read(text, None).unwrap();
        let pairs: Vec<String> = plan(&typed, text).iter().map(|(old, new)| format!("{old}>{new}")).collect();
        assert_eq!(pairs, ["long name>b", "other>c", "bound>d"]);
    }
}
