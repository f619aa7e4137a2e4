//! Operators that change the width.

use dashu_int::UBig;

use super::{BitVec, WORD, checked_width};
use crate::value::limits::{Limits, Outcome};

impl BitVec {
    /// `(concat a b)`: `a` in the high bits
    pub fn concat(&self, other: &BitVec, limits: &Limits) -> Outcome<BitVec> {
        let width = checked_width(u64::from(self.width) + u64::from(other.width), limits)?;
        Ok(self.zero_extended(width).shift_left_by(u64::from(other.width)).or(&other.zero_extended(width)))
    }

    /// `((_ extract high low) a)`; bits beyond the width read as zero
    pub fn extract(&self, high: u32, low: u32) -> BitVec {
        let width = high.saturating_sub(low).saturating_add(1);
        let shifted = self.shift_right_by(u64::from(low));
        match shifted.to_u64() {
            Some(word) => BitVec::from_u64(width, word),
            None => BitVec::from_big(width, shifted.to_big()),
        }
    }

    /// `((_ repeat times) a)`
    pub fn repeat(&self, times: u64, limits: &Limits) -> Outcome<BitVec> {
        let width = checked_width(u64::from(self.width).saturating_mul(times), limits)?;
        if self.is_zero() {
            return Ok(BitVec::zero(width));
        }
        // Doubling needs only logarithmically many big operations.
        let (mut result, mut filled) = (UBig::ZERO, 0usize);
        let (mut block, mut block_width) = (self.to_big(), self.width as usize);
        let mut left = times;
        while left > 0 {
            if left & 1 == 1 {
                result |= &block << filled;
                filled += block_width;
            }
            left >>= 1;
            if left > 0 {
                block = (&block << block_width) | &block;
                block_width *= 2;
            }
        }
        Ok(BitVec::from_big(width, result))
    }

    /// `((_ zero_extend by) a)`
    pub fn zero_extend(&self, by: u64, limits: &Limits) -> Outcome<BitVec> {
        let width = checked_width(u64::from(self.width).saturating_add(by), limits)?;
        Ok(self.zero_extended(width))
    }

    /// `((_ sign_extend by) a)`
    pub fn sign_extend(&self, by: u64, limits: &Limits) -> Outcome<BitVec> {
        let width = checked_width(u64::from(self.width).saturating_add(by), limits)?;
        Ok(self.sign_extended(width))
    }

    /// The same unsigned number in `width` bits, at least as many as now.
    fn zero_extended(&self, width: u32) -> BitVec {
        match self.to_u64() {
            Some(word) => BitVec::from_u64(width, word),
            None => BitVec::from_big(width, self.to_big()),
        }
    }

    /// The same signed number in `width` bits, at least as many as now.
    pub(super) fn sign_extended(&self, width: u32) -> BitVec {
        if !self.is_negative() {
            return self.zero_extended(width);
        }
        let word = self.to_u64().filter(|_| width <= WORD && self.width < WORD);
        match word {
            Some(word) => BitVec::from_u64(width, word | (u64::MAX << self.width)),
            None => {
                let added = UBig::ones(width.saturating_sub(self.width) as usize) << self.width as usize;
                BitVec::from_big(width, self.to_big() | added)
            }
        }
    }
}
