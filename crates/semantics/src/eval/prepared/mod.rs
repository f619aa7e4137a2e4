//! The prepared form of terms: a term that is evaluated again is translated once into nodes with a resolved operator and a known
//! kind of value (`code`, built by `prepare` and `operators`), which are then evaluated for every further model (`run`, `call`,
//! `quantified`).
//!
//! Nodes do not depend on a model: each evaluation looks values up in the current one. Nodes compute determined values only. If
//! something is undetermined, too large or unusual, the machine evaluates the whole term instead.

mod call;
mod code;
mod nodes;
mod operators;
mod prepare;
mod quantified;
mod run;

use smt::Term;

use super::Evaluator;
use crate::data::Value;
use code::{Code, NodeRef};

/// All prepared terms, and the stacks for evaluating them.
#[derive(Default)]
pub(super) struct Prepared {
    code: Code,
    /// The nodes of terms whose integers do not fit an `i64`. Swapped with `code` while such a term is evaluated.
    wide_code: Code,
    /// The state of each term.
    states: Vec<State>,
    /// Arguments of rules.
    operands: Vec<Value>,
    /// The values of variables. Those of the current function begin at `frame_base`.
    frame: Vec<Value>,
    frame_base: usize,
    /// The serial numbers of the current bindings: first that of the model, then those of variables.
    levels: Vec<u64>,
    level_base: usize,
    /// The latest serial number.
    serial: u64,
    /// The nesting depth of the nodes under evaluation.
    depth: u32,
}

/// Whether a term is prepared.
#[derive(Clone, Copy, Default)]
enum State {
    /// Not evaluated yet.
    #[default]
    New,
    /// Evaluated once, by the machine.
    Seen,
    /// Prepared.
    Ready(NodeRef),
    /// Prepared with unbounded integers.
    Wide(NodeRef),
    /// Left to the machine.
    Unsupported,
}

/// The caller's state, restored when a call returns.
#[derive(Clone, Copy)]
struct Caller {
    frame_base: usize,
    frame: usize,
    level_base: usize,
}

impl Prepared {
    /// Forgets the values of the last model.
    pub(super) fn begin(&mut self) {
        self.serial += 1;
        self.levels.clear();
        self.levels.push(self.serial);
    }

    /// Enters a function whose arguments are the operands from `base` on.
    fn enter(&mut self, base: usize) -> Caller {
        let caller =
            Caller { frame_base: self.frame_base, frame: self.frame.len(), level_base: self.level_base };
        self.frame_base = self.frame.len();
        self.frame.extend(self.operands.drain(base..));
        self.serial += 1;
        self.levels.push(self.serial);
        self.level_base = self.levels.len() - 2;
        caller
    }

    fn leave(&mut self, caller: Caller) {
        self.frame.truncate(caller.frame);
        self.frame_base = caller.frame_base;
        self.levels.pop();
        self.level_base = caller.level_base;
    }

    /// Cleans up after an evaluation that was given up.
    fn reset(&mut self) {
        self.operands.clear();
        self.frame.clear();
        self.frame_base = 0;
        self.levels.truncate(1);
        self.level_base = 0;
        self.depth = 0;
    }
}

impl Evaluator<'_> {
    /// The value of a term, if it is prepared and its nodes determine it.
    #[inline]
    pub(super) fn evaluate_prepared(&mut self, term: Term) -> Option<Value> {
        let state = self.memory.prepared.states.get(term.index()).copied().unwrap_or_default();
        match state {
            State::Ready(node) => self.eval_node(node).or_else(|| self.give_up(term, State::Seen)),
            State::Wide(node) => self.eval_wide_node(node).or_else(|| self.give_up(term, State::Unsupported)),
            State::Unsupported => None,
            State::New | State::Seen => self.prepare_if_repeated(term, state),
        }
    }

    /// Prepares a term that is evaluated the second time. A term with a quantifier is prepared at once, since its body is evaluated
    /// for many instances.
    #[cold]
    fn prepare_if_repeated(&mut self, term: Term, state: State) -> Option<Value> {
        let states = &mut self.memory.prepared.states;
        if states.len() <= term.index() {
            states.resize(self.arena.len(), State::New);
        }
        self.memory.prepared.states[term.index()] = State::Seen;
        if matches!(state, State::New) && !self.arena.has_binder(term) {
            return None;
        }
        match self.prepare(term) {
            Some(node) => {
                self.memory.prepared.states[term.index()] = State::Ready(node);
                self.eval_node(node).or_else(|| self.give_up(term, State::Seen))
            }
            None => self.evaluate_wide(term),
        }
    }

    /// Prepares and evaluates a term with unbounded integers.
    fn evaluate_wide(&mut self, term: Term) -> Option<Value> {
        self.swap_code();
        self.memory.prepared.code.wide = true;
        let node = self.prepare(term);
        self.swap_code();
        self.memory.prepared.states[term.index()] = node.map_or(State::Unsupported, State::Wide);
        let value = node.and_then(|node| self.eval_wide_node(node));
        value.or_else(|| self.give_up(term, State::Unsupported))
    }

    fn eval_wide_node(&mut self, node: NodeRef) -> Option<Value> {
        self.swap_code();
        let value = self.eval_node(node);
        self.swap_code();
        value
    }

    fn swap_code(&mut self) {
        let prepared = &mut self.memory.prepared;
        std::mem::swap(&mut prepared.code, &mut prepared.wide_code);
    }

    /// The prepared form gave no value. Numbers may have been too large for an `i64`: tries unbounded integers once, unless the first
    /// attempt took long. Otherwise leaves the term to the machine.
    #[cold]
    fn give_up(&mut self, term: Term, state: State) -> Option<Value> {
        self.memory.prepared.reset();
        match state {
            State::Seen if self.steps > self.limits.steps / 2 => {
                self.steps = self.limits.steps;
                self.evaluate_wide(term)
            }
            _ => {
                self.memory.prepared.states[term.index()] = State::Unsupported;
                None
            }
        }
    }
}
