//! Evaluates prepared operators and functions that have no specialized node.

use std::sync::Arc;

use smt::{Op, Term};

use super::code::{Application, Dispatch, NodeRef, Operands, PreparedBody};
use crate::data::Value;
use crate::definition::FunctionDefinition;
use crate::eval::Evaluator;
use crate::eval::rule::{Fold, Rule};
use crate::theories::{arithmetic, core};
use crate::theory::Apply;

/// The deepest nesting of nodes, calls included. Nodes are evaluated recursively.
pub(super) const MAX_DEPTH: u32 = 400;

impl<'a> Evaluator<'a> {
    /// The serial number of the current binding at a level.
    #[inline]
    pub(super) fn serial_at(&self, level: u16) -> u64 {
        let prepared = &self.memory.prepared;
        match level {
            0 => prepared.levels[0],
            level => prepared.levels[prepared.level_base + usize::from(level)],
        }
    }

    /// The value of a variable.
    #[inline]
    pub(super) fn param(&self, index: u32) -> &Value {
        &self.memory.prepared.frame[self.memory.prepared.frame_base + index as usize]
    }

    /// The value that the model gives a symbol directly.
    #[inline]
    pub(super) fn assigned_value(&self, op: Op) -> Option<&'a Value> {
        if !self.definitions.is_empty() && self.definitions.contains_key(&op) {
            return None;
        }
        self.model.value(op)
    }

    /// The definition of a symbol, by the script or by the model.
    #[inline]
    fn definition(&self, op: Op) -> Option<&'a FunctionDefinition> {
        let own = if self.definitions.is_empty() { None } else { self.definitions.get(&op) };
        own.or_else(|| self.model.definition(op))
    }

    /// The node of a constant's definition.
    #[inline]
    pub(super) fn defined_node(&mut self, op: Op) -> Option<(NodeRef, u32)> {
        let defined = self.definition(op)?;
        if !defined.params.is_empty() {
            return None;
        }
        self.body(op, defined).map(|body| (body.node, body.depth))
    }

    /// A definition, prepared once.
    #[inline]
    fn body(&mut self, op: Op, defined: &FunctionDefinition) -> Option<PreparedBody> {
        match self.memory.prepared.code.definitions.get(op.index()) {
            Some(Some(prepared))
                if prepared.body == defined.body && same(&prepared.params, &defined.params) =>
            {
                prepared.prepared
            }
            _ => self.prepare_definition(op, defined),
        }
    }

    /// Evaluates the definition of a constant, which cannot see the variables of the place where it is used.
    pub(super) fn in_new_frame<T>(
        &mut self,
        depth: u32,
        inside: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let prepared = &mut self.memory.prepared;
        let (frame_base, level_base) = (prepared.frame_base, prepared.level_base);
        prepared.frame_base = prepared.frame.len();
        prepared.level_base = prepared.levels.len() - 1;
        let result = self.with_depth(depth, inside)?;
        let prepared = &mut self.memory.prepared;
        (prepared.frame_base, prepared.level_base) = (frame_base, level_base);
        Some(result)
    }

    /// Evaluates something that nests `depth` levels deeper, unless that is too deep.
    #[inline]
    pub(super) fn with_depth<T>(
        &mut self,
        depth: u32,
        inside: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let depth = depth + 1;
        if self.memory.prepared.depth + depth > MAX_DEPTH {
            return None;
        }
        self.memory.prepared.depth += depth;
        let result = inside(self)?;
        self.memory.prepared.depth -= depth;
        Some(result)
    }

    /// The value of an application that has no specialized node.
    pub(super) fn eval_application(&mut self, index: u32) -> Option<Value> {
        let Application { dispatch, op, term, args } = self.memory.prepared.code.applications[index as usize];
        match dispatch {
            Dispatch::Call => self.eval_call(op, args),
            Dispatch::Select => self.eval_select(args),
            Dispatch::Field(constructor, field) => {
                let NodeRef::Value(at) = self.memory.prepared.code.nodes[args.start as usize] else {
                    return None;
                };
                self.with_value(at, |value| match value {
                    Value::Data(data) if data.constructor == constructor => {
                        data.fields.items.get(field as usize).cloned()
                    }
                    _ => None,
                })
            }
            Dispatch::Rule(rule) => {
                let base = self.push_operands(args)?;
                let value = self.apply_to_operands(rule, op, term, base)?;
                self.memory.prepared.operands.truncate(base);
                Some(value)
            }
        }
    }

    /// Evaluates operands onto the stack. Returns the position of the first.
    fn push_operands(&mut self, args: Operands) -> Option<usize> {
        let base = self.memory.prepared.operands.len();
        for at in args.range() {
            let node = self.memory.prepared.code.nodes[at];
            let value = self.eval_node(node)?;
            self.memory.prepared.operands.push(value);
        }
        Some(base)
    }

    /// Reads an array.
    fn eval_select(&mut self, args: Operands) -> Option<Value> {
        if let (2, NodeRef::Value(array)) = (args.len, self.memory.prepared.code.nodes[args.start as usize]) {
            let index = self.memory.prepared.code.nodes[args.start as usize + 1];
            let index = self.eval_node(index)?;
            let array = match self.peek(array) {
                Some(Value::Array(table)) if table.arity() == 1 => {
                    return table.get(&index, &self.limits.values).ok().cloned();
                }
                Some(array) => array.clone(),
                None => self.eval_value(array)?,
            };
            return self.apply_value(&array, &[index]).ok();
        }
        let base = self.push_operands(args)?;
        let args = self.memory.prepared.operands.split_off(base);
        self.apply_value(&args[0], &args[1..]).ok()
    }

    /// Applies a rule to the operands from `base` on.
    fn apply_to_operands(&mut self, rule: Rule, op: Op, term: Term, base: usize) -> Option<Value> {
        let cx = self.context(op, Some(term));
        let args = &self.memory.prepared.operands[base..];
        match rule {
            Rule::Theory { rule, min_args, fold } => match (args.len(), fold) {
                (1, _) if min_args == 2 => Some(args[0].clone()),
                (given, _) if given < min_args as usize => None,
                (0..=2, _) | (_, Fold::None) => rule(&cx, args).ok(),
                (_, Fold::Left) => {
                    let mut result = rule(&cx, &args[..2]).ok()?;
                    for arg in &args[2..] {
                        result = rule(&cx, &[result, arg.clone()]).ok()?;
                    }
                    Some(result)
                }
                (_, Fold::Chain) => {
                    for pair in args.windows(2) {
                        match rule(&cx, pair).ok()? {
                            Value::Bool(true) => {}
                            value => return Some(value),
                        }
                    }
                    Some(Value::Bool(true))
                }
            },
            Rule::Equal => core::equal_all(&cx, args).ok(),
            Rule::Distinct => core::distinct(&cx, args).ok(),
            Rule::Times => arithmetic::times(&cx, args).ok(),
            Rule::Constructor(datatype, number) => {
                let fields = self.memory.prepared.operands.split_off(base);
                Value::data(datatype, number, fields).ok()
            }
            rule => {
                let args = self.memory.prepared.operands.split_off(base);
                self.apply_general(rule, op, term, &args).ok()
            }
        }
    }

    /// Calls a function.
    fn eval_call(&mut self, op: Op, args: Operands) -> Option<Value> {
        if let Some(value) = self.assigned_value(op) {
            let base = self.push_operands(args)?;
            let args = self.memory.prepared.operands.split_off(base);
            return self.apply_value(value, &args).ok();
        }
        let defined = self.definition(op)?;
        if defined.recursive || defined.params.len() != args.len as usize {
            return None;
        }
        let PreparedBody { node, constant, depth, size } = self.body(op, defined)?;
        if constant {
            return self.in_new_frame(depth, |this| this.eval_node(node));
        }
        let base = self.push_operands(args)?;
        self.steps = self.steps.checked_sub(u64::from(size))?;
        let before = self.memory.prepared.enter(base);
        let value = self.with_depth(depth, |this| this.eval_node(node))?;
        self.memory.prepared.leave(before);
        Some(value)
    }
}

/// Whether two parameter lists are equal. Most are shared or empty.
#[inline]
fn same(a: &Arc<[Term]>, b: &Arc<[Term]>) -> bool {
    (a.is_empty() && b.is_empty()) || Arc::ptr_eq(a, b) || a == b
}
