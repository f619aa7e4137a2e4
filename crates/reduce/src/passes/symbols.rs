//! Doing without declared symbols: constants become values or one another, functions lose arguments.

use super::commands::used_only;
use super::substitution::{Substitutes, replaced, with};
use crate::defaults::defaults;
use crate::model::values;
use crate::search::{Body, Candidate, Fate, Halt, Search};
use crate::state::Typed;
use smt::rewrite::post_order;
use smt::{Command, DeclarationForm, Op, Script, Term, View};

/// Tries to do without each declared symbol.
pub fn eliminate(search: &mut Search<'_>) -> Result<(), Halt> {
    search.by_items(|typed| {
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
        found.push(Candidate { body: Body::Script(with(typed, constant, value)), fate: Fate::Kept });
    }
    let mut news = defaults(typed, sort);
    for &other in declared.iter().filter(|other| **other != op) {
        if typed.rank(other) == (Vec::new(), sort) {
            news.push(typed.arena.app_unchecked(other, &[], sort));
        }
    }
    found.extend(news.into_iter().map(|new| Candidate::checked(with(typed, constant, new))));
    found
}

/// A function without one of its parameters, and without all of them.
fn fewer_parameters(typed: &mut Typed, op: Op) -> Vec<Candidate> {
    let (args, sort) = typed.rank(op);
    let mut kept: Vec<Vec<usize>> = vec![Vec::new()];
    if args.len() > 1 {
        kept.extend((0..args.len()).map(|gone| (0..args.len()).filter(|at| *at != gone).collect()));
    }
    kept.into_iter()
        .filter_map(|kept| {
            let name = typed.arena.op(op).name;
            let sorts: Vec<_> = kept.iter().map(|&at| args[at]).collect();
            let new = typed.arena.function(name, &sorts, sort);
            let roots: Vec<Term> = typed.script.commands.iter().flat_map(Command::terms).collect();
            let mut substitutes = Substitutes::default();
            // Arguments may hold further uses, so they are changed from the inside out.
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
            let script = replaced(&mut typed.arena, &typed.script, &substitutes);
            let commands = script.commands.into_iter().map(|command| match command {
                Command::Declare(form, found) if found == op => {
                    let form = if sorts.is_empty() { DeclarationForm::Const } else { form };
                    Command::Declare(form, new)
                }
                command => command,
            });
            let script = used_only(typed, &Script::new(commands.collect()));
            Some(Candidate { body: Body::Script(script), fate: Fate::Lost })
        })
        .collect()
}
