//! What an evaluator keeps between terms and between models: values already known, and the stacks of its machine.
//!
//! A value may depend on local variables. Every binding of one gets a serial number, and a value is kept with the greatest
//! number that it depends on: it holds as long as that binding stands and nothing that it may depend on was hidden since.

use std::collections::HashMap;

use smt::{FixedState, Op, Term};

use super::Meaning;
use super::prepared::Prepared;
use super::rule::Rule;
use super::stack::{Dependence, Frame, Mark};
use crate::data::Value;
use crate::reason::Outcome;

/// Marks values that no model changes.
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

/// A local variable that has a value, and what its name meant before.
struct Bound {
    local: Term,
    serial: u32,
    hidden: Slot,
    barrier: u32,
}

/// What an evaluator keeps. It belongs to one arena: for another, make a new one.
#[derive(Default)]
pub struct Memory(Option<Box<State>>);

impl Memory {
    pub(super) fn into_state(self) -> Box<State> {
        self.0.unwrap_or_default()
    }
}

impl From<Box<State>> for Memory {
    fn from(state: Box<State>) -> Memory {
        Memory(Some(state))
    }
}

/// What an evaluator keeps, as it writes on it.
#[derive(Default)]
pub(super) struct State {
    generation: u32,
    slots: Vec<Slot>,
    bound: Vec<Bound>,
    serial: u32,
    /// Values that depend on bindings before this serial are not to be used: a name that they may mention was hidden.
    barrier: u32,
    pub(super) rules: Vec<Option<Rule>>,
    pub(super) meanings: Vec<Option<Meaning>>,
    pub(super) calls: HashMap<(Op, Box<[Value]>), Outcome<Value>, FixedState>,
    pub(super) values: Vec<Value>,
    pub(super) marks: Vec<Mark>,
    pub(super) frames: Vec<Frame>,
    pub(super) prepared: Prepared,
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
    }

    /// Makes room for new terms and forgets nothing.
    pub(super) fn extend(&mut self, terms: usize) {
        if self.generation == 0 {
            self.generation = 1;
            self.prepared.begin();
        }
        if self.slots.len() < terms {
            self.slots.resize(terms, Slot::EMPTY);
        }
    }

    /// The value that is known for a term.
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

    /// Keeps the value of a term.
    #[inline]
    pub(super) fn keep(&mut self, term: Term, outcome: Outcome<Value>, dependence: Dependence) {
        self.slots[term.index()] = Slot { generation: self.generation, dependence, outcome };
    }

    /// Keeps the value of a term that no model changes.
    pub(super) fn keep_for_all_models(&mut self, term: Term, outcome: Outcome<Value>) {
        self.slots[term.index()] = Slot { generation: ALWAYS, dependence: Dependence::NONE, outcome };
    }

    /// Gives local variables values, all at once. Returns the first serial number.
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

    /// Takes the values of the latest bindings away until so many are left.
    pub(super) fn unbind_to(&mut self, count: usize) {
        while self.bound.len() > count {
            let Some(bound) = self.bound.pop() else { return };
            self.slots[bound.local.index()] = bound.hidden;
            self.barrier = bound.barrier;
        }
    }

    /// How many bindings there are.
    pub(super) fn bindings(&self) -> usize {
        self.bound.len()
    }

    /// Forgets values when serial numbers are about to run out. Called only while nothing is bound.
    pub(super) fn renew(&mut self) {
        if self.serial > u32::MAX / 2 && self.bound.is_empty() && self.generation < ALWAYS - 1 {
            self.generation += 1;
            self.serial = 0;
            self.barrier = 0;
        }
    }

    /// A dependence on everything that is bound now.
    pub(super) fn here(&self) -> Dependence {
        match self.bound.last() {
            Some(bound) => Dependence { serial: bound.serial, position: self.bound.len() as u32 - 1 },
            None => Dependence::NONE,
        }
    }
}
