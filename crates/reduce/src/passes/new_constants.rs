//! Replaces terms by new constants. The declaration makes the script larger at first, but the surrounding terms may then go.

use super::substitution::{nodes_by_size, substitute};
use crate::model::values;
use crate::search::{Body, Candidate, Halt, ModelEffect, Search};
use crate::state::Typed;
use smt::{Command, DeclarationForm, Term, View};

/// Replaces as many terms as possible by new constants, largest first, even where that makes the script larger.
pub fn everywhere(search: &mut Search<'_>) -> Result<(), Halt> {
    search.for_each_item(|typed| {
        (nodes_by_size(typed), |typed: &mut Typed, node| Vec::from_iter(new_constant(typed, node)))
    })
}

/// Replaces a term by a new constant with the value of the term.
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
    let mut script = substitute(typed, node, constant);
    let first_use = script
        .commands
        .iter()
        .position(|command| matches!(command, Command::Assert(_) | Command::Define(..)))?;
    script.commands.insert(first_use, Command::Declare(DeclarationForm::Const, op));
    let sort = typed.arena.sort_text(sort);
    let effect = match value {
        Some(value) => {
            let name = typed.arena.name(name);
            ModelEffect::Extended(format!("(define-fun {name} () {sort} {value})"))
        }
        None => ModelEffect::Discarded,
    };
    Some(Candidate { body: Body::Script(script), effect })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_constant_takes_the_value_of_the_term() {
        let source = "(declare-const x Int)(assert (> (* x x) 7))";
        let mut typed = Typed::read(source, Some("((define-fun x () Int 3))")).unwrap();
        let nodes = nodes_by_size(&typed);
        let candidate = new_constant(&mut typed, nodes[1]).unwrap();
        let (Body::Script(script), ModelEffect::Extended(definition)) = (candidate.body, candidate.effect)
        else {
            panic!("the model is extended");
        };
        let text = typed.arena.script_text(&script);
        let name = definition.split_whitespace().nth(1).unwrap().to_owned();
        assert_eq!(text, format!("(declare-const {name} Int)\n(assert (> {name} 7))\n"));
        assert_eq!(definition, format!("(define-fun {name} () Int 9)"));
        let constant = nodes.iter().copied().find(|&node| typed.arena.term_text(node) == "x").unwrap();
        assert!(new_constant(&mut typed, constant).is_none());
    }
}
