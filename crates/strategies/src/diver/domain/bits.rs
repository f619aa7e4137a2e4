//! Bit-vectors with unsigned bounds, signed bounds and known bits, all at once.

use super::WIDE;
use semantics::value::bitvec::BitVec;
use semantics::value::integer::Int;

/// A set of bit-vectors of one width.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    width: u32,
    /// The unsigned bounds, both inclusive.
    pub unsigned: (Int, Int),
    /// The signed bounds, both inclusive.
    pub signed: (Int, Int),
    /// Which bits are known.
    pub mask: BitVec,
    /// The values of the known bits; zero elsewhere.
    pub value: BitVec,
}

impl Bits {
    /// All vectors of a width.
    pub fn all(width: u32) -> Bits {
        let least = BitVec::min_signed(width);
        Bits {
            width,
            unsigned: (Int::from(0), BitVec::ones(width).to_unsigned()),
            signed: (least.to_signed(), least.not().to_signed()),
            mask: BitVec::zero(width),
            value: BitVec::zero(width),
        }
    }

    /// The vectors between two unsigned bounds; a missing bound does not constrain.
    pub fn unsigned(width: u32, low: Option<Int>, high: Option<Int>) -> Bits {
        let mut bits = Bits::all(width);
        narrow(&mut bits.unsigned, low, high);
        bits
    }

    /// The vectors between two signed bounds; a missing bound does not constrain.
    pub fn signed(width: u32, low: Option<Int>, high: Option<Int>) -> Bits {
        let mut bits = Bits::all(width);
        narrow(&mut bits.signed, low, high);
        bits
    }

    /// The vectors that agree with `value` on the bits of the mask.
    pub fn known(mask: BitVec, value: &BitVec) -> Bits {
        let all = Bits::all(mask.width());
        Bits { value: value.and(&mask), mask, ..all }
    }

    /// The width.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Whether only known bits constrain the set.
    pub fn only_bits(&self) -> bool {
        let all = Bits::all(self.width);
        self.unsigned == all.unsigned && self.signed == all.signed
    }

    /// Whether every vector is in the set.
    pub fn is_all(&self) -> bool {
        self.mask.is_zero() && self.only_bits()
    }

    /// Whether a vector is in the set.
    pub fn contains(&self, vector: &BitVec) -> bool {
        let (unsigned, signed) = (vector.to_unsigned(), vector.to_signed());
        vector.width() == self.width
            && self.unsigned.0 <= unsigned
            && unsigned <= self.unsigned.1
            && self.signed.0 <= signed
            && signed <= self.signed.1
            && vector.and(&self.mask) == self.value
    }

    /// The complements of its vectors.
    pub fn not(&self) -> Bits {
        let most = BitVec::ones(self.width).to_unsigned();
        let signed = |end: &Int| end.neg().sub(&Int::from(1));
        Bits {
            width: self.width,
            unsigned: (most.sub(&self.unsigned.1), most.sub(&self.unsigned.0)),
            signed: (signed(&self.signed.1), signed(&self.signed.0)),
            mask: self.mask.clone(),
            value: self.value.not().and(&self.mask),
        }
    }

    /// A score for the size of the set.
    pub fn score(&self) -> f64 {
        let free = (0..self.width).filter(|&bit| !self.mask.bit(bit)).count() as u32;
        let by_bits = if free < 10 { 1i64 << free } else { i64::from(WIDE) };
        let extent =
            |ends: &(Int, Int)| ends.1.sub(&ends.0).to_i64().map_or(i64::MAX, |size| size.saturating_add(1));
        let size = by_bits.min(extent(&self.unsigned)).min(extent(&self.signed)).clamp(1, i64::from(WIDE));
        size as f64 / f64::from(WIDE)
    }
}

fn narrow(ends: &mut (Int, Int), low: Option<Int>, high: Option<Int>) {
    if let Some(low) = low.filter(|low| *low > ends.0) {
        ends.0 = low;
    }
    if let Some(high) = high.filter(|high| *high < ends.1) {
        ends.1 = high;
    }
}
