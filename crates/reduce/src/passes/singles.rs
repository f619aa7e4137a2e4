//! Replaces one term at a time by every simpler one, at all occurrences or at a single one.

use super::new_constants::new_constant;
use super::replacements::simpler;
use super::substitution::{nodes_by_size, substitute};
use crate::model::values;
use crate::search::{Candidate, Halt, Search};
use crate::state::Typed;
use smt::{Script, Term};

/// Occurrences beyond this number are not tried.
const MAX_OCCURRENCES: u64 = 4_000;

/// Replaces terms at all their occurrences.
pub fn everywhere(search: &mut Search<'_>) -> Result<(), Halt> {
    search.for_each_item(|typed| (nodes_by_size(typed), at_all_occurrences))
}

/// The candidates in which all occurrences of a term are simpler.
fn at_all_occurrences(typed: &mut Typed, node: Term) -> Vec<Candidate> {
    let mut found = Vec::new();
    if let Some(&value) = values(typed, &[node]).get(&node) {
        found.push(Candidate::preserving_model(substitute(typed, node, value)));
    }
    for new in simpler(typed, node) {
        found.push(Candidate::of_script(substitute(typed, node, new)));
    }
    found.extend(new_constant(typed, node));
    found
}

/// Replaces terms at single occurrences.
pub fn one_occurrence(search: &mut Search<'_>) -> Result<(), Halt> {
    search.for_each_item(|typed| {
        let mut sizes = smt::Sizes::default();
        let mut occurrences: Vec<Occurrence> = Vec::new();
        for (command, found) in typed.script.commands.iter().enumerate() {
            for (term, root) in found.terms().into_iter().enumerate() {
                let count = sizes.of(&typed.arena, root);
                if occurrences.len() as u64 + count <= MAX_OCCURRENCES {
                    occurrences.extend((0..count).map(|node| Occurrence { command, term, node }));
                }
            }
        }
        (occurrences, move |typed: &mut Typed, occurrence| at_occurrence(typed, &mut sizes, occurrence))
    })
}

/// An occurrence of a term in the script.
#[derive(Clone, Copy)]
struct Occurrence {
    /// The index of the command.
    command: usize,
    /// The index of the term among those of the command.
    term: usize,
    /// The index of the node in that term.
    node: u64,
}

fn at_occurrence(typed: &mut Typed, sizes: &mut smt::Sizes, occurrence: Occurrence) -> Vec<Candidate> {
    let Occurrence { command, term: index, node } = occurrence;
    let root = typed.script.commands[command].terms()[index];
    let Some(path) = sizes.nth(&typed.arena, root, node) else { return Vec::new() };
    let Some(term) = typed.arena.at(root, &path) else { return Vec::new() };
    let replacements = simpler(typed, term);
    let mut found = Vec::with_capacity(replacements.len());
    for new in replacements {
        let changed = typed.arena.replace_at(root, &path, new);
        let mut visited = 0;
        let mut script = typed.script.clone();
        script.commands[command] = typed.script.commands[command].map_terms(|term| {
            visited += 1;
            if visited - 1 == index { changed } else { term }
        });
        let script = super::commands::prune_unused(typed, &Script::new(script.commands));
        found.push(Candidate::of_script(script));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Body;

    /// The assertion of each candidate.
    fn assertions(typed: &Typed, candidates: Vec<Candidate>) -> Vec<String> {
        let text = |candidate: Candidate| match candidate.body {
            Body::Script(script) => script.assertions().next().map(|root| typed.arena.term_text(root)),
            Body::Text(_) => None,
        };
        candidates.into_iter().filter_map(text).collect()
    }

    #[test]
    fn a_term_is_replaced_at_all_occurrences_or_at_one() {
        let source = "(declare-const x Int)(assert (> (* x 7) (+ x 7)))";
        let mut typed = Typed::read(source, None).unwrap();
        let seven = smt::parse_term(&mut typed.arena, &mut typed.scope, "7").unwrap();
        let everywhere = at_all_occurrences(&mut typed, seven);
        let everywhere = assertions(&typed, everywhere);
        assert_eq!(everywhere[0], "(> (* x 0) (+ x 0))", "{everywhere:?}");
        // In pre-order: the relation, the product, `x`, `7`.
        let occurrence = Occurrence { command: 1, term: 0, node: 3 };
        let single = at_occurrence(&mut typed, &mut smt::Sizes::default(), occurrence);
        let single = assertions(&typed, single);
        assert_eq!(single[0], "(> (* x 0) (+ x 7))", "{single:?}");
        let outside = Occurrence { node: 7, ..occurrence };
        assert!(at_occurrence(&mut typed, &mut smt::Sizes::default(), outside).is_empty());
    }
}
