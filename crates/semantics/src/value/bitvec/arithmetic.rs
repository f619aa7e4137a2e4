//! Bitwise operators, arithmetic, and shifts by a vector.

use dashu_int::UBig;

use super::{BitVec, Bits, word_mask};

impl BitVec {
    /// `(bvnot a)`
    pub fn not(&self) -> BitVec {
        match &self.bits {
            Bits::Small(word) => BitVec::from_u64(self.width, !word),
            Bits::Big(value) => BitVec::from_big(self.width, UBig::ones(self.width as usize) ^ &**value),
        }
    }

    /// `(bvand a b)`
    pub fn and(&self, other: &BitVec) -> BitVec {
        self.map2(other, |a, b| a & b, |a, b| a & b)
    }

    /// `(bvor a b)`
    pub fn or(&self, other: &BitVec) -> BitVec {
        self.map2(other, |a, b| a | b, |a, b| a | b)
    }

    /// `(bvxor a b)`
    pub fn xor(&self, other: &BitVec) -> BitVec {
        self.map2(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// `(bvnand a b)`
    pub fn nand(&self, other: &BitVec) -> BitVec {
        self.and(other).not()
    }

    /// `(bvnor a b)`
    pub fn nor(&self, other: &BitVec) -> BitVec {
        self.or(other).not()
    }

    /// `(bvxnor a b)`
    pub fn xnor(&self, other: &BitVec) -> BitVec {
        self.xor(other).not()
    }

    /// `(bvneg a)`
    pub fn neg(&self) -> BitVec {
        BitVec::zero(self.width).sub(self)
    }

    /// `(bvadd a b)`
    pub fn add(&self, other: &BitVec) -> BitVec {
        self.map2(other, u64::wrapping_add, |a, b| a + b)
    }

    /// `(bvsub a b)`
    pub fn sub(&self, other: &BitVec) -> BitVec {
        let width = self.width as usize;
        self.map2(other, u64::wrapping_sub, |a, b| (UBig::ONE << width) + a - b)
    }

    /// `(bvmul a b)`
    pub fn mul(&self, other: &BitVec) -> BitVec {
        self.map2(other, u64::wrapping_mul, |a, b| a * b)
    }

    /// `(bvudiv a b)`: all ones for `b = 0`
    pub fn udiv(&self, other: &BitVec) -> BitVec {
        if other.is_zero() {
            return BitVec::ones(self.width);
        }
        self.map2(other, |a, b| a / b, |a, b| a / b)
    }

    /// `(bvurem a b)`: `a` for `b = 0`
    pub fn urem(&self, other: &BitVec) -> BitVec {
        if other.is_zero() {
            return self.clone();
        }
        self.map2(other, |a, b| a % b, |a, b| a % b)
    }

    /// The absolute value of the signed number. The smallest number is its own.
    fn magnitude(&self) -> BitVec {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// `(bvsdiv a b)`: division of the magnitudes, with the sign of the quotient
    pub fn sdiv(&self, other: &BitVec) -> BitVec {
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.is_negative() == other.is_negative() { quotient } else { quotient.neg() }
    }

    /// `(bvsrem a b)`: remainder of the magnitudes, with the sign of the dividend
    pub fn srem(&self, other: &BitVec) -> BitVec {
        let remainder = self.magnitude().urem(&other.magnitude());
        if self.is_negative() { remainder.neg() } else { remainder }
    }

    /// `(bvsmod a b)`: remainder with the sign of the divisor
    pub fn smod(&self, other: &BitVec) -> BitVec {
        let remainder = self.magnitude().urem(&other.magnitude());
        if remainder.is_zero() {
            return remainder;
        }
        match (self.is_negative(), other.is_negative()) {
            (false, false) => remainder,
            (true, false) => other.sub(&remainder),
            (false, true) => remainder.add(other),
            (true, true) => remainder.neg(),
        }
    }

    /// Shifts left by `amount` and fills with zeros.
    pub fn shift_left_by(&self, amount: u64) -> BitVec {
        if amount >= u64::from(self.width) {
            return BitVec::zero(self.width);
        }
        match &self.bits {
            Bits::Small(word) => BitVec::from_u64(self.width, word << amount),
            Bits::Big(value) => BitVec::from_big(self.width, &**value << amount as usize),
        }
    }

    /// Shifts right by `amount` and fills with zeros.
    pub fn shift_right_by(&self, amount: u64) -> BitVec {
        if amount >= u64::from(self.width) {
            return BitVec::zero(self.width);
        }
        match &self.bits {
            Bits::Small(word) => BitVec::from_u64(self.width, word >> amount),
            Bits::Big(value) => BitVec::from_big(self.width, &**value >> amount as usize),
        }
    }

    /// The amount of a shift. An amount that does not fit a word exceeds every width.
    fn as_shift(&self) -> u64 {
        self.to_u64().unwrap_or(u64::MAX)
    }

    /// `(bvshl a b)`
    pub fn shl(&self, other: &BitVec) -> BitVec {
        self.shift_left_by(other.as_shift())
    }

    /// `(bvlshr a b)`
    pub fn lshr(&self, other: &BitVec) -> BitVec {
        self.shift_right_by(other.as_shift())
    }

    /// `(bvashr a b)`
    pub fn ashr(&self, other: &BitVec) -> BitVec {
        if !self.is_negative() {
            return self.lshr(other);
        }
        self.not().lshr(other).not()
    }

    /// `((_ rotate_left amount) a)`
    pub fn rotate_left(&self, amount: u64) -> BitVec {
        if self.width == 0 {
            return self.clone();
        }
        let amount = amount % u64::from(self.width);
        self.shift_left_by(amount).or(&self.shift_right_by(u64::from(self.width) - amount))
    }

    /// `((_ rotate_right amount) a)`
    pub fn rotate_right(&self, amount: u64) -> BitVec {
        if self.width == 0 {
            return self.clone();
        }
        self.rotate_left(u64::from(self.width) - amount % u64::from(self.width))
    }

    /// Z3's `(ext_rotate_left a b)`: the amount is a vector
    pub fn ext_rotate_left(&self, amount: &BitVec) -> BitVec {
        self.rotate_left(amount.modulo_width(self.width))
    }

    /// Z3's `(ext_rotate_right a b)`: the amount is a vector
    pub fn ext_rotate_right(&self, amount: &BitVec) -> BitVec {
        self.rotate_right(amount.modulo_width(self.width))
    }

    fn modulo_width(&self, width: u32) -> u64 {
        match &self.bits {
            Bits::Small(word) => word % u64::from(width.max(1)),
            Bits::Big(value) => u64::from(&**value % width.max(1)),
        }
    }

    /// `(bvredor a)`: one bit, set if any bit is
    pub fn redor(&self) -> BitVec {
        BitVec::from_u64(1, u64::from(!self.is_zero()))
    }

    /// `(bvredand a)`: one bit, set if all bits are
    pub fn redand(&self) -> BitVec {
        BitVec::from_u64(1, u64::from(self.is_all_ones()))
    }

    /// `(bvredxor a)`: one bit, the parity of all bits
    pub fn redxor(&self) -> BitVec {
        let ones = match &self.bits {
            Bits::Small(word) => u64::from(word.count_ones()),
            Bits::Big(value) => value.count_ones() as u64,
        };
        BitVec::from_u64(1, ones & 1)
    }

    /// Whether all bits are set.
    pub(crate) fn is_all_ones(&self) -> bool {
        match &self.bits {
            Bits::Small(word) => *word == word_mask(self.width),
            Bits::Big(value) => value.count_ones() == self.width as usize,
        }
    }
}
