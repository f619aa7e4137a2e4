//! Comparisons and overflow predicates.

use std::cmp::Ordering;

use dashu_base::BitTest;
use dashu_int::IBig;

use super::{BitVec, Bits};

impl BitVec {
    /// Order of the unsigned numbers.
    pub(crate) fn cmp_unsigned(&self, other: &BitVec) -> Ordering {
        match (&self.bits, &other.bits) {
            (Bits::Small(a), Bits::Small(b)) => a.cmp(b),
            (Bits::Big(a), Bits::Big(b)) => a.cmp(b),
            _ => self.to_big().cmp(&other.to_big()),
        }
    }

    /// Order of the signed numbers.
    pub(crate) fn cmp_signed(&self, other: &BitVec) -> Ordering {
        // A set sign bit makes a number smaller. Numbers of equal sign compare as unsigned.
        other.is_negative().cmp(&self.is_negative()).then_with(|| self.cmp_unsigned(other))
    }

    /// `(bvult a b)`
    pub fn ult(&self, other: &BitVec) -> bool {
        self.cmp_unsigned(other).is_lt()
    }

    /// `(bvule a b)`
    pub fn ule(&self, other: &BitVec) -> bool {
        self.cmp_unsigned(other).is_le()
    }

    /// `(bvslt a b)`
    pub fn slt(&self, other: &BitVec) -> bool {
        self.cmp_signed(other).is_lt()
    }

    /// `(bvsle a b)`
    pub fn sle(&self, other: &BitVec) -> bool {
        self.cmp_signed(other).is_le()
    }

    /// `(bvcomp a b)`: one bit, set if both are equal
    pub fn comp(&self, other: &BitVec) -> BitVec {
        BitVec::from_u64(1, u64::from(self == other))
    }

    /// `(bvultbv a b)`: `bvult` as one bit
    pub fn ultbv(&self, other: &BitVec) -> BitVec {
        BitVec::from_u64(1, u64::from(self.ult(other)))
    }

    /// `(bvsltbv a b)`: `bvslt` as one bit
    pub fn sltbv(&self, other: &BitVec) -> BitVec {
        BitVec::from_u64(1, u64::from(self.slt(other)))
    }

    /// The signed number as a big integer.
    fn signed(&self) -> IBig {
        self.to_signed().to_big()
    }

    /// Whether a number lies below, inside (equal) or above the signed range of the width.
    fn beside_signed_range(&self, value: &IBig) -> Ordering {
        let bound = IBig::ONE << self.width.saturating_sub(1) as usize;
        if *value >= bound {
            Ordering::Greater
        } else if *value < -bound {
            Ordering::Less
        } else {
            Ordering::Equal
        }
    }

    /// `(bvnego a)`: the negation does not fit
    pub fn nego(&self) -> bool {
        *self == BitVec::min_signed(self.width)
    }

    /// `(bvuaddo a b)`
    pub fn uaddo(&self, other: &BitVec) -> bool {
        (self.to_big() + other.to_big()).bit_len() > self.width as usize
    }

    /// `(bvsaddo a b)`
    pub fn saddo(&self, other: &BitVec) -> bool {
        self.beside_signed_range(&(self.signed() + other.signed())).is_ne()
    }

    /// `(bvumulo a b)`
    pub fn umulo(&self, other: &BitVec) -> bool {
        (self.to_big() * other.to_big()).bit_len() > self.width as usize
    }

    /// `(bvsmulo a b)`
    pub fn smulo(&self, other: &BitVec) -> bool {
        self.beside_signed_range(&(self.signed() * other.signed())).is_ne()
    }

    /// The negation of Z3's `(bvsmul_noovfl a b)`: the signed product is too great
    pub fn smul_over(&self, other: &BitVec) -> bool {
        self.beside_signed_range(&(self.signed() * other.signed())).is_gt()
    }

    /// The negation of Z3's `(bvsmul_noudfl a b)`: the signed product is too small
    pub fn smul_under(&self, other: &BitVec) -> bool {
        self.beside_signed_range(&(self.signed() * other.signed())).is_lt()
    }

    /// `(bvusubo a b)`
    pub fn usubo(&self, other: &BitVec) -> bool {
        self.ult(other)
    }

    /// `(bvssubo a b)`
    pub fn ssubo(&self, other: &BitVec) -> bool {
        self.beside_signed_range(&(self.signed() - other.signed())).is_ne()
    }

    /// `(bvsdivo a b)`
    pub fn sdivo(&self, other: &BitVec) -> bool {
        self.nego() && other.is_all_ones()
    }
}
