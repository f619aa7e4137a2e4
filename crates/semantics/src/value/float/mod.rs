//! Floating-point numbers of any format. Operations are exact, with one rounding at the end.
//!
//! Operators expect operands of one format, as the sorts guarantee. The result has the format of the first.

mod arithmetic;
mod compare;
mod convert;
mod round;

use std::fmt;

use dashu_base::BitTest;
use dashu_int::UBig;

use super::bitvec::BitVec;
use super::limits::{Limits, Outcome, Undetermined};
pub use round::RoundingMode;

/// A format: the widths of the exponent and of the significand, hidden bit included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Format {
    exponent_bits: u32,
    significand_bits: u32,
}

/// The widest exponent: exponents are computed in machine integers.
const MAX_EXPONENT_BITS: u32 = 60;

impl Format {
    /// `(_ FloatingPoint eb sb)`. Both are at least 2, as the standard demands; smaller ones are raised to 2.
    pub fn new(eb: u64, sb: u64, limits: &Limits) -> Outcome<Format> {
        limits.check_bits(eb.saturating_add(sb))?;
        let narrow = |bits: u64| u32::try_from(bits.max(2)).ok();
        match (narrow(eb), narrow(sb)) {
            (Some(exponent_bits), Some(significand_bits)) if exponent_bits <= MAX_EXPONENT_BITS => {
                Ok(Format { exponent_bits, significand_bits })
            }
            _ => Err(Undetermined::TooLarge("a floating-point format with a huge exponent")),
        }
    }

    /// The width of the exponent.
    pub fn eb(self) -> u32 {
        self.exponent_bits
    }

    /// The width of the significand, hidden bit included.
    pub fn sb(self) -> u32 {
        self.significand_bits
    }

    /// The width of a number.
    pub fn width(self) -> u32 {
        self.exponent_bits + self.significand_bits
    }

    /// The greatest exponent of a finite number, which is also the bias.
    fn max_exponent(self) -> i64 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// The exponent of the last bit of subnormal numbers.
    fn min_ulp_exponent(self) -> i64 {
        1 - self.max_exponent() - self.fraction_bits()
    }

    /// The exponent of the last bit of the greatest numbers.
    fn max_ulp_exponent(self) -> i64 {
        self.max_exponent() - self.fraction_bits()
    }

    fn fraction_bits(self) -> i64 {
        i64::from(self.significand_bits) - 1
    }
}

/// A floating-point number. `==` is SMT-LIB's `=`: there is one NaN, equal to itself, and two different zeros.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Float {
    format: Format,
    number: Number,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Number {
    Nan,
    Infinite {
        negative: bool,
    },
    Zero {
        negative: bool,
    },
    /// `± significand × 2^exponent`. The significand has full width, or less at the least exponent (subnormal).
    Finite {
        negative: bool,
        significand: UBig,
        exponent: i64,
    },
}

impl Float {
    /// `(_ NaN eb sb)`
    pub fn nan(format: Format) -> Float {
        Float { format, number: Number::Nan }
    }

    /// `(_ +oo eb sb)` or `(_ -oo eb sb)`
    pub fn infinity(format: Format, negative: bool) -> Float {
        Float { format, number: Number::Infinite { negative } }
    }

    /// `(_ +zero eb sb)` or `(_ -zero eb sb)`
    pub fn zero(format: Format, negative: bool) -> Float {
        Float { format, number: Number::Zero { negative } }
    }

    /// The finite number of greatest magnitude.
    pub fn max_finite(format: Format, negative: bool) -> Float {
        let significand = UBig::ones(format.significand_bits as usize);
        Float {
            format,
            number: Number::Finite { negative, significand, exponent: format.max_ulp_exponent() },
        }
    }

    /// `((_ to_fp eb sb) bits)`: the number of an IEEE bit pattern. All NaN patterns give the same NaN.
    pub fn from_bits(format: Format, bits: &BitVec) -> Float {
        let fraction_bits = format.significand_bits - 1;
        let negative = bits.bit(format.width() - 1);
        let fraction = bits.extract(fraction_bits - 1, 0);
        let exponent = bits.extract(format.width() - 2, fraction_bits);
        let number = if exponent.is_all_ones() {
            if fraction.is_zero() { Number::Infinite { negative } } else { Number::Nan }
        } else if exponent.is_zero() {
            match fraction.is_zero() {
                true => Number::Zero { negative },
                false => Number::Finite {
                    negative,
                    significand: fraction.to_big(),
                    exponent: format.min_ulp_exponent(),
                },
            }
        } else {
            let mut significand = fraction.to_big();
            significand.set_bit(fraction_bits as usize);
            // A normal number with exponent field 1 has the exponent of subnormal numbers.
            let field = exponent.to_u64().unwrap_or(1) as i64;
            Number::Finite { negative, significand, exponent: format.min_ulp_exponent() + field - 1 }
        };
        Float { format, number }
    }

    /// `(fp sign exponent significand)`
    pub fn from_parts(
        sign: &BitVec,
        exponent: &BitVec,
        significand: &BitVec,
        limits: &Limits,
    ) -> Outcome<Float> {
        let format = Format::new(u64::from(exponent.width()), u64::from(significand.width()) + 1, limits)?;
        let bits = sign.concat(exponent, limits)?.concat(significand, limits)?;
        Ok(Float::from_bits(format, &bits))
    }

    /// Z3's `(fp.to_ieee_bv a)`. Open for NaN, which has many patterns.
    pub fn to_bits(&self) -> Outcome<BitVec> {
        let format = self.format;
        let fraction_bits = format.significand_bits as usize - 1;
        let (negative, exponent, fraction) = match &self.number {
            Number::Nan => return Err(Undetermined::Open("the bits of NaN")),
            Number::Infinite { negative } => (*negative, (1u64 << format.exponent_bits) - 1, UBig::ZERO),
            Number::Zero { negative } => (*negative, 0, UBig::ZERO),
            Number::Finite { negative, significand, exponent } => {
                let normal = significand.bit_len() > fraction_bits;
                let field = (exponent - format.min_ulp_exponent()) as u64 + u64::from(normal);
                let mut fraction = significand.clone();
                fraction.clear_high_bits(fraction_bits);
                (*negative, field, fraction)
            }
        };
        let high = UBig::from((u64::from(negative) << format.exponent_bits) | exponent);
        Ok(BitVec::from_big(format.width(), (high << fraction_bits) | fraction))
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }
}

impl fmt::Display for Float {
    /// Writes the SMT-LIB term: `(fp #b0 #b… #b…)`, `(_ NaN 8 24)`, `(_ -zero 8 24)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Format { exponent_bits: eb, significand_bits: sb } = self.format;
        let sign = |negative: bool| if negative { '-' } else { '+' };
        match (&self.number, self.to_bits()) {
            (Number::Infinite { negative }, _) => write!(f, "(_ {}oo {eb} {sb})", sign(*negative)),
            (Number::Zero { negative }, _) => write!(f, "(_ {}zero {eb} {sb})", sign(*negative)),
            (Number::Finite { .. }, Ok(bits)) => {
                let binary = |high: u32, low: u32| {
                    let part = bits.extract(high, low);
                    format!("#b{:0>1$}", part.to_big().in_radix(2).to_string(), part.width() as usize)
                };
                let width = self.format.width();
                write!(
                    f,
                    "(fp {} {} {})",
                    binary(width - 1, width - 1),
                    binary(width - 2, sb - 1),
                    binary(sb - 2, 0)
                )
            }
            _ => write!(f, "(_ NaN {eb} {sb})"),
        }
    }
}

impl fmt::Debug for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
