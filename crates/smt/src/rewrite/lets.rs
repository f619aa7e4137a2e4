//! Introducing `let` for shared subterms, so that they are printed once.

use super::traverse::post_order;
use crate::arena::Arena;
use crate::hash::FixedState;
use crate::term::{HAS_LOCAL, Term, View};
use std::collections::HashMap;

/// The approximate length of a binding in characters. Repeating a shorter term is cheaper.
const BINDING_COST: u64 = 16;

impl Arena {
    /// Introduces a `let` for every subterm that occurs repeatedly and is long enough to pay. Expanding the result gives the
    /// original term (with its own `let`s expanded). Closed subterms are bound at the top, others at the top of the body of the
    /// binder that contains them.
    pub fn introduce_lets(&mut self, term: Term) -> Term {
        let mut builder = LetBuilder { widths: HashMap::default(), names: HashMap::default() };
        let closed = |arena: &Arena, node: Term| arena.flags(node) & HAS_LOCAL == 0;
        let term = builder.share(self, term, &closed, false);
        if self.has_no_locals(term) && !self.has_binder(term) {
            term
        } else {
            builder.share_bodies(self, term)
        }
    }
}

struct LetBuilder {
    /// The approximate printed length of each term.
    widths: HashMap<Term, u64, FixedState>,
    /// The variables of terms that are already bound.
    names: HashMap<Term, Term, FixedState>,
}

impl LetBuilder {
    /// Binds the shared nodes of `root` that `eligible` admits. With `stop`, does not descend into the bodies of binders.
    fn share(
        &mut self,
        arena: &mut Arena,
        root: Term,
        eligible: &dyn Fn(&Arena, Term) -> bool,
        stop: bool,
    ) -> Term {
        let order = if stop { region(arena, root) } else { post_order(arena, &[root]) };
        let mut uses: HashMap<Term, u64, FixedState> = HashMap::default();
        for &node in &order {
            self.measure(arena, node);
            if !(stop && opens_scope(arena, node) && node != root) {
                for &child in visible_children(arena, node, stop) {
                    *uses.entry(child).or_insert(0) += 1;
                }
            }
        }
        let mut layers: Vec<(Vec<Term>, Vec<Term>)> = Vec::new();
        let mut levels: HashMap<Term, usize, FixedState> = HashMap::default();
        let mut done: HashMap<Term, Term, FixedState> = HashMap::default();
        for &node in &order {
            let children: Vec<Term> =
                arena.children(node).iter().map(|child| done.get(child).copied().unwrap_or(*child)).collect();
            let below =
                arena.children(node).iter().filter_map(|child| levels.get(child)).max().copied().unwrap_or(0);
            let same = arena.children(node) == children.as_slice();
            let mut result = if same { node } else { arena.with_children(node, &children) };
            let mut level = below;
            let count = uses.get(&node).copied().unwrap_or(0);
            let pays = count > 1 && (count - 1).saturating_mul(self.widths[&node]) > BINDING_COST + count * 6;
            if node != root && pays && eligible(arena, node) && !self.names.contains_key(&node) {
                let name = arena.fresh_symbol("s");
                let local = arena.local(name, arena.sort(node));
                if layers.len() <= below {
                    layers.resize_with(below + 1, Default::default);
                }
                layers[below].0.push(local);
                layers[below].1.push(result);
                self.names.insert(node, local);
                // From here on, a use prints as the variable.
                result = local;
                level = below + 1;
            }
            levels.insert(node, level);
            done.insert(node, result);
        }
        let mut body = done[&root];
        for (names, values) in layers.into_iter().rev() {
            body = arena.let_term(&names, &values, body);
        }
        body
    }

    /// Introduces `let` inside the bodies of binders and of `let`s, innermost last.
    fn share_bodies(&mut self, arena: &mut Arena, root: Term) -> Term {
        let mut done: HashMap<Term, Term, FixedState> = HashMap::default();
        for node in post_order(arena, &[root]) {
            let children: Vec<Term> = arena.children(node).iter().map(|child| done[child]).collect();
            let mut children = children;
            if opens_scope(arena, node) {
                let first_body = match arena.view(node) {
                    View::Let { values, .. } => values.len(),
                    View::Match { .. } => 1,
                    _ => 0,
                };
                for child in children.iter_mut().skip(first_body) {
                    self.names.clear();
                    *child =
                        self.share(arena, *child, &|arena, node| arena.flags(node) & HAS_LOCAL != 0, true);
                }
            }
            let same = arena.children(node) == children.as_slice();
            let result = if same { node } else { arena.with_children(node, &children) };
            done.insert(node, result);
        }
        done[&root]
    }

    /// Computes the length of a node from its children (saturating, since shared terms can be astronomically long).
    fn measure(&mut self, arena: &Arena, node: Term) {
        if self.widths.contains_key(&node) {
            return;
        }
        let own = match arena.view(node) {
            View::Literal(_, text) => arena.name(text).len() as u64,
            View::Local(name) => arena.name(name).len() as u64,
            View::App(op, args) => arena.op_name(op).len() as u64 + if args.is_empty() { 0 } else { 2 },
            _ => 12,
        };
        let width = arena.children(node).iter().fold(own, |sum, child| {
            let width = self.widths.get(child).copied().unwrap_or(BINDING_COST);
            sum.saturating_add(width).saturating_add(1)
        });
        self.widths.insert(node, width);
    }
}

fn opens_scope(arena: &Arena, node: Term) -> bool {
    matches!(arena.view(node), View::Let { .. } | View::Binder { .. } | View::Match { .. })
}

/// The children in the same scope as the node; all children unless `stop`.
fn visible_children(arena: &Arena, node: Term, stop: bool) -> &[Term] {
    let children = arena.children(node);
    if !stop {
        return children;
    }
    match arena.view(node) {
        View::Let { values, .. } => &children[..values.len()],
        View::Match { .. } => &children[..1],
        View::Binder { .. } => &[],
        _ => children,
    }
}

/// The nodes of one scope in postorder.
fn region(arena: &Arena, root: Term) -> Vec<Term> {
    let mut order = Vec::new();
    let mut seen: HashMap<Term, (), FixedState> = HashMap::default();
    let mut stack = vec![(root, 0usize)];
    seen.insert(root, ());
    while let Some((term, next)) = stack.last_mut() {
        match visible_children(arena, *term, true).get(*next) {
            Some(&child) => {
                *next += 1;
                if seen.insert(child, ()).is_none() {
                    stack.push((child, 0));
                }
            }
            None => {
                order.push(*term);
                stack.pop();
            }
        }
    }
    order
}
