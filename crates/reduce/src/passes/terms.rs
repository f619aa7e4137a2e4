//! Replaces many terms at once, in chunks: by their values, by defaults, or by sub-terms.

use super::in_chunks;
use super::replacements::parts;
use super::substitution::{Substitutes, nodes_by_size, substitute_all};
use crate::defaults::{defaults, is_simplest};
use crate::model::values;
use crate::search::{Body, Candidate, Halt, ModelEffect, Search};
use crate::state::{State, Typed};
use smt::{Term, View};

/// The most terms to change at once.
const MAX_CHUNK: usize = 512;

/// Replaces terms by their values under the known model, which remains a model.
pub fn by_value(search: &mut Search<'_>) -> Result<(), Halt> {
    in_chunks(search, MAX_CHUNK, &mut pairs_with_values, &mut |state, pairs| {
        candidate(state, pairs, ModelEffect::Preserved)
    })
}

/// Replaces terms by the default values of their sorts.
pub fn by_default(search: &mut Search<'_>) -> Result<(), Halt> {
    let mut items =
        |state: &mut State| pairs(state, &mut |typed, term| defaults(typed, typed.arena.sort(term)));
    in_chunks(search, MAX_CHUNK, &mut items, &mut |state, pairs| {
        candidate(state, pairs, ModelEffect::Unknown)
    })
}

/// Replaces terms by sub-terms.
pub fn by_part(search: &mut Search<'_>) -> Result<(), Halt> {
    let mut items = |state: &mut State| pairs(state, &mut |typed, term| parts(typed, term));
    in_chunks(search, MAX_CHUNK, &mut items, &mut |state, pairs| {
        candidate(state, pairs, ModelEffect::Unknown)
    })
}

/// Removes arguments of terms with many of them.
pub fn by_fewer_arguments(search: &mut Search<'_>) -> Result<(), Halt> {
    let mut items = |state: &mut State| {
        let mut all = Vec::new();
        let Some(typed) = &mut state.typed else { return all };
        for node in nodes_by_size(typed) {
            if typed.arena.children(node).len() > 3 {
                all.extend(
                    super::replacements::fewer_arguments(typed, node).into_iter().map(|new| (node, new)),
                );
            }
        }
        all
    };
    in_chunks(search, 1, &mut items, &mut |state, pairs| candidate(state, pairs, ModelEffect::Unknown))
}

fn pairs_with_values(state: &mut State) -> Vec<(Term, Term)> {
    let Some(typed) = &mut state.typed else { return Vec::new() };
    let nodes = nodes_by_size(typed);
    let found = values(typed, &nodes);
    nodes.into_iter().filter_map(|node| found.get(&node).map(|&value| (node, value))).collect()
}

fn pairs(state: &mut State, simpler: &mut dyn FnMut(&mut Typed, Term) -> Vec<Term>) -> Vec<(Term, Term)> {
    let Some(typed) = &mut state.typed else { return Vec::new() };
    let mut pairs = Vec::new();
    for node in nodes_by_size(typed) {
        if is_simplest(&typed.arena, node) || matches!(typed.arena.view(node), View::Literal(..)) {
            continue;
        }
        pairs.extend(
            simpler(typed, node).into_iter().take(2).filter(|new| *new != node).map(|new| (node, new)),
        );
    }
    pairs
}

fn candidate(state: &mut State, pairs: &[(Term, Term)], effect: ModelEffect) -> Option<Candidate> {
    let typed = state.typed.as_mut()?;
    let mut substitutes = Substitutes::default();
    for (term, new) in pairs {
        // The first replacement of a term wins.
        substitutes.entry(*term).or_insert(*new);
    }
    let script = substitute_all(&mut typed.arena, &typed.script, &substitutes);
    let script = super::commands::prune_unused(typed, &script);
    Some(Candidate { body: Body::Script(script), effect })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_of_terms_is_replaced_at_once() {
        let source = "(declare-const x Int)(declare-const y Int)(assert (> (* x 2) (+ y 3)))";
        let mut state = State::read(
            source.to_owned(),
            Some("((define-fun x () Int 4)(define-fun y () Int 1))".to_owned()),
        );
        let values = pairs_with_values(&mut state);
        let table = [
            (values, "(assert true)\n"),
            (
                pairs(&mut state, &mut |typed, term| parts(typed, term)),
                "(declare-const x Int)\n(declare-const y Int)\n(assert (> x y))\n",
            ),
        ];
        for (pairs, expected) in table {
            let made = candidate(&mut state, &pairs, ModelEffect::Unknown).unwrap();
            let (Body::Script(script), Some(typed)) = (made.body, &state.typed) else { panic!("a script") };
            assert_eq!(typed.arena.script_text(&script), expected);
        }
    }
}
