//! Intervals of floating-point numbers, with or without NaN. The two zeros are equal.

use semantics::value::float::Float;
use std::cmp::Ordering;

/// A set of floating-point numbers of one format.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Floats {
    /// The lower bound, and whether it is exclusive.
    pub low: (Float, bool),
    /// The upper bound, and whether it is exclusive.
    pub high: (Float, bool),
    /// Whether NaN is in the set.
    pub nan: bool,
}

impl Floats {
    /// Every number except NaN.
    pub fn numbers(like: &Float) -> Floats {
        let end = |negative: bool| (Float::infinity(like.format(), negative), false);
        Floats { low: end(true), high: end(false), nan: false }
    }

    /// The numbers up to `high`, exclusive if `strict`.
    pub fn up_to(high: &Float, strict: bool, nan: bool) -> Floats {
        Floats { high: (high.clone(), strict), nan, ..Floats::numbers(high) }
    }

    /// The numbers from `low`, exclusive if `strict`.
    pub fn from(low: &Float, strict: bool, nan: bool) -> Floats {
        Floats { low: (low.clone(), strict), nan, ..Floats::numbers(low) }
    }

    /// The numbers that compare equal to one.
    pub fn same(value: &Float) -> Floats {
        Floats { low: (value.clone(), false), high: (value.clone(), false), nan: false }
    }

    /// The negations.
    pub fn neg(&self) -> Floats {
        let end = |(end, strict): &(Float, bool)| (end.neg(), *strict);
        Floats { low: end(&self.high), high: end(&self.low), nan: self.nan }
    }

    /// Whether a number is in the set.
    pub fn contains(&self, value: &Float) -> bool {
        if value.is_nan() {
            return self.nan;
        }
        let fits = |order: Option<Ordering>, strict: bool, beyond: Ordering| {
            order.is_some_and(|order| order == beyond || (!strict && order.is_eq()))
        };
        fits(value.compare(&self.low.0), self.low.1, Ordering::Greater)
            && fits(value.compare(&self.high.0), self.high.1, Ordering::Less)
    }

    /// A single number scores little, any other set as much as an interval of reals.
    pub fn score(&self) -> f64 {
        if self.low.0 == self.high.0 { super::LEAST_SCORE } else { 1.0 }
    }
}
