//! Exact rational numbers, with machine words for the common case.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use dashu_base::{Abs, BitTest, Signed};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::integer::Int;
use super::limits::{Limits, Outcome, Undetermined};

/// A rational number in lowest terms. Equal numbers have equal representations.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Repr);

/// `Small` is in lowest terms with `den > 0`; `Big` holds only numbers that do not fit `Small`.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small { num: i64, den: i64 },
    Big(Arc<RBig>),
}

impl Rational {
    /// Zero.
    pub const ZERO: Rational = Rational(Repr::Small { num: 0, den: 1 });
    /// One.
    pub const ONE: Rational = Rational(Repr::Small { num: 1, den: 1 });

    /// `num / den` in lowest terms. `None` for `den = 0`.
    pub fn new(num: &Int, den: &Int) -> Option<Rational> {
        if den.is_zero() {
            return None;
        }
        if let (Some(num), Some(den)) = (num.to_i64(), den.to_i64()) {
            return Some(Rational::reduce(i128::from(num), i128::from(den)));
        }
        Some(Rational::from_big(RBig::from_parts_signed(num.to_big(), den.to_big())))
    }

    /// From the type of the implementation. Not part of the interface: tests and benchmarks use it.
    #[doc(hidden)]
    pub fn from_big(value: RBig) -> Rational {
        match (i64::try_from(value.numerator()), i64::try_from(value.denominator())) {
            (Ok(num), Ok(den)) => Rational(Repr::Small { num, den }),
            _ => Rational(Repr::Big(Arc::new(value))),
        }
    }

    /// The value in the type of the implementation. Not part of the interface: tests and benchmarks use it.
    #[doc(hidden)]
    pub fn to_big(&self) -> RBig {
        match &self.0 {
            Repr::Small { num, den } => RBig::from_parts(IBig::from(*num), UBig::from(den.unsigned_abs())),
            Repr::Big(value) => (**value).clone(),
        }
    }

    /// `num / den` in lowest terms; `den` is not zero.
    fn reduce(num: i128, den: i128) -> Rational {
        let (num, den) = if den < 0 { (-num, -den) } else { (num, den) };
        let divisor = gcd(num.unsigned_abs(), den.unsigned_abs()) as i128;
        let (num, den) = (num / divisor, den / divisor);
        match (i64::try_from(num), i64::try_from(den)) {
            (Ok(num), Ok(den)) => Rational(Repr::Small { num, den }),
            _ => Rational(Repr::Big(Arc::new(RBig::from_parts(
                IBig::from(num),
                UBig::from(den.unsigned_abs()),
            )))),
        }
    }

    /// Reads a numeral or a decimal: digits, optionally a point and more digits.
    pub fn parse_decimal(text: &str) -> Option<Rational> {
        let Some((whole, fraction)) = text.split_once('.') else {
            return Int::parse_numeral(text).map(Rational::from);
        };
        if whole.is_empty() || fraction.is_empty() {
            return None;
        }
        let num = Int::parse_numeral(&format!("{whole}{fraction}"))?;
        let den = Int::from_big(IBig::from(10).pow(fraction.len()));
        Rational::new(&num, &den)
    }

    /// The numerator in lowest terms; it carries the sign.
    pub fn numerator(&self) -> Int {
        match &self.0 {
            Repr::Small { num, .. } => Int::from(*num),
            Repr::Big(value) => Int::from_big(value.numerator().clone()),
        }
    }

    /// The denominator in lowest terms, positive.
    pub fn denominator(&self) -> Int {
        match &self.0 {
            Repr::Small { den, .. } => Int::from(*den),
            Repr::Big(value) => Int::from_unsigned_big(value.denominator().clone()),
        }
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Small { num, .. } => num.signum() as i32,
            Repr::Big(value) if value.is_negative() => -1,
            Repr::Big(_) => 1,
        }
    }

    /// Whether this is zero.
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small { num: 0, .. })
    }

    /// `(is_int a)`
    pub fn is_int(&self) -> bool {
        match &self.0 {
            Repr::Small { den, .. } => *den == 1,
            Repr::Big(value) => value.is_int(),
        }
    }

    /// The number as an integer, if it is one.
    pub fn to_integer(&self) -> Option<Int> {
        self.is_int().then(|| self.numerator())
    }

    /// `(to_int a)`: the floor.
    pub fn floor(&self) -> Int {
        match &self.0 {
            Repr::Small { num, den } => Int::from(num.div_euclid(*den)),
            Repr::Big(value) => Int::from_big(value.floor()),
        }
    }

    /// The number of bits of the numerator or denominator, whichever is longer.
    pub fn bit_len(&self) -> u64 {
        match &self.0 {
            Repr::Small { num, den } => {
                u64::from(64 - num.unsigned_abs().leading_zeros().min(den.unsigned_abs().leading_zeros()))
            }
            Repr::Big(value) => value.numerator().bit_len().max(value.denominator().bit_len()) as u64,
        }
    }

    /// `(+ a b)`
    pub fn add(&self, other: &Rational, limits: &Limits) -> Outcome<Rational> {
        if let (Repr::Small { num: a, den: b }, Repr::Small { num: c, den: d }) = (&self.0, &other.0) {
            if *b == 1
                && *d == 1
                && let Some(num) = a.checked_add(*c)
            {
                return Ok(Rational(Repr::Small { num, den: 1 }));
            }
            let (a, b, c, d) = (i128::from(*a), i128::from(*b), i128::from(*c), i128::from(*d));
            // Each product is below 2^126 in magnitude, so the sum fits.
            return Ok(Rational::reduce(a * d + c * b, b * d));
        }
        limits.check_bits(self.bit_len() + other.bit_len())?;
        Ok(Rational::from_big(self.to_big() + other.to_big()))
    }

    /// `(- a b)`
    pub fn sub(&self, other: &Rational, limits: &Limits) -> Outcome<Rational> {
        self.add(&other.neg(), limits)
    }

    /// `(- a)`
    pub fn neg(&self) -> Rational {
        if let Repr::Small { num, den } = &self.0
            && let Some(num) = num.checked_neg()
        {
            return Rational(Repr::Small { num, den: *den });
        }
        Rational::from_big(-self.to_big())
    }

    /// The absolute value.
    pub fn abs(&self) -> Rational {
        if self.signum() < 0 { self.neg() } else { self.clone() }
    }

    /// `(* a b)`
    pub fn mul(&self, other: &Rational, limits: &Limits) -> Outcome<Rational> {
        if let (Repr::Small { num: a, den: b }, Repr::Small { num: c, den: d }) = (&self.0, &other.0) {
            if *b == 1
                && *d == 1
                && let Some(num) = a.checked_mul(*c)
            {
                return Ok(Rational(Repr::Small { num, den: 1 }));
            }
            let (a, b, c, d) = (i128::from(*a), i128::from(*b), i128::from(*c), i128::from(*d));
            return Ok(Rational::reduce(a * c, b * d));
        }
        limits.check_bits(self.bit_len() + other.bit_len())?;
        Ok(Rational::from_big(self.to_big() * other.to_big()))
    }

    /// One divided by the number. Open for zero.
    pub fn inverse(&self) -> Outcome<Rational> {
        match &self.0 {
            Repr::Small { num: 0, .. } => Err(Undetermined::Open("/ by zero")),
            Repr::Small { num, den } => Ok(Rational::reduce(i128::from(*den), i128::from(*num))),
            Repr::Big(value) => {
                let (num, den) = (**value).clone().into_parts();
                Ok(Rational::from_big(RBig::from_parts_signed(den.into(), num)))
            }
        }
    }

    /// `(/ a b)`. Open for `b = 0`.
    pub fn div(&self, other: &Rational, limits: &Limits) -> Outcome<Rational> {
        self.mul(&other.inverse()?, limits)
    }

    /// `a` to an integer power. Open for `0^0` and zero to a negative power.
    pub fn pow(&self, exponent: &Int, limits: &Limits) -> Outcome<Rational> {
        let base = if exponent.is_negative() { self.inverse()? } else { self.clone() };
        let exponent = exponent.abs();
        let (num, den) = (base.numerator(), base.denominator());
        let (num, den) = (num.pow(&exponent, limits)?, den.pow(&exponent, limits)?);
        Ok(Rational::from_big(RBig::from_parts_signed(num.to_big(), den.to_big())))
    }
}

/// Euclid's algorithm, in 64 bits once both numbers fit.
fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(x), Ok(y)) = (u64::try_from(a), u64::try_from(b)) {
            let (mut x, mut y) = (x, y);
            while y != 0 {
                (x, y) = (y, x % y);
            }
            return u128::from(x);
        }
        (a, b) = (b, a % b);
    }
    a
}

impl From<Int> for Rational {
    fn from(value: Int) -> Rational {
        match value.to_i64() {
            Some(num) => Rational(Repr::Small { num, den: 1 }),
            None => Rational(Repr::Big(Arc::new(RBig::from(value.to_big())))),
        }
    }
}

impl From<i64> for Rational {
    fn from(num: i64) -> Rational {
        Rational(Repr::Small { num, den: 1 })
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small { num: a, den: b }, Repr::Small { num: c, den: d }) => {
                (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
            }
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl fmt::Display for Rational {
    /// Writes the SMT-LIB term: `5.0`, `(- 5.0)`, `(/ 1.0 3.0)`, `(- (/ 1.0 3.0))`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let negative = self.signum() < 0;
        if negative {
            write!(f, "(- ")?;
        }
        let num = self.numerator().to_big().abs();
        if self.is_int() {
            write!(f, "{num}.0")?;
        } else {
            write!(f, "(/ {num}.0 {}.0)", self.denominator())?;
        }
        if negative { write!(f, ")") } else { Ok(()) }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
