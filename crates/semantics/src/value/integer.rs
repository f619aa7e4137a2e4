//! Integers of any size, with machine words for the common case.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use dashu_base::{Abs, BitTest, DivEuclid, Gcd, RemEuclid, Signed};
use dashu_int::{IBig, UBig};

use super::limits::{Limits, Outcome, Undetermined};

/// An integer. Equal integers have equal representations.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Int(Repr);

/// `Big` holds only numbers that do not fit an `i64`, so that derived equality is numeric equality.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Big(Arc<IBig>),
}

impl Int {
    /// Zero.
    pub const ZERO: Int = Int(Repr::Small(0));
    /// One.
    pub const ONE: Int = Int(Repr::Small(1));

    /// From the type of the implementation. Not part of the interface: tests and benchmarks use it.
    #[doc(hidden)]
    pub fn from_big(value: IBig) -> Int {
        match i64::try_from(&value) {
            Ok(small) => Int(Repr::Small(small)),
            Err(_) => Int(Repr::Big(Arc::new(value))),
        }
    }

    /// From the type of the implementation.
    pub(crate) fn from_unsigned_big(value: UBig) -> Int {
        Int::from_big(IBig::from(value))
    }

    /// The value in the type of the implementation. Not part of the interface: tests and benchmarks use it.
    #[doc(hidden)]
    pub fn to_big(&self) -> IBig {
        match &self.0 {
            Repr::Small(n) => IBig::from(*n),
            Repr::Big(n) => (**n).clone(),
        }
    }

    /// The value as a machine integer, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Small(n) => Some(n),
            Repr::Big(_) => None,
        }
    }

    /// The value as an unsigned machine integer, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            Repr::Small(n) => u64::try_from(*n).ok(),
            Repr::Big(n) => u64::try_from(&**n).ok(),
        }
    }

    /// Reads a numeral: decimal digits only, at least one.
    pub fn parse_numeral(digits: &str) -> Option<Int> {
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        if digits.len() <= 18 {
            return digits.parse::<i64>().ok().map(Int::from);
        }
        UBig::from_str_radix(digits, 10).ok().map(Int::from_unsigned_big)
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Small(n) => n.signum() as i32,
            Repr::Big(n) if n.is_negative() => -1,
            Repr::Big(_) => 1,
        }
    }

    /// Whether this is zero.
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0))
    }

    /// Whether this is below zero.
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// The number of bits of the absolute value; zero has none.
    pub fn bit_len(&self) -> u64 {
        match &self.0 {
            Repr::Small(n) => u64::from(64 - n.unsigned_abs().leading_zeros()),
            Repr::Big(n) => n.bit_len() as u64,
        }
    }

    /// `(+ a b)`
    pub fn add(&self, other: &Int) -> Int {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
            && let Some(sum) = a.checked_add(*b)
        {
            return Int::from(sum);
        }
        Int::from_big(self.to_big() + other.to_big())
    }

    /// `(- a b)`
    pub fn sub(&self, other: &Int) -> Int {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
            && let Some(difference) = a.checked_sub(*b)
        {
            return Int::from(difference);
        }
        Int::from_big(self.to_big() - other.to_big())
    }

    /// `(- a)`
    pub fn neg(&self) -> Int {
        match &self.0 {
            Repr::Small(n) => n.checked_neg().map_or_else(|| Int::from_big(-self.to_big()), Int::from),
            Repr::Big(n) => Int::from_big(-&**n),
        }
    }

    /// `(abs a)`
    pub fn abs(&self) -> Int {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// `(* a b)`
    pub fn mul(&self, other: &Int, limits: &Limits) -> Outcome<Int> {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
            && let Some(product) = a.checked_mul(*b)
        {
            return Ok(Int::from(product));
        }
        limits.check_bits(self.bit_len() + other.bit_len())?;
        Ok(Int::from_big(self.to_big() * other.to_big()))
    }

    /// `(div a b)`: the quotient that leaves a remainder in `0..|b|`. Open for `b = 0`.
    pub fn div(&self, other: &Int) -> Outcome<Int> {
        if other.is_zero() {
            return Err(Undetermined::Open("div by zero"));
        }
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
            && let Some(quotient) = a.checked_div_euclid(*b)
        {
            return Ok(Int::from(quotient));
        }
        Ok(Int::from_big(self.to_big().div_euclid(other.to_big())))
    }

    /// `(mod a b)`: the remainder in `0..|b|`. Open for `b = 0`.
    pub fn modulo(&self, other: &Int) -> Outcome<Int> {
        if other.is_zero() {
            return Err(Undetermined::Open("mod by zero"));
        }
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
            && let Some(remainder) = a.checked_rem_euclid(*b)
        {
            return Ok(Int::from(remainder));
        }
        Ok(Int::from_unsigned_big(self.to_big().rem_euclid(other.to_big())))
    }

    /// Z3's `(rem a b)`: `mod` with the sign of the divisor. Open for `b = 0`.
    pub fn rem(&self, other: &Int) -> Outcome<Int> {
        if other.is_zero() {
            return Err(Undetermined::Open("rem by zero"));
        }
        let remainder = self.modulo(other)?;
        Ok(if other.is_negative() { remainder.neg() } else { remainder })
    }

    /// `((_ divisible n) a)`; `n = 0`, which the standard forbids, divides only zero.
    pub fn divisible(&self, divisor: &Int) -> bool {
        match self.modulo(divisor) {
            Ok(remainder) => remainder.is_zero(),
            Err(_) => self.is_zero(),
        }
    }

    /// `a` to the power `exponent`. Open for negative exponents and for `0^0`.
    pub fn pow(&self, exponent: &Int, limits: &Limits) -> Outcome<Int> {
        if exponent.is_negative() {
            return Err(Undetermined::Open("an integer to a negative power"));
        }
        if exponent.is_zero() {
            return if self.is_zero() { Err(Undetermined::Open("0 to the power 0")) } else { Ok(Int::ONE) };
        }
        match self.to_i64() {
            Some(0 | 1) => return Ok(self.clone()),
            Some(-1) => return Ok(if exponent.divisible(&Int::from(2)) { Int::ONE } else { self.clone() }),
            _ => {}
        }
        let too_large = Undetermined::TooLarge("a power with a huge exponent");
        let exponent = exponent.to_u64().ok_or(too_large)?;
        // |a| >= 2 here, so the result has at least (bit_len - 1) * exponent bits.
        let bits = (self.bit_len() - 1).max(1).checked_mul(exponent).ok_or(too_large)?;
        limits.check_bits(bits)?;
        Ok(Int::from_big(self.to_big().pow(exponent as usize)))
    }

    /// cvc5's `(int.pow2 a)`: two to the power `a`, and 0 for negative `a`.
    pub fn pow2(&self, limits: &Limits) -> Outcome<Int> {
        if self.is_negative() {
            return Ok(Int::ZERO);
        }
        let exponent = self.to_u64().ok_or(Undetermined::TooLarge("a power with a huge exponent"))?;
        limits.check_bits(exponent.saturating_add(1))?;
        Ok(Int::from_big(IBig::ONE << exponent as usize))
    }

    /// cvc5's `(int.log2 a)`: the greatest `k` with `2^k <= a`, and 0 for `a <= 0`.
    pub fn log2(&self) -> Int {
        if self.signum() <= 0 {
            return Int::ZERO;
        }
        Int::from(self.bit_len() - 1)
    }

    /// cvc5's `(int.ispow2 a)`.
    pub fn is_pow2(&self) -> bool {
        match &self.0 {
            Repr::Small(n) => *n > 0 && n.count_ones() == 1,
            Repr::Big(n) => !n.is_negative() && n.trailing_zeros().is_some_and(|k| k + 1 == n.bit_len()),
        }
    }

    /// cvc5's `((_ iand width) a b)`: bitwise and of both numbers modulo `2^width`.
    pub fn iand(&self, other: &Int, width: u64, limits: &Limits) -> Outcome<Int> {
        let low = |n: &Int| n.low_bits(width, limits);
        let (a, b) = (low(self)?, low(other)?);
        Ok(Int::from_unsigned_big(a & b))
    }

    /// The greatest common divisor of the absolute values; `gcd(0, 0) = 0`.
    pub fn gcd(&self, other: &Int) -> Int {
        if self.is_zero() {
            return other.abs();
        }
        if other.is_zero() {
            return self.abs();
        }
        Int::from_unsigned_big(self.to_big().gcd(other.to_big()))
    }

    /// The number modulo `2^width`, as bits in two's complement.
    pub(crate) fn low_bits(&self, width: u64, limits: &Limits) -> Outcome<UBig> {
        limits.check_bits(width)?;
        let width = width as usize;
        let mut magnitude = self.to_big().abs().into_parts().1;
        magnitude.clear_high_bits(width);
        if self.is_negative() && !magnitude.is_zero() {
            magnitude = (UBig::ONE << width) - magnitude;
        }
        Ok(magnitude)
    }
}

impl From<i64> for Int {
    fn from(value: i64) -> Int {
        Int(Repr::Small(value))
    }
}

impl From<i32> for Int {
    fn from(value: i32) -> Int {
        Int(Repr::Small(i64::from(value)))
    }
}

impl From<u32> for Int {
    fn from(value: u32) -> Int {
        Int(Repr::Small(i64::from(value)))
    }
}

impl From<u64> for Int {
    fn from(value: u64) -> Int {
        i64::try_from(value).map_or_else(|_| Int::from_big(IBig::from(value)), Int::from)
    }
}

impl From<usize> for Int {
    fn from(value: usize) -> Int {
        Int::from(value as u64)
    }
}

impl From<i128> for Int {
    fn from(value: i128) -> Int {
        i64::try_from(value).map_or_else(|_| Int::from_big(IBig::from(value)), Int::from)
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Int) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            (Repr::Big(a), Repr::Big(b)) => a.cmp(b),
            // A big number is above or below all small ones, by its sign.
            (Repr::Small(_), Repr::Big(b)) => {
                if b.is_negative() {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Repr::Big(a), Repr::Small(_)) => {
                if a.is_negative() {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        }
    }
}

impl fmt::Display for Int {
    /// Writes the SMT-LIB term: `5`, `(- 5)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.0, self.is_negative()) {
            (Repr::Small(n), false) => write!(f, "{n}"),
            (Repr::Small(n), true) => write!(f, "(- {})", n.unsigned_abs()),
            (Repr::Big(n), false) => write!(f, "{n}"),
            (Repr::Big(n), true) => write!(f, "(- {})", (**n).clone().abs()),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
