//! What an evaluator keeps between terms and models: known values, and the stacks of its machine.
//!
//! A value may depend on local variables. Every binding gets a serial number, and a value is stored with the greatest serial it
//! depends on. The value is valid while that binding is active and no name that it may mention has been shadowed since.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use smt::{FixedState, Op, Sort, Term};

use super::Meaning;
use super::prepared::Prepared;
use super::rule::Rule;
use super::stack::{Dependence, Frame, Mark};
use crate::data::Value;
use crate::reason::Outcome;

/// The generation of values that no model changes.
const ALWAYS: u32 = u32::MAX;

#[derive(Clone)]
struct Slot {
    generation: u32,
    dependence: Dependence,
    outcome: Outcome<Value>,
}

impl Slot {
    const EMPTY: Slot = Slot { generation: 0, dependence: Dependence::NONE, outcome: Ok(Value::Bool(false)) };
}

/// A bound local variable, and the slot that its value replaced.
struct Bound {
    local: Term,
    serial: u32,
    hidden: Slot,
    barrier: u32,
}

/// Values and buffers that evaluators over one arena can share, one after the other.
///
/// Passing the memory on saves allocations and keeps prepared terms. Do not use it with another arena.
#[derive(Default)]
pub struct Memory(Option<Box<State>>);

impl Memory {
    pub(super) fn from_state(state: Box<State>) -> Memory {
        Memory(Some(state))
    }

    pub(super) fn into_state(self) -> Box<State> {
        self.0.unwrap_or_default()
    }
}

/// The contents of a [`Memory`] in use.
#[derive(Default)]
pub(super) struct State {
    generation: u32,
    slots: Vec<Slot>,
    bound: Vec<Bound>,
    serial: u32,
    /// Values that depend on a binding before this serial are invalid: a name that they may mention is shadowed.
    barrier: u32,
    pub(super) rules: Vec<Option<Rule>>,
    pub(super) meanings: Vec<Option<Meaning>>,
    pub(super) calls: HashMap<(Op, Box<[Value]>), Outcome<Value>, FixedState>,
    pub(super) values: Vec<Value>,
    pub(super) marks: Vec<Mark>,
    pub(super) frames: Vec<Frame>,
    pub(super) prepared: Prepared,
    /// Quantifiers that symbolic reasoning cannot decide in this model.
    pub(super) undecidable: BTreeSet<Term>,
    /// All values of small sorts: an inner quantifier needs them for each value of an outer one.
    pub(super) sort_values: BTreeMap<Sort, Arc<[Value]>>,
}

impl State {
    /// Forgets what depends on a model.
    pub(super) fn begin(&mut self, terms: usize) {
        self.generation += 1;
        if self.generation == ALWAYS {
            self.slots.clear();
            self.generation = 1;
        }
        if self.slots.len() < terms {
            self.slots.resize(terms, Slot::EMPTY);
        }
        self.bound.clear();
        self.serial = 0;
        self.barrier = 0;
        self.meanings.clear();
        self.calls.clear();
        self.values.clear();
        self.marks.clear();
        self.frames.clear();
        self.prepared.begin();
        self.undecidable.clear();
        self.sort_values.clear();
    }

    /// Makes room for new terms and keeps all values.
    pub(super) fn extend(&mut self, terms: usize) {
        if self.generation == 0 {
            self.generation = 1;
            self.prepared.begin();
        }
        if self.slots.len() < terms {
            self.slots.resize(terms, Slot::EMPTY);
        }
    }

    /// The known value of a term.
    #[inline]
    pub(super) fn recall(&self, term: Term) -> Option<(&Outcome<Value>, Dependence)> {
        let slot = &self.slots[term.index()];
        if slot.generation != self.generation && slot.generation != ALWAYS {
            return None;
        }
        let dependence = slot.dependence;
        if dependence.serial == 0 || (dependence.serial >= self.barrier && self.is_bound(dependence)) {
            return Some((&slot.outcome, dependence));
        }
        None
    }

    /// The value of a local variable.
    pub(super) fn local(&self, local: Term) -> Option<(&Outcome<Value>, Dependence)> {
        let slot = &self.slots[local.index()];
        let bound = slot.generation == self.generation && self.is_bound(slot.dependence);
        bound.then_some((&slot.outcome, slot.dependence))
    }

    #[inline]
    fn is_bound(&self, dependence: Dependence) -> bool {
        self.bound.get(dependence.position as usize).is_some_and(|bound| bound.serial == dependence.serial)
    }

    /// Stores the value of a term.
    #[inline]
    pub(super) fn keep(&mut self, term: Term, outcome: Outcome<Value>, dependence: Dependence) {
        self.slots[term.index()] = Slot { generation: self.generation, dependence, outcome };
    }

    /// Stores the value of a term that is the same in all models.
    pub(super) fn keep_for_all_models(&mut self, term: Term, outcome: Outcome<Value>) {
        self.slots[term.index()] = Slot { generation: ALWAYS, dependence: Dependence::NONE, outcome };
    }

    /// Binds local variables, all at once. Returns the first serial number.
    pub(super) fn bind(&mut self, locals: &[Term], outcomes: impl Iterator<Item = Outcome<Value>>) -> u32 {
        let first = self.serial + 1;
        let before = self.barrier;
        if locals.iter().any(|&local| self.local(local).is_some()) {
            self.barrier = first;
        }
        for (&local, outcome) in locals.iter().zip(outcomes) {
            self.serial += 1;
            let dependence = Dependence { serial: self.serial, position: self.bound.len() as u32 };
            let slot = Slot { generation: self.generation, dependence, outcome };
            let hidden = std::mem::replace(&mut self.slots[local.index()], slot);
            self.bound.push(Bound { local, serial: self.serial, hidden, barrier: before });
        }
        first
    }

    /// Ends the latest bindings until `count` are left.
    pub(super) fn unbind_to(&mut self, count: usize) {
        while self.bound.len() > count {
            let Some(bound) = self.bound.pop() else { return };
            self.slots[bound.local.index()] = bound.hidden;
            self.barrier = bound.barrier;
        }
    }

    /// The number of active bindings.
    pub(super) fn bindings(&self) -> usize {
        self.bound.len()
    }

    /// Forgets all values before serial numbers run out. Has an effect only while nothing is bound.
    pub(super) fn renew(&mut self) {
        if self.serial > u32::MAX / 2 && self.bound.is_empty() && self.generation < ALWAYS - 1 {
            self.generation += 1;
            self.serial = 0;
            self.barrier = 0;
        }
    }

    /// A dependence on all current bindings.
    pub(super) fn here(&self) -> Dependence {
        match self.bound.last() {
            Some(bound) => Dependence { serial: bound.serial, position: self.bound.len() as u32 - 1 },
            None => Dependence::NONE,
        }
    }
}
