//! Terms that are evaluated again are prepared: taken apart once into nodes that know their operator and the kind of their value
//! ([`code`], made by [`prepare`] and [`operators`]), and evaluated from these for every further model ([`run`], [`call`],
//! [`quantified`]).
//!
//! What is prepared says nothing about a model: each evaluation asks the model anew. It knows definite values only. Whatever is
//! undetermined, too large or unusual is left to the machine, which evaluates such a term as if nothing had been prepared.

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

/// What is prepared, and the stacks for evaluating it.
#[derive(Default)]
pub(super) struct Prepared {
    code: Code,
    /// The nodes of terms in which integers do not fit words, while those in `code` are in use; or the other way round.
    wide_code: Code,
    /// By term: dispatch far it is prepared.
    states: Vec<State>,
    /// Values on their way into a rule.
    operands: Vec<Value>,
    /// The values of variables; those of the function that is evaluated begin at `frame_base`.
    frame: Vec<Value>,
    frame_base: usize,
    /// The serial numbers of the bindings in force: first that of the model, then those of variables.
    levels: Vec<u64>,
    level_base: usize,
    /// The latest serial number.
    serial: u64,
    /// Dispatch deep the nodes nest that are evaluated now.
    depth: u32,
}

/// Dispatch far a term is prepared.
#[derive(Clone, Copy, Default)]
enum State {
    /// It was not evaluated yet.
    #[default]
    New,
    /// It was evaluated once, by the machine.
    Seen,
    /// It is prepared.
    Ready(NodeRef),
    /// It is prepared with integers of any size.
    Wide(NodeRef),
    /// It is the machine's.
    Unsupported,
}

/// What a call returns to.
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

    /// Makes the operands from `base` on the variables of a function.
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

    /// Ends an evaluation that was given up halfway.
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
    /// The value of a term, if it is prepared and can be had so.
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

    /// Remembers that a term was evaluated, or prepares it if it is evaluated again. One with a quantifier is prepared at once,
    /// since its body is evaluated for many instances.
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

    /// Prepares a term with integers of any size.
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

    /// What was prepared gave nothing. Numbers may have been too large for words, which is tried once, unless it has taken long
    /// already; else the machine is better at it.
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
