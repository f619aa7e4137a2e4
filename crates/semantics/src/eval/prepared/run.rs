//! Evaluating what is prepared. Nothing comes out where anything is in doubt: an undetermined part, a number that does not fit its
//! word, a limit. Then the machine, which knows all cases, evaluates the term from the beginning.

use std::cmp::Ordering;

use super::code::{Any, At, General, Int, Kept, Part, Run, Truth, Word};
use crate::data::{Value, equal};
use crate::eval::Evaluator;
use crate::value::bitvec::BitVec;
use crate::value::rational::Rational;

/// The low bits of a word.
fn cut(word: u64, width: u8) -> u64 {
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
    /// The value of a part.
    pub(super) fn part(&mut self, part: Part) -> Option<Value> {
        match part {
            Part::Truth(at) => self.truth(at).map(Value::Bool),
            Part::Int(at) => self.int(at).map(|number| Value::Int(number.into())),
            Part::Word(at, width) => {
                self.word(at).map(|word| Value::BitVec(BitVec::from_u64(u32::from(width), word)))
            }
            Part::Value(at) => self.value(at),
        }
    }

    /// One of several operands.
    #[inline]
    fn item(&self, run: Run, at: u32) -> At {
        self.memory.prepared.code.lists[(run.start + at) as usize]
    }

    pub(super) fn truth(&mut self, at: At) -> Option<bool> {
        match self.memory.prepared.code.truths[at as usize] {
            Truth::Constant(truth) => Some(truth),
            Truth::Not(a) => self.truth(a).map(|truth| !truth),
            Truth::And(run) => self.one_is(run, false),
            Truth::Or(run) => self.one_is(run, true),
            Truth::Implies(run) => {
                let last = run.len - 1;
                for at in 0..last {
                    if !self.truth(self.item(run, at))? {
                        return Some(true);
                    }
                }
                self.truth(self.item(run, last))
            }
            Truth::Xor(a, b) => Some(self.truth(a)? ^ self.truth(b)?),
            Truth::Ite(condition, then, otherwise) => {
                if self.truth(condition)? {
                    self.truth(then)
                } else {
                    self.truth(otherwise)
                }
            }
            Truth::TruthsAgree(a, b) => Some(self.truth(a)? == self.truth(b)?),
            Truth::IntsAgree(a, b) => Some(self.int(a)? == self.int(b)?),
            Truth::WordsAgree(a, b) => Some(self.word(a)? == self.word(b)?),
            Truth::ValuesAgree(a, b) => {
                self.with_two(a, b, |this, a, b| equal(a, b, &this.limits.values).ok())
            }
            Truth::IntAtMost(a, b) => Some(self.int(a)? <= self.int(b)?),
            Truth::IntBelow(a, b) => Some(self.int(a)? < self.int(b)?),
            Truth::WordAtMost(a, b) => Some(self.word(a)? <= self.word(b)?),
            Truth::WordBelow(a, b) => Some(self.word(a)? < self.word(b)?),
            Truth::SignedAtMost(a, b, width) => {
                Some(signed(self.word(a)?, width) <= signed(self.word(b)?, width))
            }
            Truth::SignedBelow(a, b, width) => {
                Some(signed(self.word(a)?, width) < signed(self.word(b)?, width))
            }
            Truth::RealAtMost(a, b) => Some(self.compare_reals(a, b)?.is_le()),
            Truth::RealBelow(a, b) => Some(self.compare_reals(a, b)?.is_lt()),
            Truth::Tester(a, number) => self.with_one(a, |value| match value {
                Value::Data(data) => Some(data.constructor == number),
                _ => None,
            }),
            Truth::Quantified(place) => self.quantified(place),
            Truth::Any(any) => match any {
                Any::Kept(kept) => {
                    if let Some(word) = self.kept_word(kept) {
                        return Some(word != 0);
                    }
                    let truth = self.truth(kept.inner)?;
                    self.keep_word(kept, u64::from(truth));
                    Some(truth)
                }
                Any::Symbol(op) => {
                    if let Some(value) = self.told_value(op) {
                        return value.as_bool();
                    }
                    match self.defined_part(op)? {
                        (Part::Truth(at), depth) => match self.memory.prepared.code.truths[at as usize] {
                            Truth::Constant(truth) => Some(truth),
                            _ => self.apart(depth, |this| this.truth(at)),
                        },
                        _ => None,
                    }
                }
                Any::Param(place) => self.param(place).as_bool(),
                Any::Used(place) => self.used(place)?.as_bool(),
                Any::Left(term) => self.run(term).ok()?.as_bool(),
            },
        }
    }

    /// `and` and `or`, which one operand can decide.
    fn one_is(&mut self, run: Run, deciding: bool) -> Option<bool> {
        for at in 0..run.len {
            if self.truth(self.item(run, at))? == deciding {
                return Some(deciding);
            }
        }
        Some(!deciding)
    }

    pub(super) fn int(&mut self, at: At) -> Option<i64> {
        match self.memory.prepared.code.ints[at as usize] {
            Int::Constant(number) => Some(number),
            Int::Add(run) => {
                let mut sum = self.int(self.item(run, 0))?;
                for at in 1..run.len {
                    sum = sum.checked_add(self.int(self.item(run, at))?)?;
                }
                Some(sum)
            }
            Int::Mul(run) => {
                let mut product = self.int(self.item(run, 0))?;
                for at in 1..run.len {
                    product = product.checked_mul(self.int(self.item(run, at))?)?;
                }
                Some(product)
            }
            Int::Sub(a, b) => self.int(a)?.checked_sub(self.int(b)?),
            Int::Neg(a) => self.int(a)?.checked_neg(),
            Int::Abs(a) => self.int(a)?.checked_abs(),
            // What division by zero gives, the model has to say.
            Int::Div(a, b) => self.int(a)?.checked_div_euclid(self.int(b)?),
            Int::Mod(a, b) => self.int(a)?.checked_rem_euclid(self.int(b)?),
            Int::Ite(condition, then, otherwise) => {
                if self.truth(condition)? {
                    self.int(then)
                } else {
                    self.int(otherwise)
                }
            }
            Int::Unsigned(a) => i64::try_from(self.word(a)?).ok(),
            Int::Length(a) => self.with_one(a, |value| match value {
                Value::Str(text) => Some(text.len() as i64),
                _ => None,
            }),
            Int::Any(any) => match any {
                Any::Kept(kept) => {
                    if let Some(word) = self.kept_word(kept) {
                        return Some(word as i64);
                    }
                    let number = self.int(kept.inner)?;
                    self.keep_word(kept, number as u64);
                    Some(number)
                }
                Any::Symbol(op) => {
                    if let Some(value) = self.told_value(op) {
                        return as_int(value);
                    }
                    match self.defined_part(op)? {
                        (Part::Int(at), depth) => match self.memory.prepared.code.ints[at as usize] {
                            Int::Constant(number) => Some(number),
                            _ => self.apart(depth, |this| this.int(at)),
                        },
                        _ => None,
                    }
                }
                Any::Param(place) => as_int(self.param(place)),
                Any::Used(place) => as_int(&self.used(place)?),
                Any::Left(term) => as_int(&self.run(term).ok()?),
            },
        }
    }

    pub(super) fn word(&mut self, at: At) -> Option<u64> {
        let (code, width) = self.memory.prepared.code.words[at as usize];
        match code {
            Word::Constant(word) => Some(word),
            Word::And(run) => self.fold_words(run, |a, b| a & b),
            Word::Or(run) => self.fold_words(run, |a, b| a | b),
            Word::Xor(run) => self.fold_words(run, |a, b| a ^ b),
            Word::Add(run) => Some(cut(self.fold_words(run, u64::wrapping_add)?, width)),
            Word::Mul(run) => Some(cut(self.fold_words(run, u64::wrapping_mul)?, width)),
            Word::Not(a) => Some(cut(!self.word(a)?, width)),
            Word::Neg(a) => Some(cut(self.word(a)?.wrapping_neg(), width)),
            Word::Sub(a, b) => Some(cut(self.word(a)?.wrapping_sub(self.word(b)?), width)),
            Word::UnsignedDiv(a, b) => {
                let (a, b) = (self.word(a)?, self.word(b)?);
                Some(a.checked_div(b).unwrap_or(cut(u64::MAX, width)))
            }
            Word::UnsignedRem(a, b) => {
                let (a, b) = (self.word(a)?, self.word(b)?);
                Some(a.checked_rem(b).unwrap_or(a))
            }
            Word::ShiftLeft(a, b) => {
                let (a, b) = (self.word(a)?, self.word(b)?);
                Some(if b >= u64::from(width) { 0 } else { cut(a << b, width) })
            }
            Word::ShiftRight(a, b) => {
                let (a, b) = (self.word(a)?, self.word(b)?);
                Some(if b >= u64::from(width) { 0 } else { a >> b })
            }
            Word::ShiftRightSigned(a, b) => {
                let (a, b) = (self.word(a)?, self.word(b)?);
                Some(cut((signed(a, width) >> b.min(63)) as u64, width))
            }
            Word::Concat(a, b, low) => {
                let (a, b) = (self.word(a)?, self.word(b)?);
                Some(a << low | b)
            }
            Word::Extract(a, low) => Some(cut(self.word(a)? >> low, width)),
            Word::ZeroExtend(a) => self.word(a),
            Word::SignExtend(a, narrow) => Some(cut(signed(self.word(a)?, narrow) as u64, width)),
            Word::Same(a, b) => Some(u64::from(self.word(a)? == self.word(b)?)),
            Word::Ite(condition, then, otherwise) => {
                if self.truth(condition)? {
                    self.word(then)
                } else {
                    self.word(otherwise)
                }
            }
            Word::Any(any) => match any {
                Any::Kept(kept) => {
                    if let Some(word) = self.kept_word(kept) {
                        return Some(word);
                    }
                    let word = self.word(kept.inner)?;
                    self.keep_word(kept, word);
                    Some(word)
                }
                Any::Symbol(op) => {
                    if let Some(value) = self.told_value(op) {
                        return as_word(value);
                    }
                    match self.defined_part(op)? {
                        (Part::Word(at, _), depth) => match self.memory.prepared.code.words[at as usize] {
                            (Word::Constant(word), _) => Some(word),
                            _ => self.apart(depth, |this| this.word(at)),
                        },
                        _ => None,
                    }
                }
                Any::Param(place) => as_word(self.param(place)),
                Any::Used(place) => as_word(&self.used(place)?),
                Any::Left(term) => as_word(&self.run(term).ok()?),
            },
        }
    }

    fn fold_words(&mut self, run: Run, join: impl Fn(u64, u64) -> u64) -> Option<u64> {
        let mut result = self.word(self.item(run, 0))?;
        for at in 1..run.len {
            result = join(result, self.word(self.item(run, at))?);
        }
        Some(result)
    }

    pub(super) fn value(&mut self, at: At) -> Option<Value> {
        match self.memory.prepared.code.values[at as usize] {
            General::Constant(place) => Some(self.memory.prepared.code.literals[place as usize].clone()),
            General::Ite(condition, then, otherwise) => {
                if self.truth(condition)? {
                    self.value(then)
                } else {
                    self.value(otherwise)
                }
            }
            General::RealAdd(_) | General::RealMul(_) | General::RealSub(..) | General::RealNeg(_) => {
                self.real(at).map(Value::Real)
            }
            General::ToReal(_) => self.real(at).map(Value::Real),
            General::Any(any) => match any {
                Any::Kept(kept) => {
                    let serial = self.serial_at(kept.level);
                    match &self.memory.prepared.code.kept_values[kept.memo as usize] {
                        (known, value) if *known == serial => return Some(value.clone()),
                        _ => {}
                    }
                    let value = self.value(kept.inner)?;
                    self.memory.prepared.code.kept_values[kept.memo as usize] = (serial, value.clone());
                    Some(value)
                }
                Any::Symbol(op) => {
                    if let Some(value) = self.told_value(op) {
                        return Some(value.clone());
                    }
                    let (part, depth) = self.defined_part(op)?;
                    self.apart(depth, |this| this.part(part))
                }
                Any::Param(place) => Some(self.param(place).clone()),
                Any::Used(place) => self.used(place),
                Any::Left(term) => self.run(term).ok(),
            },
        }
    }

    /// The value of a node, if it stands somewhere already.
    #[inline]
    pub(super) fn standing(&self, at: At) -> Option<&Value> {
        let code = &self.memory.prepared.code;
        match code.values[at as usize] {
            General::Constant(place) => Some(&code.literals[place as usize]),
            General::Any(Any::Symbol(op)) => self.told_value(op),
            General::Any(Any::Param(place)) => Some(self.param(place)),
            General::Any(Any::Kept(kept)) => {
                let (serial, value) = &code.kept_values[kept.memo as usize];
                (*serial == self.serial_at(kept.level)).then_some(value)
            }
            _ => None,
        }
    }

    /// Asks something of a value, which is not copied where it stands already.
    #[inline]
    pub(super) fn with_one<T>(&mut self, at: At, ask: impl FnOnce(&Value) -> Option<T>) -> Option<T> {
        match self.standing(at) {
            Some(value) => ask(value),
            None => ask(&self.value(at)?),
        }
    }

    /// Asks something of two values.
    #[inline]
    fn with_two<T>(
        &mut self,
        a: At,
        b: At,
        ask: impl FnOnce(&Self, &Value, &Value) -> Option<T>,
    ) -> Option<T> {
        // What is computed may make the other one stand.
        let first = if self.standing(a).is_none() { Some(self.value(a)?) } else { None };
        let second = if self.standing(b).is_none() { Some(self.value(b)?) } else { None };
        let this = &*self;
        let first = first.as_ref().or_else(|| this.standing(a))?;
        let second = second.as_ref().or_else(|| this.standing(b))?;
        ask(this, first, second)
    }

    fn compare_reals(&mut self, a: At, b: At) -> Option<Ordering> {
        if let (Some(Value::Real(a)), Some(Value::Real(b))) = (self.standing(a), self.standing(b)) {
            return Some(a.cmp(b));
        }
        Some(self.real(a)?.cmp(&self.real(b)?))
    }

    /// A rational number of sort Real.
    fn real(&mut self, at: At) -> Option<Rational> {
        match self.memory.prepared.code.values[at as usize] {
            General::RealAdd(run) => {
                let mut sum = self.real(self.item(run, 0))?;
                for at in 1..run.len {
                    let number = self.real(self.item(run, at))?;
                    sum = sum.add(&number, &self.limits.values).ok()?;
                }
                Some(sum)
            }
            General::RealMul(run) => {
                let mut product = self.real(self.item(run, 0))?;
                for at in 1..run.len {
                    let number = self.real(self.item(run, at))?;
                    product = product.mul(&number, &self.limits.values).ok()?;
                }
                Some(product)
            }
            General::RealSub(a, b) => {
                let (a, b) = (self.real(a)?, self.real(b)?);
                a.sub(&b, &self.limits.values).ok()
            }
            General::RealNeg(a) => Some(self.real(a)?.neg()),
            General::ToReal(a) => Some(Rational::from(crate::value::integer::Int::from(self.int(a)?))),
            _ => match self.standing(at) {
                Some(Value::Real(number)) => Some(number.clone()),
                Some(_) => None,
                None => match self.value(at)? {
                    Value::Real(number) => Some(number),
                    _ => None,
                },
            },
        }
    }

    #[inline]
    fn kept_word(&self, kept: Kept) -> Option<u64> {
        let (serial, word) = self.memory.prepared.code.kept_words[kept.memo as usize];
        (serial == self.serial_at(kept.level)).then_some(word)
    }

    #[inline]
    fn keep_word(&mut self, kept: Kept, word: u64) {
        let serial = self.serial_at(kept.level);
        self.memory.prepared.code.kept_words[kept.memo as usize] = (serial, word);
    }
}
