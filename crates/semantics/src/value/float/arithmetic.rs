//! Addition, multiplication, division, fused multiply-add, square root, remainder, rounding to an integer.

use dashu_base::{BitTest, DivRem, SquareRootRem};
use dashu_int::UBig;

use super::round::{Exact, shift_right_rounded};
use super::{Float, Format, Number, RoundingMode};
use crate::value::limits::{Outcome, Undetermined};

impl Number {
    pub(super) fn is_negative(&self) -> bool {
        match self {
            Number::Nan => false,
            Number::Infinite { negative } | Number::Zero { negative } | Number::Finite { negative, .. } => {
                *negative
            }
        }
    }
}

impl Float {
    /// `(fp.neg a)`
    pub fn neg(&self) -> Float {
        self.with_sign(!self.number.is_negative())
    }

    /// `(fp.abs a)`
    pub fn abs(&self) -> Float {
        self.with_sign(false)
    }

    fn with_sign(&self, negative: bool) -> Float {
        let mut result = self.clone();
        match &mut result.number {
            Number::Nan => {}
            Number::Infinite { negative: sign }
            | Number::Zero { negative: sign }
            | Number::Finite { negative: sign, .. } => *sign = negative,
        }
        result
    }

    /// `(fp.add mode a b)`
    pub fn add(&self, mode: RoundingMode, other: &Float) -> Float {
        use Number::{Finite, Infinite, Nan, Zero};
        match (&self.number, &other.number) {
            (Nan, _) | (_, Nan) => Float::nan(self.format),
            (Infinite { negative: a }, Infinite { negative: b }) if a != b => Float::nan(self.format),
            (Infinite { .. }, _) => self.clone(),
            (_, Infinite { .. }) => other.clone(),
            (Zero { negative: a }, Zero { negative: b }) => {
                Float::zero(self.format, if a == b { *a } else { mode.zero_sum_is_negative() })
            }
            (Zero { .. }, Finite { .. }) => other.clone(),
            (Finite { .. }, Zero { .. }) => self.clone(),
            (
                Finite { negative: a, significand: m, exponent: p },
                Finite { negative: b, significand: n, exponent: q },
            ) => self.format.round(mode, sum(self.format, mode, (*a, m, *p), (*b, n, *q))),
        }
    }

    /// `(fp.sub mode a b)`
    pub fn sub(&self, mode: RoundingMode, other: &Float) -> Float {
        self.add(mode, &other.neg())
    }

    /// `(fp.mul mode a b)`
    pub fn mul(&self, mode: RoundingMode, other: &Float) -> Float {
        use Number::{Finite, Infinite, Nan, Zero};
        let negative = self.number.is_negative() != other.number.is_negative();
        match (&self.number, &other.number) {
            (Nan, _) | (_, Nan) | (Infinite { .. }, Zero { .. }) | (Zero { .. }, Infinite { .. }) => {
                Float::nan(self.format)
            }
            (Infinite { .. }, _) | (_, Infinite { .. }) => Float::infinity(self.format, negative),
            (Zero { .. }, _) | (_, Zero { .. }) => Float::zero(self.format, negative),
            (Finite { significand: m, exponent: p, .. }, Finite { significand: n, exponent: q, .. }) => {
                self.format.round(mode, Exact { negative, magnitude: m * n, exponent: p + q, inexact: false })
            }
        }
    }

    /// `(fp.div mode a b)`
    pub fn div(&self, mode: RoundingMode, other: &Float) -> Float {
        use Number::{Finite, Infinite, Nan, Zero};
        let negative = self.number.is_negative() != other.number.is_negative();
        match (&self.number, &other.number) {
            (Nan, _) | (_, Nan) | (Infinite { .. }, Infinite { .. }) | (Zero { .. }, Zero { .. }) => {
                Float::nan(self.format)
            }
            (Infinite { .. }, _) | (_, Zero { .. }) => Float::infinity(self.format, negative),
            (Zero { .. }, _) | (_, Infinite { .. }) => Float::zero(self.format, negative),
            (Finite { significand: m, exponent: p, .. }, Finite { significand: n, exponent: q, .. }) => {
                self.format.round(mode, quotient(self.format, negative, (m, *p), (n, *q)))
            }
        }
    }

    /// `(fp.fma mode a b c)`: `a * b + c` with one rounding
    pub fn fma(&self, mode: RoundingMode, factor: &Float, addend: &Float) -> Float {
        use Number::{Finite, Infinite, Nan, Zero};
        if matches!(addend.number, Nan) {
            return Float::nan(self.format);
        }
        let negative = self.number.is_negative() != factor.number.is_negative();
        let (Finite { significand: m, exponent: p, .. }, Finite { significand: n, exponent: q, .. }) =
            (&self.number, &factor.number)
        else {
            // Unless both factors are finite, the product is exact.
            return self.mul(mode, factor).add(mode, addend);
        };
        let (product, exponent) = (m * n, p + q);
        let exact = match &addend.number {
            Nan | Infinite { .. } => return addend.clone(),
            Zero { .. } => Exact { negative, magnitude: product, exponent, inexact: false },
            Finite { negative: sign, significand, exponent: r } => {
                sum(self.format, mode, (negative, &product, exponent), (*sign, significand, *r))
            }
        };
        self.format.round(mode, exact)
    }

    /// `(fp.sqrt mode a)`
    pub fn sqrt(&self, mode: RoundingMode) -> Float {
        match &self.number {
            Number::Nan | Number::Zero { .. } | Number::Infinite { negative: false } => self.clone(),
            Number::Infinite { negative: true } | Number::Finite { negative: true, .. } => {
                Float::nan(self.format)
            }
            Number::Finite { significand, exponent, .. } => {
                // Twice the precision, and an even exponent.
                let wanted = 2 * (self.format.significand_bits as usize + 2);
                let mut shift = wanted.saturating_sub(significand.bit_len());
                if (exponent - shift as i64) % 2 != 0 {
                    shift += 1;
                }
                let (magnitude, rest) = (significand << shift).sqrt_rem();
                let exponent = (exponent - shift as i64) / 2;
                self.format
                    .round(mode, Exact { negative: false, magnitude, exponent, inexact: !rest.is_zero() })
            }
        }
    }

    /// `(fp.rem a b)`: `a - b * n`, where `n` is the integer nearest to `a / b`; the even one in a tie.
    pub fn rem(&self, other: &Float) -> Float {
        use Number::{Finite, Infinite, Nan, Zero};
        match (&self.number, &other.number) {
            (Nan | Infinite { .. }, _) | (_, Nan | Zero { .. }) => Float::nan(self.format),
            (_, Infinite { .. }) | (Zero { .. }, _) => self.clone(),
            (
                Finite { negative, significand: m, exponent: p },
                Finite { significand: n, exponent: q, .. },
            ) => {
                let apart = p - q;
                if -apart > m.bit_len() as i64 {
                    // |a| is less than half of |b|.
                    return self.clone();
                }
                // Scales both to the lower exponent. Reduces the dividend modulo twice the divisor, which keeps the parity of the quotient.
                let exponent = *p.min(q);
                let divisor = if apart < 0 { n << (-apart) as usize } else { n.clone() };
                let twice = &divisor << 1;
                let dividend =
                    if apart > 0 { m * power_of_two_modulo(apart as u64, &twice) } else { m.clone() };
                let (odd_quotient, mut rest) = (dividend % &twice).div_rem(&divisor);
                let mut negative = *negative;
                let doubled = &rest << 1;
                if doubled > divisor || (doubled == divisor && odd_quotient.is_one()) {
                    rest = divisor - rest;
                    negative = !negative;
                }
                if rest.is_zero() {
                    return Float::zero(self.format, self.number.is_negative());
                }
                let exact = Exact { negative, magnitude: rest, exponent, inexact: false };
                self.format.round(RoundingMode::NearestEven, exact)
            }
        }
    }

    /// `(fp.roundToIntegral mode a)`. Open in unusual formats that lack the integer.
    pub fn round_to_integral(&self, mode: RoundingMode) -> Outcome<Float> {
        let Number::Finite { negative, significand, exponent } = &self.number else {
            return Ok(self.clone());
        };
        if *exponent >= 0 {
            return Ok(self.clone());
        }
        let magnitude = shift_right_rounded(significand, exponent.unsigned_abs(), false, mode, *negative);
        let exact = Exact { negative: *negative, magnitude, exponent: 0, inexact: false };
        let rounded = self.format.round(RoundingMode::NearestEven, exact);
        match rounded.number {
            Number::Infinite { .. } => {
                Err(Undetermined::Open("fp.roundToIntegral to an integer beyond the format"))
            }
            _ => Ok(rounded),
        }
    }

    /// `(fp.min a b)`. Open for two zeros of different signs.
    pub fn ieee_min(&self, other: &Float) -> Outcome<Float> {
        self.choose(other, "fp.min of both zeros", |a, b| a.ieee_lt(b))
    }

    /// `(fp.max a b)`. Open for two zeros of different signs.
    pub fn ieee_max(&self, other: &Float) -> Outcome<Float> {
        self.choose(other, "fp.max of both zeros", |a, b| b.ieee_lt(a))
    }

    fn choose(
        &self,
        other: &Float,
        open: &'static str,
        first: impl Fn(&Float, &Float) -> bool,
    ) -> Outcome<Float> {
        match (&self.number, &other.number) {
            (Number::Nan, _) => Ok(other.clone()),
            (_, Number::Nan) => Ok(self.clone()),
            (Number::Zero { negative: a }, Number::Zero { negative: b }) if a != b => {
                Err(Undetermined::Open(open))
            }
            _ => Ok(if first(self, other) { self.clone() } else { other.clone() }),
        }
    }
}

/// The sum of two non-zero numbers, exact enough for one rounding to the format.
fn sum(format: Format, mode: RoundingMode, one: (bool, &UBig, i64), other: (bool, &UBig, i64)) -> Exact {
    let ((high_sign, high, high_exponent), (low_sign, low, low_exponent)) =
        if one.2 >= other.2 { (one, other) } else { (other, one) };
    let apart = (high_exponent - low_exponent) as u64;
    let margin = u64::from(format.significand_bits) + 3;
    if apart >= low.bit_len() as u64 + margin {
        // The smaller number is far below the precision of the larger one: only its sign matters.
        let mut magnitude = high << margin as usize;
        if high_sign != low_sign {
            magnitude -= UBig::ONE;
        }
        return Exact {
            negative: high_sign,
            magnitude,
            exponent: high_exponent - margin as i64,
            inexact: true,
        };
    }
    let high = high << apart as usize;
    let (negative, magnitude) = if high_sign == low_sign {
        (high_sign, high + low)
    } else if high == *low {
        (mode.zero_sum_is_negative(), UBig::ZERO)
    } else if high > *low {
        (high_sign, high - low)
    } else {
        (low_sign, low - high)
    };
    Exact { negative, magnitude, exponent: low_exponent, inexact: false }
}

/// The quotient of two magnitudes, precise enough for one rounding.
pub(super) fn quotient(format: Format, negative: bool, one: (&UBig, i64), other: (&UBig, i64)) -> Exact {
    let wanted = format.significand_bits as usize + 3 + other.0.bit_len();
    let shift = wanted.saturating_sub(one.0.bit_len());
    let (magnitude, rest) = (one.0 << shift).div_rem(other.0);
    Exact { negative, magnitude, exponent: one.1 - other.1 - shift as i64, inexact: !rest.is_zero() }
}

/// `2^exponent mod modulus` by repeated squaring.
fn power_of_two_modulo(exponent: u64, modulus: &UBig) -> UBig {
    let mut result = UBig::ONE % modulus;
    for bit in (0..64 - exponent.leading_zeros()).rev() {
        result = &result * &result % modulus;
        if (exponent >> bit) & 1 == 1 {
            result = (result << 1) % modulus;
        }
    }
    result
}
