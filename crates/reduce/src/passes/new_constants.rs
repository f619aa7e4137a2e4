//! New constants in the place of terms. At first that makes a script larger, by a declaration; but what stood around the term
//! may go without it.

use super::substitution::{nodes_by_size, with};
use crate::model::values;
use crate::search::{Body, Candidate, Fate, Halt, Search};
use crate::state::Typed;
use smt::{Command, DeclarationForm, Term, View};

/// Puts new constants in the place of as many terms as can be, the largest first, whether or not that makes the script smaller.
pub fn everywhere(search: &mut Search<'_>) -> Result<(), Halt> {
    search.by_items(|typed| {
        (nodes_by_size(typed), |typed: &mut Typed, node| Vec::from_iter(new_constant(typed, node)))
    })
}

/// A new constant in the place of a term, with the term's value as its own.
pub fn new_constant(typed: &mut Typed, node: Term) -> Option<Candidate> {
    if !matches!(typed.arena.view(node), View::App(_, args) if !args.is_empty())
        || !typed.arena.has_no_locals(node)
    {
        return None;
    }
    let value = values(typed, &[node]).get(&node).map(|&value| typed.arena.term_text(value));
    let sort = typed.arena.sort(node);
    let name = typed.arena.fresh_symbol("v");
    let op = typed.arena.function(name, &[], sort);
    let constant = typed.arena.app_unchecked(op, &[], sort);
    let mut script = with(typed, node, constant);
    let place = script
        .commands
        .iter()
        .position(|command| matches!(command, Command::Assert(_) | Command::Define(..)))?;
    script.commands.insert(place, Command::Declare(DeclarationForm::Const, op));
    let sort = typed.arena.sort_text(sort);
    let fate = match value {
        Some(value) => Fate::Extended(format!("(define-fun {} () {sort} {value})", typed.arena.name(name))),
        None => Fate::Lost,
    };
    Some(Candidate { body: Body::Script(script), fate })
}
