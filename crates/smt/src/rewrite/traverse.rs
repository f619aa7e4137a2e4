//! Traversing terms: each node once, children before parents.

use crate::arena::Arena;
use crate::hash::FixedState;
use crate::term::Term;
use std::collections::HashMap;

/// All nodes under `roots` in postorder, each once, without bound variables. Children come before their parents, so one loop over the
/// list computes anything bottom-up:
///
/// ```
/// use elenchus_smt::rewrite::post_order;
/// use elenchus_smt::{Arena, Scope, parse_term};
///
/// let mut arena = Arena::default();
/// let root = parse_term(&mut arena, &mut Scope::default(), "(< (+ 1 2) (+ 1 2))").unwrap();
/// let texts: Vec<String> = post_order(&arena, &[root]).iter().map(|&node| arena.term_text(node)).collect();
/// assert_eq!(texts, ["1", "2", "(+ 1 2)", "(< (+ 1 2) (+ 1 2))"]);
/// ```
pub fn post_order(arena: &Arena, roots: &[Term]) -> Vec<Term> {
    let mut order = Vec::new();
    let mut seen = vec![false; arena.len()];
    // A node and the number of its children that were visited.
    let mut stack: Vec<(Term, usize)> = Vec::new();
    for &root in roots {
        if !std::mem::replace(&mut seen[root.index()], true) {
            stack.push((root, 0));
        }
        while let Some((term, next)) = stack.last_mut() {
            match arena.children(*term).get(*next) {
                Some(&child) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[child.index()], true) {
                        stack.push((child, 0));
                    }
                }
                None => {
                    order.push(*term);
                    stack.pop();
                }
            }
        }
    }
    order
}

/// Rewrites `roots` bottom-up. `change` receives each node with its children already rewritten. It returns a replacement of
/// the same sort, or `None` to keep the node. Binders are kept: a replacement must not let a variable escape or be captured.
pub fn rebuild(
    arena: &mut Arena,
    roots: &[Term],
    mut change: impl FnMut(&mut Arena, Term) -> Option<Term>,
) -> Vec<Term> {
    let mut done: HashMap<Term, Term, FixedState> = HashMap::default();
    for term in post_order(arena, roots) {
        let children: Vec<Term> = arena.children(term).iter().map(|child| done[child]).collect();
        let same = arena.children(term) == children.as_slice();
        let rebuilt = if same { term } else { arena.with_children(term, &children) };
        let result = change(arena, rebuilt).unwrap_or(rebuilt);
        done.insert(term, result);
    }
    roots.iter().map(|root| done[root]).collect()
}
