//! Evaluates nodes. The result is `None` if anything is in doubt: an undetermined operand, a number that does not fit its
//! representation, a limit. Then the machine, which handles all cases, evaluates the term from the start.

use std::cmp::Ordering;

use super::code::{BitVecNode, BoolNode, IntNode, Memoized, NodeId, NodeRef, Operands, Source, ValueNode};
use crate::data::{Value, equal};
use crate::eval::Evaluator;
use crate::value::bitvec::BitVec;
use crate::value::rational::Rational;

/// The low bits of a word.
fn low_bits(word: u64, width: u8) -> u64 {
    word & (u64::MAX >> (64 - u32::from(width)))
}

/// The signed number in the low bits.
fn signed(word: u64, width: u8) -> i64 {
    let unused = 64 - u32::from(width);
    ((word << unused) as i64) >> unused
}

fn as_int(value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) => number.to_i64(),
        _ => None,
    }
}

fn as_word(value: &Value) -> Option<u64> {
    match value {
        Value::BitVec(vector) => vector.to_u64(),
        _ => None,
    }
}

impl Evaluator<'_> {
    /// The value of a node.
    pub(super) fn eval_node(&mut self, node: NodeRef) -> Option<Value> {
        match node {
            NodeRef::Bool(id) => self.eval_bool(id).map(Value::Bool),
            NodeRef::Int(id) => self.eval_int(id).map(|number| Value::Int(number.into())),
            NodeRef::BitVec(id, width) => {
                self.eval_bitvec(id).map(|word| Value::BitVec(BitVec::from_u64(u32::from(width), word)))
            }
            NodeRef::Value(id) => self.eval_value(id),
        }
    }

    /// An operand.
    #[inline]
    fn item(&self, operands: Operands, at: u32) -> NodeId {
        self.memory.prepared.code.lists[(operands.start + at) as usize]
    }

    pub(super) fn eval_bool(&mut self, id: NodeId) -> Option<bool> {
        match self.memory.prepared.code.bools[id as usize] {
            BoolNode::Constant(truth) => Some(truth),
            BoolNode::Not(a) => self.eval_bool(a).map(|truth| !truth),
            BoolNode::And(operands) => self.any_operand_is(operands, false),
            BoolNode::Or(operands) => self.any_operand_is(operands, true),
            BoolNode::Implies(operands) => {
                let last = operands.len - 1;
                for at in 0..last {
                    if !self.eval_bool(self.item(operands, at))? {
                        return Some(true);
                    }
                }
                self.eval_bool(self.item(operands, last))
            }
            BoolNode::Xor(a, b) => Some(self.eval_bool(a)? ^ self.eval_bool(b)?),
            BoolNode::Ite(condition, then, otherwise) => {
                if self.eval_bool(condition)? {
                    self.eval_bool(then)
                } else {
                    self.eval_bool(otherwise)
                }
            }
            BoolNode::BoolEq(a, b) => Some(self.eval_bool(a)? == self.eval_bool(b)?),
            BoolNode::IntEq(a, b) => Some(self.eval_int(a)? == self.eval_int(b)?),
            BoolNode::BvEq(a, b) => Some(self.eval_bitvec(a)? == self.eval_bitvec(b)?),
            BoolNode::ValueEq(a, b) => {
                self.with_values(a, b, |this, a, b| equal(a, b, &this.limits.values).ok())
            }
            BoolNode::IntLe(a, b) => Some(self.eval_int(a)? <= self.eval_int(b)?),
            BoolNode::IntLt(a, b) => Some(self.eval_int(a)? < self.eval_int(b)?),
            BoolNode::BvUle(a, b) => Some(self.eval_bitvec(a)? <= self.eval_bitvec(b)?),
            BoolNode::BvUlt(a, b) => Some(self.eval_bitvec(a)? < self.eval_bitvec(b)?),
            BoolNode::BvSle(a, b, width) => {
                Some(signed(self.eval_bitvec(a)?, width) <= signed(self.eval_bitvec(b)?, width))
            }
            BoolNode::BvSlt(a, b, width) => {
                Some(signed(self.eval_bitvec(a)?, width) < signed(self.eval_bitvec(b)?, width))
            }
            BoolNode::RealLe(a, b) => Some(self.compare_reals(a, b)?.is_le()),
            BoolNode::RealLt(a, b) => Some(self.compare_reals(a, b)?.is_lt()),
            BoolNode::Tester(a, number) => self.with_value(a, |value| match value {
                Value::Data(data) => Some(data.constructor == number),
                _ => None,
            }),
            BoolNode::Quantified(index) => self.eval_quantifier(index),
            BoolNode::From(source) => match source {
                Source::Memoized(memoized) => {
                    if let Some(word) = self.memoized_word(memoized) {
                        return Some(word != 0);
                    }
                    let truth = self.eval_bool(memoized.inner)?;
                    self.memoize_word(memoized, u64::from(truth));
                    Some(truth)
                }
                Source::Symbol(op) => {
                    if let Some(value) = self.assigned_value(op) {
                        return value.as_bool();
                    }
                    match self.defined_node(op)? {
                        (NodeRef::Bool(id), depth) => match self.memory.prepared.code.bools[id as usize] {
                            BoolNode::Constant(truth) => Some(truth),
                            _ => self.in_new_frame(depth, |this| this.eval_bool(id)),
                        },
                        _ => None,
                    }
                }
                Source::Param(index) => self.param(index).as_bool(),
                Source::Application(index) => self.eval_application(index)?.as_bool(),
                Source::Machine(term) => self.run(term).ok()?.as_bool(),
            },
        }
    }

    /// `and` and `or`: one operand can decide them.
    fn any_operand_is(&mut self, operands: Operands, deciding: bool) -> Option<bool> {
        for at in 0..operands.len {
            if self.eval_bool(self.item(operands, at))? == deciding {
                return Some(deciding);
            }
        }
        Some(!deciding)
    }

    pub(super) fn eval_int(&mut self, id: NodeId) -> Option<i64> {
        match self.memory.prepared.code.ints[id as usize] {
            IntNode::Constant(number) => Some(number),
            IntNode::Add(operands) => {
                let mut sum = self.eval_int(self.item(operands, 0))?;
                for at in 1..operands.len {
                    sum = sum.checked_add(self.eval_int(self.item(operands, at))?)?;
                }
                Some(sum)
            }
            IntNode::Mul(operands) => {
                let mut product = self.eval_int(self.item(operands, 0))?;
                for at in 1..operands.len {
                    product = product.checked_mul(self.eval_int(self.item(operands, at))?)?;
                }
                Some(product)
            }
            IntNode::Sub(a, b) => self.eval_int(a)?.checked_sub(self.eval_int(b)?),
            IntNode::Neg(a) => self.eval_int(a)?.checked_neg(),
            IntNode::Abs(a) => self.eval_int(a)?.checked_abs(),
            // The model may define division by zero; the machine handles it.
            IntNode::Div(a, b) => self.eval_int(a)?.checked_div_euclid(self.eval_int(b)?),
            IntNode::Mod(a, b) => self.eval_int(a)?.checked_rem_euclid(self.eval_int(b)?),
            IntNode::Ite(condition, then, otherwise) => {
                if self.eval_bool(condition)? {
                    self.eval_int(then)
                } else {
                    self.eval_int(otherwise)
                }
            }
            IntNode::Unsigned(a) => i64::try_from(self.eval_bitvec(a)?).ok(),
            IntNode::Length(a) => self.with_value(a, |value| match value {
                Value::Str(text) => Some(text.len() as i64),
                _ => None,
            }),
            IntNode::From(source) => match source {
                Source::Memoized(memoized) => {
                    if let Some(word) = self.memoized_word(memoized) {
                        return Some(word as i64);
                    }
                    let number = self.eval_int(memoized.inner)?;
                    self.memoize_word(memoized, number as u64);
                    Some(number)
                }
                Source::Symbol(op) => {
                    if let Some(value) = self.assigned_value(op) {
                        return as_int(value);
                    }
                    match self.defined_node(op)? {
                        (NodeRef::Int(id), depth) => match self.memory.prepared.code.ints[id as usize] {
                            IntNode::Constant(number) => Some(number),
                            _ => self.in_new_frame(depth, |this| this.eval_int(id)),
                        },
                        _ => None,
                    }
                }
                Source::Param(index) => as_int(self.param(index)),
                Source::Application(index) => as_int(&self.eval_application(index)?),
                Source::Machine(term) => as_int(&self.run(term).ok()?),
            },
        }
    }

    pub(super) fn eval_bitvec(&mut self, id: NodeId) -> Option<u64> {
        let (code, width) = self.memory.prepared.code.bitvecs[id as usize];
        match code {
            BitVecNode::Constant(word) => Some(word),
            BitVecNode::And(operands) => self.fold_bitvecs(operands, |a, b| a & b),
            BitVecNode::Or(operands) => self.fold_bitvecs(operands, |a, b| a | b),
            BitVecNode::Xor(operands) => self.fold_bitvecs(operands, |a, b| a ^ b),
            BitVecNode::Add(operands) => {
                Some(low_bits(self.fold_bitvecs(operands, u64::wrapping_add)?, width))
            }
            BitVecNode::Mul(operands) => {
                Some(low_bits(self.fold_bitvecs(operands, u64::wrapping_mul)?, width))
            }
            BitVecNode::Not(a) => Some(low_bits(!self.eval_bitvec(a)?, width)),
            BitVecNode::Neg(a) => Some(low_bits(self.eval_bitvec(a)?.wrapping_neg(), width)),
            BitVecNode::Sub(a, b) => {
                Some(low_bits(self.eval_bitvec(a)?.wrapping_sub(self.eval_bitvec(b)?), width))
            }
            BitVecNode::Udiv(a, b) => {
                let (a, b) = (self.eval_bitvec(a)?, self.eval_bitvec(b)?);
                Some(a.checked_div(b).unwrap_or(low_bits(u64::MAX, width)))
            }
            BitVecNode::Urem(a, b) => {
                let (a, b) = (self.eval_bitvec(a)?, self.eval_bitvec(b)?);
                Some(a.checked_rem(b).unwrap_or(a))
            }
            BitVecNode::Shl(a, b) => {
                let (a, b) = (self.eval_bitvec(a)?, self.eval_bitvec(b)?);
                Some(if b >= u64::from(width) { 0 } else { low_bits(a << b, width) })
            }
            BitVecNode::Lshr(a, b) => {
                let (a, b) = (self.eval_bitvec(a)?, self.eval_bitvec(b)?);
                Some(if b >= u64::from(width) { 0 } else { a >> b })
            }
            BitVecNode::Ashr(a, b) => {
                let (a, b) = (self.eval_bitvec(a)?, self.eval_bitvec(b)?);
                Some(low_bits((signed(a, width) >> b.min(63)) as u64, width))
            }
            BitVecNode::Concat(a, b, low) => {
                let (a, b) = (self.eval_bitvec(a)?, self.eval_bitvec(b)?);
                Some(a << low | b)
            }
            BitVecNode::Extract(a, low) => Some(low_bits(self.eval_bitvec(a)? >> low, width)),
            BitVecNode::ZeroExtend(a) => self.eval_bitvec(a),
            BitVecNode::SignExtend(a, narrow) => {
                Some(low_bits(signed(self.eval_bitvec(a)?, narrow) as u64, width))
            }
            BitVecNode::Comp(a, b) => Some(u64::from(self.eval_bitvec(a)? == self.eval_bitvec(b)?)),
            BitVecNode::Ite(condition, then, otherwise) => {
                if self.eval_bool(condition)? {
                    self.eval_bitvec(then)
                } else {
                    self.eval_bitvec(otherwise)
                }
            }
            BitVecNode::From(source) => match source {
                Source::Memoized(memoized) => {
                    if let Some(word) = self.memoized_word(memoized) {
                        return Some(word);
                    }
                    let word = self.eval_bitvec(memoized.inner)?;
                    self.memoize_word(memoized, word);
                    Some(word)
                }
                Source::Symbol(op) => {
                    if let Some(value) = self.assigned_value(op) {
                        return as_word(value);
                    }
                    match self.defined_node(op)? {
                        (NodeRef::BitVec(id, _), depth) => {
                            match self.memory.prepared.code.bitvecs[id as usize] {
                                (BitVecNode::Constant(word), _) => Some(word),
                                _ => self.in_new_frame(depth, |this| this.eval_bitvec(id)),
                            }
                        }
                        _ => None,
                    }
                }
                Source::Param(index) => as_word(self.param(index)),
                Source::Application(index) => as_word(&self.eval_application(index)?),
                Source::Machine(term) => as_word(&self.run(term).ok()?),
            },
        }
    }

    fn fold_bitvecs(&mut self, operands: Operands, join: impl Fn(u64, u64) -> u64) -> Option<u64> {
        let mut result = self.eval_bitvec(self.item(operands, 0))?;
        for at in 1..operands.len {
            result = join(result, self.eval_bitvec(self.item(operands, at))?);
        }
        Some(result)
    }

    pub(super) fn eval_value(&mut self, id: NodeId) -> Option<Value> {
        match self.memory.prepared.code.values[id as usize] {
            ValueNode::Constant(index) => Some(self.memory.prepared.code.literals[index as usize].clone()),
            ValueNode::Ite(condition, then, otherwise) => {
                if self.eval_bool(condition)? {
                    self.eval_value(then)
                } else {
                    self.eval_value(otherwise)
                }
            }
            ValueNode::RealAdd(_)
            | ValueNode::RealMul(_)
            | ValueNode::RealSub(..)
            | ValueNode::RealNeg(_) => self.eval_real(id).map(Value::Real),
            ValueNode::ToReal(_) => self.eval_real(id).map(Value::Real),
            ValueNode::From(source) => match source {
                Source::Memoized(memoized) => {
                    let serial = self.serial_at(memoized.level);
                    match &self.memory.prepared.code.memo_values[memoized.memo as usize] {
                        (known, value) if *known == serial => return Some(value.clone()),
                        _ => {}
                    }
                    let value = self.eval_value(memoized.inner)?;
                    self.memory.prepared.code.memo_values[memoized.memo as usize] = (serial, value.clone());
                    Some(value)
                }
                Source::Symbol(op) => {
                    if let Some(value) = self.assigned_value(op) {
                        return Some(value.clone());
                    }
                    let (node, depth) = self.defined_node(op)?;
                    self.in_new_frame(depth, |this| this.eval_node(node))
                }
                Source::Param(index) => Some(self.param(index).clone()),
                Source::Application(index) => self.eval_application(index),
                Source::Machine(term) => self.run(term).ok(),
            },
        }
    }

    /// The value of a node, if it is already stored somewhere.
    #[inline]
    pub(super) fn peek(&self, id: NodeId) -> Option<&Value> {
        let code = &self.memory.prepared.code;
        match code.values[id as usize] {
            ValueNode::Constant(index) => Some(&code.literals[index as usize]),
            ValueNode::From(Source::Symbol(op)) => self.assigned_value(op),
            ValueNode::From(Source::Param(index)) => Some(self.param(index)),
            ValueNode::From(Source::Memoized(memoized)) => {
                let (serial, value) = &code.memo_values[memoized.memo as usize];
                (*serial == self.serial_at(memoized.level)).then_some(value)
            }
            _ => None,
        }
    }

    /// Passes a node's value to a function, without a copy if it is already stored.
    #[inline]
    pub(super) fn with_value<T>(
        &mut self,
        id: NodeId,
        use_value: impl FnOnce(&Value) -> Option<T>,
    ) -> Option<T> {
        match self.peek(id) {
            Some(value) => use_value(value),
            None => use_value(&self.eval_value(id)?),
        }
    }

    /// Passes two nodes' values to a function.
    #[inline]
    fn with_values<T>(
        &mut self,
        a: NodeId,
        b: NodeId,
        use_value: impl FnOnce(&Self, &Value, &Value) -> Option<T>,
    ) -> Option<T> {
        // Evaluating one node may store the other's value.
        let first = if self.peek(a).is_none() { Some(self.eval_value(a)?) } else { None };
        let second = if self.peek(b).is_none() { Some(self.eval_value(b)?) } else { None };
        let this = &*self;
        let first = first.as_ref().or_else(|| this.peek(a))?;
        let second = second.as_ref().or_else(|| this.peek(b))?;
        use_value(this, first, second)
    }

    fn compare_reals(&mut self, a: NodeId, b: NodeId) -> Option<Ordering> {
        if let (Some(Value::Real(a)), Some(Value::Real(b))) = (self.peek(a), self.peek(b)) {
            return Some(a.cmp(b));
        }
        Some(self.eval_real(a)?.cmp(&self.eval_real(b)?))
    }

    /// The value of a node of sort Real, if it is rational.
    fn eval_real(&mut self, id: NodeId) -> Option<Rational> {
        match self.memory.prepared.code.values[id as usize] {
            ValueNode::RealAdd(operands) => {
                let mut sum = self.eval_real(self.item(operands, 0))?;
                for at in 1..operands.len {
                    let number = self.eval_real(self.item(operands, at))?;
                    sum = sum.add(&number, &self.limits.values).ok()?;
                }
                Some(sum)
            }
            ValueNode::RealMul(operands) => {
                let mut product = self.eval_real(self.item(operands, 0))?;
                for at in 1..operands.len {
                    let number = self.eval_real(self.item(operands, at))?;
                    product = product.mul(&number, &self.limits.values).ok()?;
                }
                Some(product)
            }
            ValueNode::RealSub(a, b) => {
                let (a, b) = (self.eval_real(a)?, self.eval_real(b)?);
                a.sub(&b, &self.limits.values).ok()
            }
            ValueNode::RealNeg(a) => Some(self.eval_real(a)?.neg()),
            ValueNode::ToReal(a) => Some(Rational::from(crate::value::integer::Int::from(self.eval_int(a)?))),
            _ => match self.peek(id) {
                Some(Value::Real(number)) => Some(number.clone()),
                Some(_) => None,
                None => match self.eval_value(id)? {
                    Value::Real(number) => Some(number),
                    _ => None,
                },
            },
        }
    }

    #[inline]
    fn memoized_word(&self, memoized: Memoized) -> Option<u64> {
        let (serial, word) = self.memory.prepared.code.memo_words[memoized.memo as usize];
        (serial == self.serial_at(memoized.level)).then_some(word)
    }

    #[inline]
    fn memoize_word(&mut self, memoized: Memoized, word: u64) {
        let serial = self.serial_at(memoized.level);
        self.memory.prepared.code.memo_words[memoized.memo as usize] = (serial, word);
    }
}
