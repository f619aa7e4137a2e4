//! Substitutes terms throughout a script.

use crate::state::Typed;
use smt::rewrite::post_order;
use smt::{Arena, FixedState, Script, Term};
use std::collections::HashMap;

/// Replacements of terms by others of the same sort.
pub type Substitutes = HashMap<Term, Term, FixedState>;

/// Replaces one term by another, and removes unused declarations.
pub fn substitute(typed: &mut Typed, old: Term, new: Term) -> Script {
    let script = substitute_all(&mut typed.arena, &typed.script, &Substitutes::from_iter([(old, new)]));
    super::commands::prune_unused(typed, &script)
}

/// Replaces terms throughout the script, also inside a sub-term that replaces its parent.
pub fn substitute_all(arena: &mut Arena, script: &Script, substitutes: &Substitutes) -> Script {
    let roots: Vec<Term> = script.commands.iter().flat_map(smt::Command::terms).collect();
    let mut done: HashMap<Term, Term, FixedState> = HashMap::default();
    for node in post_order(arena, &roots) {
        let result = match substitutes.get(&node) {
            // Post-order: the replacement of a sub-term is known before its parent's.
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

/// All nodes of the script, largest first; nodes of equal size in the order of the text.
pub fn nodes_by_size(typed: &Typed) -> Vec<Term> {
    let roots: Vec<Term> = typed.roots().into_iter().map(|(_, root)| root).collect();
    let mut sizes = smt::Sizes::default();
    let mut nodes = post_order(&typed.arena, &roots);
    nodes.sort_by_cached_key(|&node| std::cmp::Reverse(sizes.of(&typed.arena, node)));
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(typed: &mut Typed, text: &str) -> Term {
        smt::parse_term(&mut typed.arena, &mut typed.scope, text).unwrap()
    }

    #[test]
    fn terms_are_replaced_throughout_the_script() {
        let source = "(declare-const x Int)(declare-const y Int)(assert (> (+ x y) (* 2 (+ x y))))";
        let table = [
            ("(+ x y)", "x", "(declare-const x Int)\n(assert (> x (* 2 x)))\n"),
            ("(+ x y)", "0", "(assert (> 0 (* 2 0)))\n"),
            ("x", "y", "(declare-const y Int)\n(assert (> (+ y y) (* 2 (+ y y))))\n"),
        ];
        for (old, new, expected) in table {
            let mut typed = Typed::read(source, None).unwrap();
            let (old, new) = (term(&mut typed, old), term(&mut typed, new));
            let script = substitute(&mut typed, old, new);
            assert_eq!(typed.arena.script_text(&script), expected);
        }
    }

    #[test]
    fn replacements_apply_inside_a_sub_term_that_replaces_its_parent() {
        let mut typed = Typed::read("(declare-const x Int)(assert (> (+ (* x 7) 1) 0))", None).unwrap();
        let pairs = [("(+ (* x 7) 1)", "(* x 7)"), ("7", "2")];
        let substitutes =
            pairs.iter().map(|(old, new)| (term(&mut typed, old), term(&mut typed, new))).collect();
        let script = substitute_all(&mut typed.arena, &typed.script, &substitutes);
        assert_eq!(typed.arena.script_text(&script), "(declare-const x Int)\n(assert (> (* x 2) 0))\n");
    }

    #[test]
    fn nodes_come_largest_first() {
        let typed = Typed::read("(declare-const x Int)(assert (> (+ x 1) 0))", None).unwrap();
        let texts: Vec<String> =
            nodes_by_size(&typed).into_iter().map(|node| typed.arena.term_text(node)).collect();
        assert_eq!(texts, ["(> (+ x 1) 0)", "(+ x 1)", "x", "1", "0"]);
    }
}
