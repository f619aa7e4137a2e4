//! One term at a time: everything simpler that may stand in its place, everywhere or at one occurrence.

use super::new_constants::new_constant;
use super::replacements::simpler;
use super::substitution::{nodes_by_size, with};
use crate::model::values;
use crate::search::{Body, Candidate, Fate, Halt, Search};
use crate::state::Typed;
use smt::{Script, Term};

/// Scripts with more occurrences than this are not searched occurrence by occurrence.
const OCCURRENCES: u64 = 4_000;

/// Tries every simpler term in the place of every term.
pub fn everywhere(search: &mut Search<'_>) -> Result<(), Halt> {
    search.by_items(|typed| (nodes_by_size(typed), of_node))
}

/// The candidates in which one term is simpler wherever it stands.
fn of_node(typed: &mut Typed, node: Term) -> Vec<Candidate> {
    let mut found = Vec::new();
    if let Some(&value) = values(typed, &[node]).get(&node) {
        let script = with(typed, node, value);
        found.push(Candidate { body: Body::Script(script), fate: Fate::Kept });
    }
    for new in simpler(typed, node) {
        found.push(Candidate::checked(with(typed, node, new)));
    }
    found.extend(new_constant(typed, node));
    found
}

/// Tries every simpler term at every single occurrence of terms that stand in several places.
pub fn one_occurrence(search: &mut Search<'_>) -> Result<(), Halt> {
    search.by_items(|typed| {
        let mut sizes = smt::Sizes::default();
        let mut spots: Vec<(usize, usize, u64)> = Vec::new();
        for (command, found) in typed.script.commands.iter().enumerate() {
            for (place, root) in found.terms().into_iter().enumerate() {
                let count = sizes.of(&typed.arena, root);
                if spots.len() as u64 + count <= OCCURRENCES {
                    spots.extend((0..count).map(|at| (command, place, at)));
                }
            }
        }
        (spots, move |typed: &mut Typed, spot| at_spot(typed, &mut sizes, spot))
    })
}

fn at_spot(
    typed: &mut Typed,
    sizes: &mut smt::Sizes,
    (command, place, at): (usize, usize, u64),
) -> Vec<Candidate> {
    let root = typed.script.commands[command].terms()[place];
    let Some(path) = sizes.nth(&typed.arena, root, at) else { return Vec::new() };
    let Some(term) = typed.arena.at(root, &path) else { return Vec::new() };
    let news = simpler(typed, term);
    let mut found = Vec::with_capacity(news.len());
    for new in news {
        let changed = typed.arena.replace_at(root, &path, new);
        let mut number = 0;
        let mut script = typed.script.clone();
        script.commands[command] = typed.script.commands[command].map_terms(|term| {
            number += 1;
            if number - 1 == place { changed } else { term }
        });
        let script = super::commands::used_only(typed, &Script::new(script.commands));
        found.push(Candidate::checked(script));
    }
    found
}
