//! Putting terms in the place of others, in all of a script at once or at one occurrence.

use crate::state::Typed;
use smt::rewrite::post_order;
use smt::{Arena, FixedState, Script, Term};
use std::collections::HashMap;

/// Which terms give way to which others of the same sort.
pub type Substitutes = HashMap<Term, Term, FixedState>;

/// The script with one term in the place of another, and only the declarations that it still uses.
pub fn with(typed: &mut Typed, old: Term, new: Term) -> Script {
    let script = replaced(&mut typed.arena, &typed.script, &Substitutes::from_iter([(old, new)]));
    super::commands::used_only(typed, &script)
}

/// The script with terms replaced everywhere. Inside a part that takes the place of the whole, replacements go on.
pub fn replaced(arena: &mut Arena, script: &Script, substitutes: &Substitutes) -> Script {
    let roots: Vec<Term> = script.commands.iter().flat_map(smt::Command::terms).collect();
    let mut done: HashMap<Term, Term, FixedState> = HashMap::default();
    for node in post_order(arena, &roots) {
        let result = match substitutes.get(&node) {
            // Parts come before the whole, so what takes the place of a part is known.
            Some(new) => done.get(new).copied().unwrap_or(*new),
            None => {
                let children: Vec<Term> = arena.children(node).iter().map(|child| done[child]).collect();
                if arena.children(node) == children.as_slice() {
                    node
                } else {
                    arena.with_children(node, &children)
                }
            }
        };
        done.insert(node, result);
    }
    Script::new(script.commands.iter().map(|command| command.map_terms(|term| done[&term])).collect())
}

/// All nodes of the script, the largest first. The order is that of the text where sizes are equal.
pub fn nodes_by_size(typed: &Typed) -> Vec<Term> {
    let roots: Vec<Term> = typed.roots().into_iter().map(|(_, root)| root).collect();
    let mut sizes = smt::Sizes::default();
    let mut nodes = post_order(&typed.arena, &roots);
    nodes.sort_by_cached_key(|&node| std::cmp::Reverse(sizes.of(&typed.arena, node)));
    nodes
}
