//! Occurrences. A shared term occurs in many positions, so an occurrence is identified by a path from a root.

use crate::arena::Arena;
use crate::hash::FixedState;
use crate::rewrite::post_order;
use crate::term::{Pattern, Term, View};
use std::collections::HashMap;

/// The path from a root to an occurrence: indices into [`Arena::children`].
///
/// A shared term occurs in several places. A path names one of them:
///
/// ```
/// use elenchus_smt::{Arena, Scope, Sizes, parse_in_scope, parse_term};
///
/// let mut arena = Arena::default();
/// let mut scope = Scope::default();
/// parse_in_scope(&mut arena, &mut scope, "(declare-const x Int)").unwrap();
/// let root = parse_term(&mut arena, &mut scope, "(= (+ x 1) (+ x 1))").unwrap();
/// let two = parse_term(&mut arena, &mut scope, "2").unwrap();
///
/// // The numbers of occurrences count in preorder: `=`, `+`, `x`, `1`, …
/// let path = Sizes::default().nth(&arena, root, 3).unwrap();
/// assert_eq!(path, [0, 1]);
/// let changed = arena.replace_at(root, &path, two);
/// assert_eq!(arena.term_text(changed), "(= (+ x 2) (+ x 1))");
/// ```
pub type Path = Vec<u32>;

impl Arena {
    /// The subterm at a path; `None` if the path does not exist.
    pub fn at(&self, root: Term, path: &[u32]) -> Option<Term> {
        path.iter().try_fold(root, |term, &step| self.children(term).get(step as usize).copied())
    }

    /// Replaces the subterm at a path by a term of the same sort. Only the nodes on the path are rebuilt. Returns the root
    /// unchanged if the path does not exist.
    pub fn replace_at(&mut self, root: Term, path: &[u32], new: Term) -> Term {
        let mut nodes = vec![root];
        for &step in path {
            let last = nodes[nodes.len() - 1];
            match self.children(last).get(step as usize) {
                Some(&child) => nodes.push(child),
                None => return root,
            }
        }
        let mut result = new;
        for (&node, &step) in nodes.iter().zip(path).rev() {
            let mut children = self.children(node).to_vec();
            children[step as usize] = result;
            result = self.with_children(node, &children);
        }
        result
    }

    /// The local variables in scope at a path, outermost first, without those that are shadowed.
    pub fn locals_at(&self, root: Term, path: &[u32]) -> Vec<Term> {
        let mut locals: Vec<Term> = Vec::new();
        let mut term = root;
        for &step in path {
            let bound: &[Term] = match self.view(term) {
                View::Let { names, values, .. } if step as usize == values.len() => names,
                View::Binder { variables, .. } => variables,
                View::Match { patterns, .. } if step > 0 => {
                    patterns.get(step as usize - 1).map_or(&[], Pattern::variables)
                }
                _ => &[],
            };
            for &local in bound {
                locals.retain(|&other| self.local_name(other) != self.local_name(local));
                locals.push(local);
            }
            match self.children(term).get(step as usize) {
                Some(&child) => term = child,
                None => break,
            }
        }
        locals
    }

    fn local_name(&self, local: Term) -> Option<crate::symbol::Symbol> {
        match self.view(local) {
            View::Local(name) => Some(name),
            _ => None,
        }
    }
}

/// The sizes of terms as trees. They saturate, since a shared term can be astronomically large.
#[derive(Clone, Debug, Default)]
pub struct Sizes {
    known: HashMap<Term, u64, FixedState>,
}

impl Sizes {
    /// The number of nodes of `term` as a tree.
    pub fn of(&mut self, arena: &Arena, term: Term) -> u64 {
        if let Some(&size) = self.known.get(&term) {
            return size;
        }
        let mut stack = vec![(term, false)];
        while let Some((node, ready)) = stack.pop() {
            if self.known.contains_key(&node) {
                continue;
            }
            if ready {
                let size = arena
                    .children(node)
                    .iter()
                    .fold(1u64, |sum, child| sum.saturating_add(self.known[child]));
                self.known.insert(node, size);
            } else {
                stack.push((node, true));
                let unknown = arena.children(node).iter().filter(|child| !self.known.contains_key(*child));
                stack.extend(unknown.map(|&child| (child, false)));
            }
        }
        self.known[&term]
    }

    /// The path to the occurrence with number `at`, counted in preorder from the root (0).
    pub fn nth(&mut self, arena: &Arena, root: Term, at: u64) -> Option<Path> {
        if at >= self.of(arena, root) {
            return None;
        }
        let mut path = Path::new();
        let mut left = at;
        let mut term = root;
        while left > 0 {
            left -= 1;
            let mut next = None;
            for (step, &child) in arena.children(term).iter().enumerate() {
                let size = self.known[&child];
                if left < size {
                    next = Some((step as u32, child));
                    break;
                }
                left -= size;
            }
            let (step, child) = next?;
            path.push(step);
            term = child;
        }
        Some(path)
    }
}

/// The number of distinct nodes under `roots`.
pub fn dag_size(arena: &Arena, roots: &[Term]) -> usize {
    post_order(arena, roots).len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::parse_script;

    #[test]
    fn paths_enumerate_all_occurrences() {
        let mut arena = Arena::default();
        let source = "(declare-const x Int)(assert (forall ((y Int)) (let ((z (+ x y))) (= z (* y z)))))";
        let script = parse_script(&mut arena, source).unwrap();
        let root = script.assertions().next().unwrap();
        let mut sizes = Sizes::default();
        let total = sizes.of(&arena, root);
        let texts: Vec<String> = (0..total)
            .map(|at| {
                let path = sizes.nth(&arena, root, at).unwrap();
                let locals: Vec<String> =
                    arena.locals_at(root, &path).iter().map(|&l| arena.term_text(l)).collect();
                format!("{} [{}]", arena.term_text(arena.at(root, &path).unwrap()), locals.join(" "))
            })
            .collect();
        assert_eq!(
            texts[1..],
            [
                "(let ((z (+ x y))) (= z (* y z))) [y]",
                "(+ x y) [y]",
                "x [y]",
                "y [y]",
                "(= z (* y z)) [y z]",
                "z [y z]",
                "(* y z) [y z]",
                "y [y z]",
                "z [y z]",
            ]
        );
        assert_eq!(sizes.nth(&arena, root, total), None);
        let path = sizes.nth(&arena, root, 3).unwrap();
        let y = arena.locals_at(root, &path)[0];
        let replaced = arena.replace_at(root, &path, y);
        assert_eq!(arena.term_text(replaced), "(forall ((y Int)) (let ((z (+ y y))) (= z (* y z))))");
    }
}
