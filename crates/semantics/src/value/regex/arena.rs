//! Interned regular expressions in a normal form, and their derivatives.
//!
//! The constructors apply the laws that keep the set of derivatives finite: union and intersection are sets,
//! concatenation leans to the right, and the empty and full languages are absorbed.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::value::limits::{Budget, Outcome};
use crate::value::string::MAX_CODE;

/// An interned expression.
pub(super) type Id = u32;

/// The empty language.
pub(super) const EMPTY: Id = 0;
/// The language of the empty string.
pub(super) const EPSILON: Id = 1;
/// The language of all strings.
pub(super) const FULL: Id = 2;

#[derive(Clone, PartialEq, Eq, Hash)]
enum Node {
    Empty,
    Epsilon,
    Range(u32, u32),
    Concat(Id, Id),
    Union(Box<[Id]>),
    Intersection(Box<[Id]>),
    Complement(Id),
    Repeat(Id, u64, Option<u64>),
}

/// The interned expressions and their properties.
pub(super) struct Arena {
    nodes: Vec<Node>,
    nullable: Vec<bool>,
    ids: HashMap<Node, Id, FixedState>,
    /// Derivatives by expression and class of code points.
    derivatives: HashMap<(Id, u32), Id, FixedState>,
    /// The first code point of each class. No expression distinguishes the members of a class.
    classes: Vec<u32>,
    pub(super) budget: Budget,
}

impl Arena {
    /// An arena whose classes begin at these code points: sorted, distinct, the first is 0.
    pub(super) fn new(classes: Vec<u32>, budget: Budget) -> Arena {
        let mut arena = Arena {
            nodes: Vec::new(),
            nullable: Vec::new(),
            ids: HashMap::with_hasher(FixedState::with_seed(0)),
            derivatives: HashMap::with_hasher(FixedState::with_seed(0)),
            classes,
            budget,
        };
        arena.add(Node::Empty, false);
        arena.add(Node::Epsilon, true);
        arena.add(Node::Complement(EMPTY), true);
        arena
    }

    /// The number of stored expressions and derivatives.
    pub(super) fn len(&self) -> usize {
        self.nodes.len() + self.derivatives.len()
    }

    /// Whether the empty string is in the language.
    pub(super) fn nullable(&self, id: Id) -> bool {
        self.nullable[id as usize]
    }

    /// A representative code point of each class.
    pub(super) fn classes(&self) -> &[u32] {
        &self.classes
    }

    /// The class of a code point.
    pub(super) fn class_of(&self, code: u32) -> u32 {
        (self.classes.partition_point(|&start| start <= code) - 1) as u32
    }

    fn add(&mut self, node: Node, nullable: bool) -> Id {
        let id = self.nodes.len() as Id;
        self.ids.insert(node.clone(), id);
        self.nodes.push(node);
        self.nullable.push(nullable);
        id
    }

    fn intern(&mut self, node: Node) -> Outcome<Id> {
        if let Some(&id) = self.ids.get(&node) {
            return Ok(id);
        }
        self.budget.spend(1)?;
        let nullable = match &node {
            Node::Empty | Node::Range(..) => false,
            Node::Epsilon => true,
            Node::Concat(a, b) => self.nullable(*a) && self.nullable(*b),
            Node::Union(parts) => parts.iter().any(|&p| self.nullable(p)),
            Node::Intersection(parts) => parts.iter().all(|&p| self.nullable(p)),
            Node::Complement(a) => !self.nullable(*a),
            Node::Repeat(a, low, _) => *low == 0 || self.nullable(*a),
        };
        Ok(self.add(node, nullable))
    }

    pub(super) fn range(&mut self, low: u32, high: u32) -> Outcome<Id> {
        self.intern(Node::Range(low, high))
    }

    pub(super) fn concat(&mut self, first: Id, second: Id) -> Outcome<Id> {
        // Prepends the factors of the first to the second, from right to left.
        let mut factors = Vec::new();
        let mut rest = first;
        while let Node::Concat(a, b) = self.nodes[rest as usize] {
            self.budget.spend(1)?;
            factors.push(a);
            rest = b;
        }
        factors.push(rest);
        let mut result = second;
        for factor in factors.into_iter().rev() {
            result = self.put_before(factor, result)?;
        }
        Ok(result)
    }

    /// Prepends one factor.
    fn put_before(&mut self, factor: Id, rest: Id) -> Outcome<Id> {
        match (factor, rest) {
            (EMPTY, _) | (_, EMPTY) => return Ok(EMPTY),
            (EPSILON, x) | (x, EPSILON) => return Ok(x),
            (FULL, FULL) => return Ok(FULL),
            _ => {}
        }
        let (next, after) = match self.nodes[rest as usize] {
            Node::Concat(next, after) => (next, after),
            _ => (rest, EPSILON),
        };
        match self.joined(factor, next)? {
            Some(both) => self.put_before(both, after),
            None => self.intern(Node::Concat(factor, rest)),
        }
    }

    /// Merges adjacent repetitions of one expression: `r r*` is `r{1,}`. Then most languages that solvers rewrite, such as loops, are
    /// the same expression before and after.
    fn joined(&mut self, first: Id, second: Id) -> Outcome<Option<Id>> {
        let times = |id: Id| match self.nodes[id as usize] {
            Node::Repeat(body, low, high) => (body, low, high),
            _ => (id, 1, Some(1)),
        };
        let ((one, low, high), (other, more, most)) = (times(first), times(second));
        if one != other || (one == first && other == second) {
            return Ok(None);
        }
        let Some(low) = low.checked_add(more) else { return Ok(None) };
        let high = match (high, most) {
            (Some(high), Some(most)) => match high.checked_add(most) {
                Some(high) => Some(high),
                None => return Ok(None),
            },
            _ => None,
        };
        self.repeat(one, low, high).map(Some)
    }

    pub(super) fn complement(&mut self, a: Id) -> Outcome<Id> {
        match self.nodes[a as usize] {
            Node::Complement(inner) => Ok(inner),
            _ => self.intern(Node::Complement(a)),
        }
    }

    pub(super) fn repeat(&mut self, a: Id, low: u64, high: Option<u64>) -> Outcome<Id> {
        match (a, low, high) {
            (_, 0, Some(0)) | (EPSILON, ..) => return Ok(EPSILON),
            (EMPTY, 0, _) => return Ok(EPSILON),
            (EMPTY, ..) => return Ok(EMPTY),
            (a, 1, Some(1)) => return Ok(a),
            (a, 0, Some(1)) => return self.union(vec![EPSILON, a]),
            // Repeating the full language at least or at most once changes nothing: it contains the empty string.
            (FULL, ..) => return Ok(FULL),
            _ => {}
        }
        if matches!(self.nodes[a as usize], Node::Repeat(_, 0, None)) {
            return Ok(a);
        }
        if matches!(self.nodes[a as usize], Node::Range(0, MAX_CODE)) && low == 0 && high.is_none() {
            return Ok(FULL);
        }
        // If the body matches the empty string, the lower bound has no effect.
        let low = if self.nullable(a) { 0 } else { low };
        self.intern(Node::Repeat(a, low, high))
    }

    pub(super) fn union(&mut self, parts: Vec<Id>) -> Outcome<Id> {
        self.gather(parts, true)
    }

    pub(super) fn intersection(&mut self, parts: Vec<Id>) -> Outcome<Id> {
        self.gather(parts, false)
    }

    /// The operands of a union, normalized; or of an intersection, by the dual laws.
    fn gather(&mut self, parts: Vec<Id>, union: bool) -> Outcome<Id> {
        let (unit, zero) = if union { (EMPTY, FULL) } else { (FULL, EMPTY) };
        let mut set: Vec<Id> = Vec::with_capacity(parts.len());
        for part in parts {
            match &self.nodes[part as usize] {
                Node::Union(inner) if union => set.extend_from_slice(inner),
                Node::Intersection(inner) if !union => set.extend_from_slice(inner),
                _ => set.push(part),
            }
        }
        set.sort_unstable();
        set.dedup();
        set.retain(|&part| part != unit);
        self.budget.spend(set.len() as u64)?;
        if set.contains(&zero) || self.has_opposites(&set) {
            return Ok(zero);
        }
        if set.contains(&EPSILON) && set.len() > 1 {
            if union {
                if set.iter().any(|&part| part != EPSILON && self.nullable(part)) {
                    set.retain(|&part| part != EPSILON);
                }
            } else {
                return Ok(if set.iter().all(|&part| self.nullable(part)) { EPSILON } else { EMPTY });
            }
        }
        match set[..] {
            [] => Ok(unit),
            [only] => Ok(only),
            _ if union => self.intern(Node::Union(set.into())),
            _ => self.intern(Node::Intersection(set.into())),
        }
    }

    /// Whether a sorted set contains an expression and its complement.
    fn has_opposites(&self, set: &[Id]) -> bool {
        set.iter().any(|&part| match self.nodes[part as usize] {
            Node::Complement(inner) => set.binary_search(&inner).is_ok(),
            _ => false,
        })
    }

    /// The derivative by a code point of the class.
    pub(super) fn derivative(&mut self, id: Id, class: u32) -> Outcome<Id> {
        if let Some(&known) = self.derivatives.get(&(id, class)) {
            return Ok(known);
        }
        let mut pending = vec![id];
        while let Some(&top) = pending.last() {
            if self.derivatives.contains_key(&(top, class)) {
                pending.pop();
                continue;
            }
            self.budget.spend(1)?;
            let before = pending.len();
            self.push_missing(top, class, &mut pending);
            if pending.len() == before {
                let result = self.derive_from_children(top, class)?;
                self.derivatives.insert((top, class), result);
                pending.pop();
            }
        }
        Ok(self.derivatives[&(id, class)])
    }

    /// Pushes the operands whose derivatives are needed and not yet known.
    fn push_missing(&self, id: Id, class: u32, pending: &mut Vec<Id>) {
        let mut need = |part: Id| {
            if !self.derivatives.contains_key(&(part, class)) {
                pending.push(part);
            }
        };
        match &self.nodes[id as usize] {
            Node::Empty | Node::Epsilon | Node::Range(..) => {}
            Node::Concat(a, b) => {
                need(*a);
                if self.nullable(*a) {
                    need(*b);
                }
            }
            Node::Union(parts) | Node::Intersection(parts) => parts.iter().copied().for_each(need),
            Node::Complement(a) | Node::Repeat(a, ..) => need(*a),
        }
    }

    /// The derivative of a node whose operands have theirs.
    fn derive_from_children(&mut self, id: Id, class: u32) -> Outcome<Id> {
        let of = |arena: &Arena, part: Id| arena.derivatives[&(part, class)];
        match self.nodes[id as usize].clone() {
            Node::Empty | Node::Epsilon => Ok(EMPTY),
            Node::Range(low, high) => {
                let code = self.classes[class as usize];
                Ok(if (low..=high).contains(&code) { EPSILON } else { EMPTY })
            }
            Node::Concat(a, b) => {
                let first = self.concat(of(self, a), b)?;
                if !self.nullable(a) {
                    return Ok(first);
                }
                let second = of(self, b);
                self.union(vec![first, second])
            }
            Node::Union(parts) => {
                let parts = parts.iter().map(|&part| of(self, part)).collect();
                self.union(parts)
            }
            Node::Intersection(parts) => {
                let parts = parts.iter().map(|&part| of(self, part)).collect();
                self.intersection(parts)
            }
            Node::Complement(a) => self.complement(of(self, a)),
            Node::Repeat(a, low, high) => {
                let rest = self.repeat(a, low.saturating_sub(1), high.map(|h| h.saturating_sub(1)))?;
                self.concat(of(self, a), rest)
            }
        }
    }
}
