//! Operators and functions in what is prepared: values from the model, calls, and rules that take values.

use std::sync::Arc;

use smt::{Op, Term};

use super::code::{Body, How, Part, Run, Use};
use crate::data::Value;
use crate::definition::FunctionDefinition;
use crate::eval::Evaluator;
use crate::eval::rule::{Fold, Rule};
use crate::theories::{arithmetic, core};
use crate::theory::Apply;

/// How deep nodes may nest in each other, calls included: they are evaluated recursively.
pub(super) const DEEPEST: u32 = 400;

impl<'a> Evaluator<'a> {
    /// The serial number of the binding in force at a level.
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
    pub(super) fn param(&self, place: u32) -> &Value {
        &self.memory.prepared.frame[self.memory.prepared.frame_base + place as usize]
    }

    /// The value that the model gives a symbol directly.
    #[inline]
    pub(super) fn told_value(&self, op: Op) -> Option<&'a Value> {
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

    /// What a constant is defined as.
    #[inline]
    pub(super) fn defined_part(&mut self, op: Op) -> Option<(Part, u32)> {
        let defined = self.definition(op)?;
        if !defined.params.is_empty() {
            return None;
        }
        self.body(op, defined).map(|body| (body.part, body.depth))
    }

    /// A definition, prepared once.
    #[inline]
    fn body(&mut self, op: Op, defined: &FunctionDefinition) -> Option<Body> {
        match self.memory.prepared.code.units.get(op.index()) {
            Some(Some(unit)) if unit.body == defined.body && same(&unit.params, &defined.params) => {
                unit.prepared
            }
            _ => self.prepare_definition(op, defined),
        }
    }

    /// Evaluates the definition of a constant, where no variable of the place that asks for it is known.
    pub(super) fn apart<T>(&mut self, depth: u32, inside: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let prepared = &mut self.memory.prepared;
        let (frame_base, level_base) = (prepared.frame_base, prepared.level_base);
        prepared.frame_base = prepared.frame.len();
        prepared.level_base = prepared.levels.len() - 1;
        let result = self.deeper(depth, inside)?;
        let prepared = &mut self.memory.prepared;
        (prepared.frame_base, prepared.level_base) = (frame_base, level_base);
        Some(result)
    }

    /// Evaluates what lies so much deeper, unless that is too deep.
    #[inline]
    pub(super) fn deeper<T>(&mut self, depth: u32, inside: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let depth = depth + 1;
        if self.memory.prepared.depth + depth > DEEPEST {
            return None;
        }
        self.memory.prepared.depth += depth;
        let result = inside(self)?;
        self.memory.prepared.depth -= depth;
        Some(result)
    }

    /// The value of an operator or function without a node of its own.
    pub(super) fn used(&mut self, place: u32) -> Option<Value> {
        let Use { how, op, term, args } = self.memory.prepared.code.uses[place as usize];
        match how {
            How::Call => self.called(op, args),
            How::Select => self.selected(args),
            How::Field(constructor, field) => {
                let Part::Value(at) = self.memory.prepared.code.parts[args.start as usize] else {
                    return None;
                };
                self.with_one(at, |value| match value {
                    Value::Data(data) if data.constructor == constructor => {
                        data.fields.items.get(field as usize).cloned()
                    }
                    _ => None,
                })
            }
            How::Rule(rule) => {
                let base = self.push_operands(args)?;
                let value = self.apply_prepared(rule, op, term, base)?;
                self.memory.prepared.operands.truncate(base);
                Some(value)
            }
        }
    }

    /// Evaluates operands onto the stack. Returns where they begin.
    fn push_operands(&mut self, args: Run) -> Option<usize> {
        let base = self.memory.prepared.operands.len();
        for at in args.range() {
            let part = self.memory.prepared.code.parts[at];
            let value = self.part(part)?;
            self.memory.prepared.operands.push(value);
        }
        Some(base)
    }

    /// Reads an array.
    fn selected(&mut self, args: Run) -> Option<Value> {
        if let (2, Part::Value(array)) = (args.len, self.memory.prepared.code.parts[args.start as usize]) {
            let index = self.memory.prepared.code.parts[args.start as usize + 1];
            let index = self.part(index)?;
            let array = match self.standing(array) {
                Some(Value::Array(table)) if table.arity() == 1 => {
                    return table.get(&index, &self.limits.values).ok().cloned();
                }
                Some(array) => array.clone(),
                None => self.value(array)?,
            };
            return self.apply_value(&array, &[index]).ok();
        }
        let base = self.push_operands(args)?;
        let args = self.memory.prepared.operands.split_off(base);
        self.apply_value(&args[0], &args[1..]).ok()
    }

    /// Applies a rule to the operands from `base` on.
    fn apply_prepared(&mut self, rule: Rule, op: Op, term: Term, base: usize) -> Option<Value> {
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
                self.apply_rare(rule, op, term, &args).ok()
            }
        }
    }

    /// Calls a function.
    fn called(&mut self, op: Op, args: Run) -> Option<Value> {
        if let Some(value) = self.told_value(op) {
            let base = self.push_operands(args)?;
            let args = self.memory.prepared.operands.split_off(base);
            return self.apply_value(value, &args).ok();
        }
        let defined = self.definition(op)?;
        if defined.recursive || defined.params.len() != args.len as usize {
            return None;
        }
        let Body { part, constant, depth, size } = self.body(op, defined)?;
        if constant {
            return self.apart(depth, |this| this.part(part));
        }
        let base = self.push_operands(args)?;
        self.steps = self.steps.checked_sub(u64::from(size))?;
        let before = self.memory.prepared.enter(base);
        let value = self.deeper(depth, |this| this.part(part))?;
        self.memory.prepared.leave(before);
        Some(value)
    }
}

/// Whether two lists of parameters are the same; most are shared, or empty.
#[inline]
fn same(a: &Arc<[Term]>, b: &Arc<[Term]>) -> bool {
    (a.is_empty() && b.is_empty()) || Arc::ptr_eq(a, b) || a == b
}
