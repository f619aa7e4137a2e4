//! Inlining defined functions.

use super::traverse::{post_order, rebuild};
use crate::arena::Arena;
use crate::command::{Command, DefinitionForm, Script};
use crate::hash::FixedState;
use crate::op::Op;
use crate::term::{Term, View};
use std::collections::HashMap;

/// The non-recursive definitions of a script, with earlier definitions inlined into their bodies.
///
/// ```
/// use elenchus_smt::rewrite::Definitions;
/// use elenchus_smt::{Arena, parse_script};
///
/// let source = "(declare-const x Int) (define-fun twice ((n Int)) Int (+ n n)) (assert (= (twice (twice x)) 4))";
/// let mut arena = Arena::default();
/// let script = parse_script(&mut arena, source).unwrap();
/// let definitions = Definitions::of(&mut arena, &script);
/// let formula = definitions.inline(&mut arena, script.assertions().next().unwrap());
/// assert_eq!(arena.term_text(formula), "(= (+ (+ x x) (+ x x)) 4)");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    bodies: HashMap<Op, (Box<[Term]>, Term), FixedState>,
}

impl Definitions {
    /// Collects the definitions of a script. If a function is defined twice (after `pop`), the later definition wins.
    pub fn of(arena: &mut Arena, script: &Script) -> Self {
        let mut definitions = Definitions::default();
        for command in &script.commands {
            if let Command::Define(DefinitionForm::Fun | DefinitionForm::Const, list) = command {
                for definition in list {
                    let body = definitions.inline(arena, definition.body);
                    definitions.bodies.insert(definition.op, (definition.params.clone(), body));
                }
            }
        }
        definitions
    }

    /// Whether there are no definitions.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Replaces every application of a defined function by its body.
    pub fn inline(&self, arena: &mut Arena, term: Term) -> Term {
        if self.bodies.is_empty() {
            return term;
        }
        let mut done: HashMap<Term, Term, FixedState> = HashMap::default();
        for node in post_order(arena, &[term]) {
            let children: Vec<Term> = arena.children(node).iter().map(|child| done[child]).collect();
            let body = match arena.view(node) {
                View::App(op, _) => self.bodies.get(&op),
                _ => None,
            };
            let result = match body {
                Some((params, body)) => {
                    let pairs: Vec<(Term, Term)> = params.iter().copied().zip(children).collect();
                    arena.substitute(*body, &pairs)
                }
                None if arena.children(node) == children.as_slice() => node,
                None => arena.with_children(node, &children),
            };
            done.insert(node, result);
        }
        done[&term]
    }
}

impl Arena {
    /// Replaces operators: `change` returns the new operator, or `None` to keep the old one. The caller guarantees that the sorts
    /// match.
    pub fn map_ops(&mut self, term: Term, change: &mut dyn FnMut(&mut Arena, Op) -> Option<Op>) -> Term {
        rebuild(self, &[term], |arena, node| {
            let View::App(op, args) = arena.view(node) else { return None };
            let (args, sort) = (args.to_vec(), arena.sort(node));
            let new = change(arena, op)?;
            Some(arena.app_unchecked(new, &args, sort))
        })[0]
    }
}
