//! Many terms at once: values or defaults for parts, parts for wholes, in chunks.

use super::in_chunks;
use super::replacements::parts;
use super::substitution::{Substitutes, nodes_by_size, replaced};
use crate::defaults::{defaults, is_simplest};
use crate::model::values;
use crate::search::{Body, Candidate, Fate, Halt, Search};
use crate::state::State;
use smt::{Term, View};

/// More terms than this are not changed at once.
const LARGEST: usize = 512;

/// Terms give way to their values under the model in hand, which stays a model.
pub fn by_value(search: &mut Search<'_>) -> Result<(), Halt> {
    in_chunks(search, LARGEST, &mut pairs_with_values, &mut |state, pairs| {
        candidate(state, pairs, Fate::Kept)
    })
}

/// Terms give way to the simplest of their sort.
pub fn by_default(search: &mut Search<'_>) -> Result<(), Halt> {
    let mut items =
        |state: &mut State| pairs(state, &mut |typed, term| defaults(typed, typed.arena.sort(term)));
    in_chunks(search, LARGEST, &mut items, &mut |state, pairs| candidate(state, pairs, Fate::Checked))
}

/// Terms give way to a part of theirs.
pub fn by_part(search: &mut Search<'_>) -> Result<(), Halt> {
    let mut items = |state: &mut State| pairs(state, &mut |typed, term| parts(typed, term));
    in_chunks(search, LARGEST, &mut items, &mut |state, pairs| candidate(state, pairs, Fate::Checked))
}

/// Terms with many arguments lose some of them.
pub fn by_fewer(search: &mut Search<'_>) -> Result<(), Halt> {
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
    in_chunks(search, 1, &mut items, &mut |state, pairs| candidate(state, pairs, Fate::Checked))
}

fn pairs_with_values(state: &mut State) -> Vec<(Term, Term)> {
    let Some(typed) = &mut state.typed else { return Vec::new() };
    let nodes = nodes_by_size(typed);
    let found = values(typed, &nodes);
    nodes.into_iter().filter_map(|node| found.get(&node).map(|&value| (node, value))).collect()
}

fn pairs(
    state: &mut State,
    simpler: &mut dyn FnMut(&mut crate::state::Typed, Term) -> Vec<Term>,
) -> Vec<(Term, Term)> {
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

fn candidate(state: &mut State, pairs: &[(Term, Term)], fate: Fate) -> Option<Candidate> {
    let typed = state.typed.as_mut()?;
    let mut substitutes = Substitutes::default();
    for (term, new) in pairs {
        // Of several replacements of a term the first counts.
        substitutes.entry(*term).or_insert(*new);
    }
    let script = replaced(&mut typed.arena, &typed.script, &substitutes);
    let script = super::commands::used_only(typed, &script);
    Some(Candidate { body: Body::Script(script), fate })
}
