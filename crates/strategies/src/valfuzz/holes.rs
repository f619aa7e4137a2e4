//! The skeleton of a formula: every constant becomes a hole.

use crate::kit::draft::{Draft, ValuesOnly, mark};
use smt::rewrite::rebuild;
use smt::{Arena, FixedState, Op, OpKind, Sort, Term, View};
use std::collections::HashMap;

/// A position where a constant occurs.
#[derive(Clone, Debug)]
pub(super) struct Hole {
    /// The fresh constant that replaces it in the skeleton.
    pub term: Term,
    /// The same as an operator.
    pub op: Op,
    /// The constant in the seed.
    pub original: Term,
    /// The index of its root.
    pub root: usize,
    /// Whether some solver accepts only a value here, so that no variable can take its place.
    pub fixed: bool,
}

/// A formula with holes.
#[derive(Clone, Debug)]
pub(super) struct Skeleton {
    /// The holes, in textual order.
    pub holes: Vec<Hole>,
    /// The terms of the seed, with holes.
    pub roots: Vec<Term>,
}

/// A term that is being turned into a skeleton, with its finished children.
struct Frame {
    term: Term,
    done: Vec<Term>,
}

impl Skeleton {
    /// The skeleton of a seed, with at most `most` holes. Constants beyond that stay.
    pub fn of(draft: &mut Draft, prefix: &str, most: usize) -> Skeleton {
        let mut skeleton = Skeleton { holes: Vec::new(), roots: Vec::new() };
        let roots: Vec<Term> = draft.roots().iter().map(|root| root.term).collect();
        for root in roots {
            let made = skeleton.make(draft, root, prefix, most);
            skeleton.roots.push(made);
        }
        skeleton
    }

    /// Each occurrence of a constant gets its own hole, so this walks the tree and not the shared terms.
    fn make(&mut self, draft: &mut Draft, root: Term, prefix: &str, most: usize) -> Term {
        let mut stack: Vec<Frame> = Vec::new();
        let mut entering = Some((root, false));
        loop {
            let result = match entering.take() {
                Some((term, fixed)) if is_constant(draft, term) => {
                    if self.holes.len() < most {
                        self.hole(draft, term, prefix, fixed)
                    } else {
                        term
                    }
                }
                Some((term, _)) if draft.arena.children(term).is_empty() => term,
                Some((term, _)) => {
                    stack.push(Frame { term, done: Vec::new() });
                    entering = next_child(draft, &mut stack);
                    continue;
                }
                None => {
                    let Some(Frame { term, done }) = stack.pop() else { return root };
                    let same = draft.arena.children(term) == done.as_slice();
                    if same { term } else { draft.arena.with_children(term, &done) }
                }
            };
            let Some(frame) = stack.last_mut() else { return result };
            frame.done.push(result);
            entering = next_child(draft, &mut stack);
        }
    }

    fn hole(&mut self, draft: &mut Draft, original: Term, prefix: &str, fixed: bool) -> Term {
        let sort = draft.arena.sort(original);
        let (op, term) = constant(&mut draft.arena, prefix, self.holes.len() + 1, sort);
        self.holes.push(Hole { term, op, original, root: self.roots.len(), fixed });
        term
    }

    /// Terms with values for the holes, given in the order of the holes.
    pub fn filled(&self, arena: &mut Arena, terms: &[Term], values: &[Term]) -> Vec<Term> {
        let pairs = self.holes.iter().map(|hole| hole.term).zip(values.iter().copied());
        let values: HashMap<Term, Term, FixedState> = pairs.collect();
        rebuild(arena, terms, |_, term| values.get(&term).copied())
    }

    /// Terms as a meta-formula contains them: positions that accept only a value keep the seed's.
    pub fn without_fixed(&self, arena: &mut Arena, terms: &[Term]) -> Vec<Term> {
        let fixed = self.holes.iter().filter(|hole| hole.fixed);
        let values: HashMap<Term, Term, FixedState> = fixed.map(|hole| (hole.term, hole.original)).collect();
        if values.is_empty() {
            return terms.to_vec();
        }
        rebuild(arena, terms, |_, term| values.get(&term).copied())
    }

    /// The holes that a solver can be asked to fill.
    pub fn open(&self) -> impl Iterator<Item = &Hole> {
        self.holes.iter().filter(|hole| !hole.fixed)
    }
}

/// A fresh constant: prefix and number.
pub(super) fn constant(arena: &mut Arena, prefix: &str, number: usize, sort: Sort) -> (Op, Term) {
    let name = arena.symbol(&format!("{prefix}{number}"));
    let op = arena.function(name, &[], sort);
    (op, arena.app_unchecked(op, &[], sort))
}

/// The next child of the innermost term, and whether only a value may occur there.
fn next_child(draft: &mut Draft, stack: &mut [Frame]) -> Option<(Term, bool)> {
    let frame = stack.last_mut()?;
    loop {
        let at = frame.done.len();
        let children = draft.arena.children(frame.term);
        let &child = children.get(at)?;
        let fixed = match draft.arena.view(frame.term) {
            // Patterns of quantifiers do not change.
            View::Annotated { .. } if at > 0 => {
                frame.done.push(child);
                continue;
            }
            View::App(op, args) => match draft.facts.values_only(&draft.arena, op) {
                ValuesOnly::No => false,
                ValuesOnly::All => true,
                ValuesOnly::Last => at + 1 == args.len(),
            },
            _ => false,
        };
        return Some((child, fixed));
    }
}

/// Whether a term is a theory constant that another one can replace.
fn is_constant(draft: &mut Draft, term: Term) -> bool {
    let sort = draft.arena.sort(term);
    if !can_be_declared(&draft.arena, sort) {
        return false;
    }
    if draft.facts.of(&draft.arena, term).marks & mark::VALUE != 0 {
        return true;
    }
    let arena = &draft.arena;
    match arena.view(term) {
        View::App(op, args) => {
            let parts = args.iter().all(|&arg| matches!(arena.view(arg), View::Literal(..)));
            parts
                && args.len() == 3
                && arena.op_name(op) == "fp"
                && matches!(arena.op(op).kind, OpKind::Theory(_))
        }
        _ => false,
    }
}

/// Whether solvers accept variables of a sort and print their values.
pub(super) fn can_be_declared(arena: &Arena, sort: Sort) -> bool {
    let node = arena.sort_node(sort);
    sort != Sort::REGLAN && !node.is_polymorphic && !matches!(arena.name(node.head), "->" | "RegLan")
}
