//! A position in the script: one occurrence of a term, with the local variables in scope.

use super::Root;
use super::facts::{Fact, Facts, ValuesOnly, mark};
use smt::{Arena, Pattern, Term, View};

/// One occurrence of a term. Its buffers are reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Position {
    /// The index of its root.
    pub root: usize,
    /// The index of the root's command.
    pub origin: u32,
    /// The child indices from the root.
    pub path: Vec<u32>,
    /// The terms from the root to the occurrence, both inclusive.
    pub nodes: Vec<Term>,
    /// The local variables in scope, the innermost last.
    pub scope: Vec<Term>,
    /// Whether some solver accepts only a value here.
    pub values_only: bool,
}

impl Position {
    /// The term at this position.
    pub fn term(&self) -> Term {
        self.nodes[self.nodes.len() - 1]
    }

    /// Whether `local` is the variable of its name that is in scope here.
    pub fn binds(&self, arena: &Arena, local: Term) -> bool {
        let name = |term: Term| match arena.view(term) {
            View::Local(name) => Some(name),
            _ => None,
        };
        let wanted = name(local);
        self.scope.iter().rev().find(|&&bound| name(bound) == wanted) == Some(&local)
    }

    /// Moves to occurrence number `at` of a root. Returns whether a mutation may replace the term there.
    pub(super) fn descend(
        &mut self,
        arena: &Arena,
        facts: &mut Facts,
        index: usize,
        root: &Root,
        at: u64,
    ) -> bool {
        self.root = index;
        self.origin = root.origin;
        self.path.clear();
        self.nodes.clear();
        self.scope.clear();
        self.scope.extend_from_slice(&root.params);
        self.values_only = false;
        self.nodes.push(root.term);
        let mut left = at;
        let mut term = root.term;
        while left > 0 {
            left -= 1;
            let mut chosen = None;
            for (step, &child) in arena.children(term).iter().enumerate() {
                let size = u64::from(facts.of(arena, child).size);
                if left < size {
                    chosen = Some((step, child));
                    break;
                }
                left -= size;
            }
            let Some((step, child)) = chosen else { return false };
            if !self.enter(arena, facts, term, step, child) {
                return false;
            }
            term = child;
        }
        // The annotation stays; its body may change.
        while let View::Annotated { body, .. } = arena.view(term) {
            self.path.push(0);
            self.nodes.push(body);
            term = body;
        }
        facts.of(arena, term).marks & mark::NAMED == 0
    }

    /// Descends to a child. Patterns of quantifiers must mention certain variables, so they cannot be replaced.
    fn enter(&mut self, arena: &Arena, facts: &mut Facts, term: Term, step: usize, child: Term) -> bool {
        self.values_only = false;
        match arena.view(term) {
            View::Let { names, values, .. } if step == values.len() => self.scope.extend_from_slice(names),
            View::Binder { variables, .. } => self.scope.extend_from_slice(variables),
            View::Match { patterns, .. } if step > 0 => match &patterns[step - 1] {
                Pattern::Constructor(_, variables) => self.scope.extend_from_slice(variables),
                Pattern::Variable(variable) => self.scope.push(*variable),
            },
            View::Annotated { .. } if step > 0 => return false,
            View::App(op, args) => {
                self.values_only = match facts.values_only(arena, op) {
                    ValuesOnly::No => false,
                    ValuesOnly::All => true,
                    ValuesOnly::Last => step + 1 == args.len(),
                };
            }
            _ => {}
        }
        self.path.push(step as u32);
        self.nodes.push(child);
        true
    }

    /// Whether a term or operator with these facts may occur here: its names are declared, and none is hidden.
    pub fn admits(&self, fact: &Fact) -> bool {
        let declared = fact.since <= self.origin && self.origin < fact.until;
        declared && (fact.marks & mark::HIDEABLE == 0 || self.scope.is_empty())
    }

    /// Whether one of the two positions contains the other.
    pub fn overlaps(&self, other: &Position) -> bool {
        self.root == other.root && self.path.iter().zip(&other.path).all(|(a, b)| a == b)
    }
}
