//! Bit-vectors of any width: one machine word up to 64 bits, a big integer above.
//!
//! Binary operators expect equal widths, as the sorts guarantee. The result has the width of the first.

mod arithmetic;
mod compare;
mod shape;

use std::fmt;
use std::sync::Arc;

use dashu_base::BitTest;
use dashu_int::{IBig, UBig};

use super::integer::Int;
use super::limits::{Limits, Outcome, Undetermined};

/// A bit-vector. Equal vectors have equal representations.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BitVec {
    width: u32,
    bits: Bits,
}

/// `Small` for widths up to 64, `Big` above; no bits beyond the width are set.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Bits {
    Small(u64),
    Big(Arc<UBig>),
}

/// The widest vector that is stored in a machine word.
const WORD: u32 = 64;

impl BitVec {
    /// The low `width` bits of a word. A wider vector is filled with zeros.
    pub fn from_u64(width: u32, value: u64) -> BitVec {
        if width > WORD {
            return BitVec { width, bits: Bits::Big(Arc::new(UBig::from(value))) };
        }
        BitVec { width, bits: Bits::Small(value & word_mask(width)) }
    }

    /// The low `width` bits of a natural number. Not part of the interface: tests and benchmarks use it.
    #[doc(hidden)]
    pub fn from_big(width: u32, mut value: UBig) -> BitVec {
        value.clear_high_bits(width as usize);
        match (width > WORD, u64::try_from(&value)) {
            (false, Ok(word)) => BitVec { width, bits: Bits::Small(word) },
            _ => BitVec { width, bits: Bits::Big(Arc::new(value)) },
        }
    }

    /// `((_ int_to_bv width) value)`: the number modulo `2^width`.
    pub fn from_int(width: u32, value: &Int, limits: &Limits) -> Outcome<BitVec> {
        if width <= WORD
            && let Some(small) = value.to_i64()
        {
            return Ok(BitVec::from_u64(width, small as u64));
        }
        Ok(BitVec::from_big(width, value.low_bits(u64::from(width), limits)?))
    }

    /// Reads the digits of a binary literal, the part after `#b`.
    pub fn parse_binary(digits: &str, limits: &Limits) -> Outcome<Option<BitVec>> {
        BitVec::parse(digits, 2, 1, limits)
    }

    /// Reads the digits of a hexadecimal literal, the part after `#x`.
    pub fn parse_hex(digits: &str, limits: &Limits) -> Outcome<Option<BitVec>> {
        BitVec::parse(digits, 16, 4, limits)
    }

    fn parse(digits: &str, radix: u32, bits_per_digit: u64, limits: &Limits) -> Outcome<Option<BitVec>> {
        if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
            return Ok(None);
        }
        let width = checked_width(digits.len() as u64 * bits_per_digit, limits)?;
        Ok(UBig::from_str_radix(digits, radix).ok().map(|value| BitVec::from_big(width, value)))
    }

    /// The vector of zeros.
    pub fn zero(width: u32) -> BitVec {
        BitVec::from_u64(width, 0)
    }

    /// The vector of ones.
    pub fn ones(width: u32) -> BitVec {
        BitVec::from_u64(1, 1).sign_extended(width)
    }

    /// The smallest signed number: a one and then zeros.
    pub fn min_signed(width: u32) -> BitVec {
        BitVec::ones(width).shift_left_by(u64::from(width.saturating_sub(1)))
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Whether bit `index` is set; bit 0 is the least significant one.
    pub fn bit(&self, index: u32) -> bool {
        match &self.bits {
            Bits::Small(word) => index < WORD && (word >> index) & 1 == 1,
            Bits::Big(value) => value.bit(index as usize),
        }
    }

    /// Whether all bits are zero.
    pub fn is_zero(&self) -> bool {
        match &self.bits {
            Bits::Small(word) => *word == 0,
            Bits::Big(value) => value.is_zero(),
        }
    }

    /// Whether the most significant bit is set.
    pub fn is_negative(&self) -> bool {
        self.width > 0 && self.bit(self.width - 1)
    }

    /// The unsigned number in the type of the implementation. Not part of the interface: tests and benchmarks use it.
    #[doc(hidden)]
    pub fn to_big(&self) -> UBig {
        match &self.bits {
            Bits::Small(word) => UBig::from(*word),
            Bits::Big(value) => (**value).clone(),
        }
    }

    /// The unsigned number, if it fits a word.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.bits {
            Bits::Small(word) => Some(*word),
            Bits::Big(value) => u64::try_from(&**value).ok(),
        }
    }

    /// `(ubv_to_int a)`, formerly `bv2nat`
    pub fn to_unsigned(&self) -> Int {
        match &self.bits {
            Bits::Small(word) => Int::from(*word),
            Bits::Big(value) => Int::from_unsigned_big((**value).clone()),
        }
    }

    /// `(sbv_to_int a)`
    pub fn to_signed(&self) -> Int {
        if !self.is_negative() {
            return self.to_unsigned();
        }
        match &self.bits {
            Bits::Small(word) => Int::from(i128::from(*word) - (1i128 << self.width)),
            Bits::Big(value) => {
                Int::from_big(IBig::from((**value).clone()) - (IBig::ONE << self.width as usize))
            }
        }
    }

    /// Applies one function to words or another to big integers, and truncates the result to the width.
    fn map2(
        &self,
        other: &BitVec,
        small: impl Fn(u64, u64) -> u64,
        big: impl Fn(&UBig, &UBig) -> UBig,
    ) -> BitVec {
        match (&self.bits, &other.bits) {
            (Bits::Small(a), Bits::Small(b)) => BitVec::from_u64(self.width, small(*a, *b)),
            (Bits::Big(a), Bits::Big(b)) => BitVec::from_big(self.width, big(a, b)),
            _ => BitVec::from_big(self.width, big(&self.to_big(), &other.to_big())),
        }
    }
}

/// The low `width` bits set, for widths up to that of a word.
fn word_mask(width: u32) -> u64 {
    if width >= WORD { u64::MAX } else { (1 << width) - 1 }
}

/// A width that is within the limits.
pub(crate) fn checked_width(width: u64, limits: &Limits) -> Outcome<u32> {
    limits.check_bits(width)?;
    u32::try_from(width).map_err(|_| Undetermined::TooLarge("a bit-vector wider than the limit"))
}

impl fmt::Display for BitVec {
    /// Writes the literal: hexadecimal where the width is a multiple of four, binary otherwise.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.width.is_multiple_of(4) {
            write!(f, "#x{:0>1$}", self.to_big().in_radix(16).to_string(), (self.width / 4) as usize)
        } else {
            write!(f, "#b{:0>1$}", self.to_big().in_radix(2).to_string(), self.width as usize)
        }
    }
}

impl fmt::Debug for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
