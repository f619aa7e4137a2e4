//! Conversions between formats, and from and to reals, integers and bit-vectors.

use dashu_base::{Abs, BitTest};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::arithmetic::quotient;
use super::round::{Exact, shift_right_rounded};
use super::{Float, Format, Number, RoundingMode};
use crate::value::bitvec::BitVec;
use crate::value::integer::Int;
use crate::value::limits::{Limits, Outcome, Undetermined};
use crate::value::rational::Rational;
use crate::value::real::Real;

impl Float {
    /// `((_ to_fp eb sb) mode a)` from another format
    pub fn to_format(&self, format: Format, mode: RoundingMode) -> Float {
        match &self.number {
            Number::Nan => Float::nan(format),
            Number::Infinite { negative } => Float::infinity(format, *negative),
            Number::Zero { negative } => Float::zero(format, *negative),
            Number::Finite { negative, significand, exponent } => format.round(
                mode,
                Exact {
                    negative: *negative,
                    magnitude: significand.clone(),
                    exponent: *exponent,
                    inexact: false,
                },
            ),
        }
    }

    /// `((_ to_fp eb sb) mode a)` from a rational number. Zero becomes the positive zero.
    pub fn from_rational(format: Format, mode: RoundingMode, value: &Rational) -> Float {
        let numerator = value.numerator().to_big().abs().into_parts().1;
        let denominator = value.denominator().to_big().into_parts().1;
        format.round(mode, quotient(format, value.signum() < 0, (&numerator, 0), (&denominator, 0)))
    }

    /// `((_ to_fp eb sb) mode a)` from a real number
    pub fn from_real(format: Format, mode: RoundingMode, value: &Real, limits: &Limits) -> Outcome<Float> {
        let round = |value: &RBig| Float::from_rational(format, mode, &Rational::from_big(value.clone()));
        match value {
            Real::Rational(value) => Ok(Float::from_rational(format, mode, value)),
            // Rounding is monotonic: if both bounds round to the same number, so does the value between them.
            Real::Algebraic(value) => value.narrow(limits, |low, high| {
                let (low, high) = (round(low), round(high));
                (low == high).then_some(low)
            }),
        }
    }

    /// The number nearest to an integer, by rounding mode. Zero becomes the positive zero.
    pub fn from_int(format: Format, mode: RoundingMode, value: &Int) -> Float {
        let magnitude = value.to_big().abs().into_parts().1;
        format.round(mode, Exact { negative: value.is_negative(), magnitude, exponent: 0, inexact: false })
    }

    /// `((_ to_fp eb sb) mode a)` from a signed bit-vector
    pub fn from_signed(format: Format, mode: RoundingMode, value: &BitVec) -> Float {
        Float::from_int(format, mode, &value.to_signed())
    }

    /// `((_ to_fp_unsigned eb sb) mode a)`
    pub fn from_unsigned(format: Format, mode: RoundingMode, value: &BitVec) -> Float {
        Float::from_int(format, mode, &value.to_unsigned())
    }

    /// The integer that the number rounds to, if it has at most `bits` bits. `None` for NaN and infinity.
    fn to_int_within(&self, mode: RoundingMode, bits: u64) -> Option<IBig> {
        match &self.number {
            Number::Nan | Number::Infinite { .. } => None,
            Number::Zero { .. } => Some(IBig::ZERO),
            Number::Finite { negative, significand, exponent } => {
                let magnitude = if *exponent >= 0 {
                    if (significand.bit_len() as u64).saturating_add(exponent.unsigned_abs()) > bits {
                        return None;
                    }
                    significand << *exponent as usize
                } else {
                    shift_right_rounded(significand, exponent.unsigned_abs(), false, mode, *negative)
                };
                let magnitude = IBig::from(magnitude);
                Some(if *negative { -magnitude } else { magnitude })
            }
        }
    }

    /// `((_ fp.to_ubv width) mode a)`. Open for NaN, infinity and numbers out of range.
    pub fn to_unsigned(&self, mode: RoundingMode, width: u32, limits: &Limits) -> Outcome<BitVec> {
        let open = Undetermined::Open("fp.to_ubv out of range");
        let value = self.to_int_within(mode, u64::from(width)).ok_or(open)?;
        if value < IBig::ZERO || value.bit_len() > width as usize {
            return Err(open);
        }
        BitVec::from_int(width, &Int::from_big(value), limits)
    }

    /// `((_ fp.to_sbv width) mode a)`. Open for NaN, infinity and numbers out of range.
    pub fn to_signed(&self, mode: RoundingMode, width: u32, limits: &Limits) -> Outcome<BitVec> {
        let open = Undetermined::Open("fp.to_sbv out of range");
        let value = self.to_int_within(mode, u64::from(width)).ok_or(open)?;
        let bound = IBig::ONE << width.saturating_sub(1) as usize;
        if value >= bound || value < -bound {
            return Err(open);
        }
        BitVec::from_int(width, &Int::from_big(value), limits)
    }

    /// `(fp.to_real a)`. Open for NaN and infinity.
    pub fn to_real(&self, limits: &Limits) -> Outcome<Rational> {
        match &self.number {
            Number::Nan => Err(Undetermined::Open("fp.to_real of NaN")),
            Number::Infinite { .. } => Err(Undetermined::Open("fp.to_real of infinity")),
            Number::Zero { .. } => Ok(Rational::ZERO),
            Number::Finite { negative, significand, exponent } => {
                limits.check_bits((significand.bit_len() as u64).saturating_add(exponent.unsigned_abs()))?;
                let shift = exponent.unsigned_abs() as usize;
                let magnitude =
                    IBig::from(if *exponent >= 0 { significand << shift } else { significand.clone() });
                let numerator = Int::from_big(if *negative { -magnitude } else { magnitude });
                let denominator =
                    Int::from_unsigned_big(if *exponent < 0 { UBig::ONE << shift } else { UBig::ONE });
                Ok(Rational::new(&numerator, &denominator).unwrap_or(Rational::ZERO))
            }
        }
    }
}
