//! Free variables of terms, as shared sets.

use crate::arena::Arena;
use crate::hash::FixedState;
use crate::symbol::Symbol;
use crate::term::{Term, View};
use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

/// Computes the free local variables of terms, with memoization. Valid for one arena.
#[derive(Default)]
pub struct FreeLocals(FreeSets<Term>);

impl FreeLocals {
    /// The free local variables of `term`, sorted.
    pub fn of(&mut self, arena: &Arena, term: Term) -> Rc<[Term]> {
        let own = |node: Term| match arena.view(node) {
            View::Local(_) => vec![node],
            _ => Vec::new(),
        };
        self.0.of(arena, term, own, |bound| bound)
    }
}

/// Computes the names whose binders would capture something in a term: those of its free locals and of its operators.
#[derive(Default)]
pub(super) struct FreeNames(FreeSets<Symbol>);

impl FreeNames {
    pub(super) fn of(&mut self, arena: &Arena, term: Term) -> Rc<[Symbol]> {
        let own = |node: Term| match arena.view(node) {
            View::Local(name) => vec![name],
            View::App(op, _) => vec![arena.op(op).name],
            _ => Vec::new(),
        };
        let name = |local: Term| match arena.view(local) {
            View::Local(name) => name,
            _ => crate::reserved::EMPTY,
        };
        self.0.of(arena, term, own, name)
    }
}

/// A set per term, computed from the sets of its children.
struct FreeSets<T> {
    sets: Sets<T>,
    known: HashMap<Term, u32, FixedState>,
}

impl<T: Copy + Ord + Hash> Default for FreeSets<T> {
    fn default() -> Self {
        FreeSets { sets: Sets::default(), known: HashMap::default() }
    }
}

impl<T: Copy + Ord + Hash> FreeSets<T> {
    /// The set of a term. `own` returns what a node adds, `key` what a binder of a variable removes.
    fn of(
        &mut self,
        arena: &Arena,
        root: Term,
        own: impl Fn(Term) -> Vec<T>,
        key: impl Fn(Term) -> T,
    ) -> Rc<[T]> {
        let FreeSets { sets, known } = self;
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if known.contains_key(&term) {
                continue;
            }
            if !ready {
                stack.push((term, true));
                stack.extend(
                    arena
                        .children(term)
                        .iter()
                        .filter(|child| !known.contains_key(child))
                        .map(|&child| (child, false)),
                );
                continue;
            }
            let ids: Vec<u32> = arena.children(term).iter().map(|child| known[child]).collect();
            let set = match arena.view(term) {
                View::Let { names, values, .. } => {
                    let bound: Vec<T> = names.iter().map(|&name| key(name)).collect();
                    let body = sets.without(ids[values.len()], &bound);
                    let mut parts = ids[..values.len()].to_vec();
                    parts.push(body);
                    sets.union(&parts, Vec::new())
                }
                View::Binder { variables, .. } => {
                    let bound: Vec<T> = variables.iter().map(|&name| key(name)).collect();
                    let all = sets.union(&ids, Vec::new());
                    sets.without(all, &bound)
                }
                View::Match { patterns, .. } => {
                    let mut parts = vec![ids[0]];
                    for (pattern, &body) in patterns.iter().zip(&ids[1..]) {
                        let bound: Vec<T> = pattern.variables().iter().map(|&name| key(name)).collect();
                        parts.push(sets.without(body, &bound));
                    }
                    sets.union(&parts, Vec::new())
                }
                _ => sets.union(&ids, own(term)),
            };
            known.insert(term, set);
        }
        sets.get(known[&root])
    }
}

/// Sorted sets, each stored once.
struct Sets<T> {
    all: Vec<Rc<[T]>>,
    known: HashMap<Rc<[T]>, u32, FixedState>,
}

impl<T: Copy + Ord + Hash> Default for Sets<T> {
    fn default() -> Self {
        let mut sets = Sets { all: Vec::new(), known: HashMap::default() };
        sets.intern(Vec::new());
        sets
    }
}

impl<T: Copy + Ord + Hash> Sets<T> {
    fn intern(&mut self, mut items: Vec<T>) -> u32 {
        items.sort_unstable();
        items.dedup();
        let items: Rc<[T]> = items.into();
        if let Some(&id) = self.known.get(&items) {
            return id;
        }
        let id = self.all.len() as u32;
        self.all.push(items.clone());
        self.known.insert(items, id);
        id
    }

    fn get(&self, id: u32) -> Rc<[T]> {
        self.all[id as usize].clone()
    }

    /// The union of sets and individual items.
    fn union(&mut self, ids: &[u32], own: Vec<T>) -> u32 {
        let mut distinct: Vec<u32> = ids.iter().copied().filter(|&id| id != 0).collect();
        distinct.sort_unstable();
        distinct.dedup();
        match (distinct.as_slice(), own.is_empty()) {
            ([], true) => 0,
            ([one], true) => *one,
            _ => {
                let mut items = own;
                for id in distinct {
                    items.extend_from_slice(&self.all[id as usize]);
                }
                self.intern(items)
            }
        }
    }

    fn without(&mut self, id: u32, removed: &[T]) -> u32 {
        if !removed.iter().any(|item| self.all[id as usize].binary_search(item).is_ok()) {
            return id;
        }
        let kept = self.all[id as usize].iter().copied().filter(|item| !removed.contains(item)).collect();
        self.intern(kept)
    }
}
