//! Comparisons and classification.

use std::cmp::Ordering;

use dashu_base::BitTest;

use super::{Float, Number};

impl Float {
    /// The order of two numbers. `None` for NaN; the zeros are equal.
    pub fn compare(&self, other: &Float) -> Option<Ordering> {
        if self.is_nan() || other.is_nan() {
            return None;
        }
        let (a, b) = (self.sign(), other.sign());
        if a != b || a == 0 {
            return Some(a.cmp(&b));
        }
        let magnitudes = self.cmp_magnitude(other);
        Some(if a < 0 { magnitudes.reverse() } else { magnitudes })
    }

    /// -1, 0 or 1; NaN counts as 0.
    fn sign(&self) -> i32 {
        match self.number {
            Number::Nan | Number::Zero { .. } => 0,
            _ if self.number.is_negative() => -1,
            _ => 1,
        }
    }

    /// The order of the magnitudes of two numbers that are neither NaN nor zero.
    fn cmp_magnitude(&self, other: &Float) -> Ordering {
        match (&self.number, &other.number) {
            (
                Number::Finite { significand: m, exponent: p, .. },
                Number::Finite { significand: n, exponent: q, .. },
            ) => {
                // In one format a greater exponent means a greater number: only the least exponent has short significands.
                p.cmp(q).then_with(|| m.cmp(n))
            }
            (Number::Finite { .. }, _) => Ordering::Less,
            (_, Number::Finite { .. }) => Ordering::Greater,
            _ => Ordering::Equal,
        }
    }

    /// `(fp.eq a b)`
    pub fn ieee_eq(&self, other: &Float) -> bool {
        self.compare(other) == Some(Ordering::Equal)
    }

    /// `(fp.lt a b)`
    pub fn ieee_lt(&self, other: &Float) -> bool {
        self.compare(other) == Some(Ordering::Less)
    }

    /// `(fp.leq a b)`
    pub fn ieee_leq(&self, other: &Float) -> bool {
        self.compare(other).is_some_and(Ordering::is_le)
    }

    /// `(fp.gt a b)`
    pub fn ieee_gt(&self, other: &Float) -> bool {
        other.ieee_lt(self)
    }

    /// `(fp.geq a b)`
    pub fn ieee_geq(&self, other: &Float) -> bool {
        other.ieee_leq(self)
    }

    /// `(fp.isNaN a)`
    pub fn is_nan(&self) -> bool {
        matches!(self.number, Number::Nan)
    }

    /// `(fp.isInfinite a)`
    pub fn is_infinite(&self) -> bool {
        matches!(self.number, Number::Infinite { .. })
    }

    /// `(fp.isZero a)`
    pub fn is_zero(&self) -> bool {
        matches!(self.number, Number::Zero { .. })
    }

    /// `(fp.isNormal a)`
    pub fn is_normal(&self) -> bool {
        match &self.number {
            Number::Finite { significand, .. } => {
                significand.bit_len() == self.format.significand_bits as usize
            }
            _ => false,
        }
    }

    /// `(fp.isSubnormal a)`
    pub fn is_subnormal(&self) -> bool {
        matches!(self.number, Number::Finite { .. }) && !self.is_normal()
    }

    /// `(fp.isNegative a)`: the sign bit of anything but NaN
    pub fn is_negative(&self) -> bool {
        self.number.is_negative()
    }

    /// `(fp.isPositive a)`
    pub fn is_positive(&self) -> bool {
        !self.is_nan() && !self.number.is_negative()
    }
}
