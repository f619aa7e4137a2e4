//! Real numbers: rational or algebraic.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use super::algebraic::{Algebraic, rational_key};
use super::integer::Int;
use super::limits::{Limits, Outcome, Undetermined};
use super::rational::Rational;

/// A real number. Equality and order are numeric.
#[derive(Clone)]
pub enum Real {
    /// A rational number.
    Rational(Rational),
    /// A root of a polynomial, usually irrational.
    Algebraic(Algebraic),
}

use Real::{Algebraic as A, Rational as R};

impl Real {
    /// Zero.
    pub const ZERO: Real = Real::Rational(Rational::ZERO);

    /// The number as a rational, if it is stored as one.
    pub fn as_rational(&self) -> Option<&Rational> {
        match self {
            R(value) => Some(value),
            A(_) => None,
        }
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match self {
            R(value) => value.signum(),
            A(value) => value.signum(),
        }
    }

    /// Whether this is zero.
    pub fn is_zero(&self) -> bool {
        self.signum() == 0
    }

    /// `(to_int a)`: the floor.
    pub fn floor(&self) -> Int {
        match self {
            R(value) => value.floor(),
            A(value) => value.floor(),
        }
    }

    /// `(is_int a)`
    pub fn is_int(&self) -> bool {
        match self {
            R(value) => value.is_int(),
            A(_) => false,
        }
    }

    /// `(- a)`
    pub fn neg(&self) -> Real {
        match self {
            R(value) => R(value.neg()),
            A(value) => A(value.neg()),
        }
    }

    /// The absolute value.
    pub fn abs(&self) -> Real {
        if self.signum() < 0 { self.neg() } else { self.clone() }
    }

    /// `(+ a b)`
    pub fn add(&self, other: &Real, limits: &Limits) -> Outcome<Real> {
        match (self, other) {
            (R(a), R(b)) => a.add(b, limits).map(R),
            (A(a), R(b)) | (R(b), A(a)) => a.add_rational(b, limits),
            (A(a), A(b)) => a.add(b, limits),
        }
    }

    /// `(- a b)`
    pub fn sub(&self, other: &Real, limits: &Limits) -> Outcome<Real> {
        self.add(&other.neg(), limits)
    }

    /// `(* a b)`
    pub fn mul(&self, other: &Real, limits: &Limits) -> Outcome<Real> {
        match (self, other) {
            (R(a), R(b)) => a.mul(b, limits).map(R),
            (A(a), R(b)) | (R(b), A(a)) => a.mul_rational(b, limits),
            (A(a), A(b)) => a.mul(b, limits),
        }
    }

    /// One divided by the number. Open for zero.
    pub fn inverse(&self, limits: &Limits) -> Outcome<Real> {
        match self {
            R(value) => value.inverse().map(R),
            A(value) => value.inverse(limits),
        }
    }

    /// `(/ a b)`. Open for `b = 0`.
    pub fn div(&self, other: &Real, limits: &Limits) -> Outcome<Real> {
        if let (R(a), R(b)) = (self, other) {
            return a.div(b, limits).map(R);
        }
        self.mul(&other.inverse(limits)?, limits)
    }

    /// The number to an integer power. Open for `0^0` and zero to a negative power.
    pub fn pow(&self, exponent: &Int, limits: &Limits) -> Outcome<Real> {
        if let R(value) = self {
            return value.pow(exponent, limits).map(R);
        }
        let too_large = Undetermined::TooLarge("an algebraic number to a huge power");
        let mut left = exponent.abs().to_u64().filter(|&e| e <= limits.bits).ok_or(too_large)?;
        let mut square = if exponent.is_negative() { self.inverse(limits)? } else { self.clone() };
        let mut result = R(Rational::ONE);
        while left > 0 {
            if left & 1 == 1 {
                result = result.mul(&square, limits)?;
            }
            left >>= 1;
            if left > 0 {
                square = square.mul(&square, limits)?;
            }
        }
        Ok(result)
    }

    /// The order of two numbers.
    pub fn compare(&self, other: &Real, limits: &Limits) -> Outcome<Ordering> {
        match (self, other) {
            (R(a), R(b)) => Ok(a.cmp(b)),
            (A(a), R(b)) => a.compare_rational(b, limits),
            (R(a), A(b)) => Ok(b.compare_rational(a, limits)?.reverse()),
            (A(a), A(b)) => a.compare(b, limits),
        }
    }
}

impl From<Rational> for Real {
    fn from(value: Rational) -> Real {
        R(value)
    }
}

impl Ord for Real {
    fn cmp(&self, other: &Real) -> Ordering {
        match (self, other) {
            (R(a), R(b)) => a.cmp(b),
            (A(a), R(b)) => a.compare_rational_fully(b),
            (R(a), A(b)) => b.compare_rational_fully(a).reverse(),
            (A(a), A(b)) => a.compare_fully(b),
        }
    }
}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Real) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Real {
    fn eq(&self, other: &Real) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Real {}

impl Hash for Real {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Equal numbers may be stored differently but have the same key.
        match self {
            R(value) => rational_key(value).hash(state),
            A(value) => value.key().hash(state),
        }
    }
}

impl fmt::Display for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            R(value) => value.fmt(f),
            A(value) => value.fmt(f),
        }
    }
}

impl fmt::Debug for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
