//! The five rounding modes, and rounding an exact result to a format.

use std::fmt;

use dashu_base::BitTest;
use dashu_int::UBig;

use super::{Float, Format, Number};

/// How an exact number is rounded to a number of the format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum RoundingMode {
    /// `RNE`: to the nearest, halfway to the even one
    NearestEven,
    /// `RNA`: to the nearest, halfway away from zero
    NearestAway,
    /// `RTP`: up
    Positive,
    /// `RTN`: down
    Negative,
    /// `RTZ`: towards zero
    Zero,
}

impl RoundingMode {
    /// All five modes.
    pub const ALL: [RoundingMode; 5] = [
        RoundingMode::NearestEven,
        RoundingMode::NearestAway,
        RoundingMode::Positive,
        RoundingMode::Negative,
        RoundingMode::Zero,
    ];

    /// The mode of a short or long SMT-LIB name.
    pub fn from_name(name: &str) -> Option<RoundingMode> {
        Some(match name {
            "RNE" | "roundNearestTiesToEven" => RoundingMode::NearestEven,
            "RNA" | "roundNearestTiesToAway" => RoundingMode::NearestAway,
            "RTP" | "roundTowardPositive" => RoundingMode::Positive,
            "RTN" | "roundTowardNegative" => RoundingMode::Negative,
            "RTZ" | "roundTowardZero" => RoundingMode::Zero,
            _ => return None,
        })
    }

    /// The short SMT-LIB name.
    pub fn name(self) -> &'static str {
        match self {
            RoundingMode::NearestEven => "RNE",
            RoundingMode::NearestAway => "RNA",
            RoundingMode::Positive => "RTP",
            RoundingMode::Negative => "RTN",
            RoundingMode::Zero => "RTZ",
        }
    }

    /// Whether a truncated magnitude is rounded up. `half` is the first bit cut off, `rest` whether any later one is set.
    fn goes_up(self, negative: bool, odd: bool, half: bool, rest: bool) -> bool {
        match self {
            RoundingMode::NearestEven => half && (rest || odd),
            RoundingMode::NearestAway => half,
            RoundingMode::Positive => !negative && (half || rest),
            RoundingMode::Negative => negative && (half || rest),
            RoundingMode::Zero => false,
        }
    }

    /// The sign of the zero sum of two numbers of opposite signs.
    pub(super) fn zero_sum_is_negative(self) -> bool {
        self == RoundingMode::Negative
    }
}

impl fmt::Display for RoundingMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An exact magnitude before rounding: `magnitude × 2^exponent`, plus less than one unit if `inexact`.
///
/// An inexact magnitude must have at least two bits more than the significand, so that rounding happens above the missing part.
pub(super) struct Exact {
    pub(super) negative: bool,
    pub(super) magnitude: UBig,
    pub(super) exponent: i64,
    pub(super) inexact: bool,
}

/// Divides by `2^shift` and rounds to an integer. `more` says that a non-zero part follows the last bit.
pub(super) fn shift_right_rounded(
    magnitude: &UBig,
    shift: u64,
    more: bool,
    mode: RoundingMode,
    negative: bool,
) -> UBig {
    if shift == 0 {
        return magnitude.clone();
    }
    let bits = magnitude.bit_len() as u64;
    let (kept, half, rest) = if shift > bits {
        (UBig::ZERO, false, more || bits > 0)
    } else {
        let shift = shift as usize;
        let zeros = magnitude.trailing_zeros().unwrap_or(usize::MAX);
        (magnitude >> shift, magnitude.bit(shift - 1), more || zeros < shift - 1)
    };
    if mode.goes_up(negative, kept.bit(0), half, rest) { kept + UBig::ONE } else { kept }
}

impl Format {
    /// Rounds an exact magnitude to this format. An exact zero keeps its sign.
    pub(super) fn round(self, mode: RoundingMode, exact: Exact) -> Float {
        let Exact { negative, magnitude, exponent, inexact } = exact;
        if magnitude.is_zero() && !inexact {
            return Float::zero(self, negative);
        }
        let all_bits = self.significand_bits as usize;
        let lead = exponent + magnitude.bit_len() as i64 - 1;
        let mut target = (lead - self.fraction_bits()).max(self.min_ulp_exponent());
        let mut significand = if target <= exponent {
            magnitude << (exponent - target) as usize
        } else {
            shift_right_rounded(&magnitude, (target - exponent) as u64, inexact, mode, negative)
        };
        if significand.bit_len() > all_bits {
            significand >>= 1;
            target += 1;
        }
        if significand.is_zero() {
            return Float::zero(self, negative);
        }
        if target > self.max_ulp_exponent() {
            let to_infinity = match mode {
                RoundingMode::NearestEven | RoundingMode::NearestAway => true,
                RoundingMode::Positive => !negative,
                RoundingMode::Negative => negative,
                RoundingMode::Zero => false,
            };
            return if to_infinity {
                Float::infinity(self, negative)
            } else {
                Float::max_finite(self, negative)
            };
        }
        Float { format: self, number: Number::Finite { negative, significand, exponent: target } }
    }
}
