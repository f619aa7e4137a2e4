//! Eliminates declared symbols: replaces constants by values or each other, and removes parameters of functions.

use super::commands::prune_unused;
use super::substitution::{Substitutes, substitute, substitute_all};
use crate::defaults::defaults;
use crate::model::values;
use crate::search::{Candidate, Halt, Search};
use crate::state::Typed;
use smt::rewrite::post_order;
use smt::{Command, DeclarationForm, Op, Script, Term, View};

/// Tries to eliminate each declared symbol.
pub fn eliminate(search: &mut Search<'_>) -> Result<(), Halt> {
    search.for_each_item(|typed| {
        let all = declared(typed);
        (all.clone(), move |typed: &mut Typed, op| without_symbol(typed, op, &all))
    })
}

fn declared(typed: &Typed) -> Vec<Op> {
    let op = |command: &Command| match command {
        Command::Declare(_, op) => Some(*op),
        _ => None,
    };
    typed.script.commands.iter().filter_map(op).collect()
}

fn without_symbol(typed: &mut Typed, op: Op, declared: &[Op]) -> Vec<Candidate> {
    let (args, sort) = typed.rank(op);
    if !args.is_empty() {
        return fewer_parameters(typed, op);
    }
    let constant = typed.arena.app_unchecked(op, &[], sort);
    let mut found = Vec::new();
    if let Some(&value) = values(typed, &[constant]).get(&constant) {
        found.push(Candidate::preserving_model(substitute(typed, constant, value)));
    }
    let mut replacements = defaults(typed, sort);
    for &other in declared.iter().filter(|other| **other != op) {
        if typed.rank(other) == (Vec::new(), sort) {
            replacements.push(typed.arena.app_unchecked(other, &[], sort));
        }
    }
    found.extend(replacements.into_iter().map(|new| Candidate::of_script(substitute(typed, constant, new))));
    found
}

/// The script with one parameter of a function removed, or all of them.
fn fewer_parameters(typed: &mut Typed, op: Op) -> Vec<Candidate> {
    let (args, sort) = typed.rank(op);
    let mut kept: Vec<Vec<usize>> = vec![Vec::new()];
    if args.len() > 1 {
        kept.extend((0..args.len()).map(|removed| (0..args.len()).filter(|at| *at != removed).collect()));
    }
    kept.into_iter()
        .filter_map(|kept| {
            let name = typed.arena.op(op).name;
            let sorts: Vec<_> = kept.iter().map(|&at| args[at]).collect();
            let new = typed.arena.function(name, &sorts, sort);
            let roots: Vec<Term> = typed.script.commands.iter().flat_map(Command::terms).collect();
            let mut substitutes = Substitutes::default();
            // Arguments may hold further uses, which post-order changes first.
            for node in post_order(&typed.arena, &roots) {
                if let View::App(found, list) = typed.arena.view(node)
                    && found == op
                {
                    if list.len() != args.len() {
                        return None;
                    }
                    let list: Vec<Term> = kept
                        .iter()
                        .map(|&at| substitutes.get(&list[at]).copied().unwrap_or(list[at]))
                        .collect();
                    let term = typed.arena.app_unchecked(new, &list, sort);
                    substitutes.insert(node, term);
                }
            }
            let script = substitute_all(&mut typed.arena, &typed.script, &substitutes);
            let commands = script.commands.into_iter().map(|command| match command {
                Command::Declare(form, found) if found == op => {
                    let form = if sorts.is_empty() { DeclarationForm::Const } else { form };
                    Command::Declare(form, new)
                }
                command => command,
            });
            let script = prune_unused(typed, &Script::new(commands.collect()));
            Some(Candidate::discarding_model(script))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Body;

    #[test]
    fn symbols_become_simpler() {
        let constants = "(declare-const x Int)(declare-const y Int)(assert (> x y))";
        let function = "(declare-fun f (Int Bool) Int)(assert (> (f (f 1 true) false) 0))";
        let table = [
            (constants, "(> 0 y) | (> 1 y) | (> y y)"),
            (function, "(> f 0) | (> (f false) 0) | (> (f (f 1)) 0)"),
        ];
        for (source, expected) in table {
            let mut typed = Typed::read(source, None).unwrap();
            let symbols = declared(&typed);
            let mut texts = Vec::new();
            for candidate in without_symbol(&mut typed, symbols[0], &symbols) {
                if let Body::Script(script) = candidate.body
                    && let Some(root) = script.assertions().next()
                {
                    texts.push(typed.arena.term_text(root));
                }
            }
            assert_eq!(texts.join(" | "), expected, "{source}");
        }
    }
}
