//! Bounds on what one operation may cost, and the reasons for giving no answer.

use std::fmt;

/// How large a value may grow and how long one operation may search before it gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bits in an integer, in either part of a rational, or in a bit-vector.
    pub bits: u64,
    /// The most code points in a string, and elements in a sequence.
    pub chars: u64,
    /// The most elementary steps of a search: states of a regular expression, refinements of an interval.
    pub steps: u64,
    /// The highest degree of a polynomial that defines an algebraic number, and of the field of several.
    pub degree: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { bits: 1 << 18, chars: 1 << 20, steps: 1 << 18, degree: 64 }
    }
}

impl Limits {
    /// Fails if a value of so many bits would be too large.
    pub fn check_bits(&self, bits: u64) -> Outcome<()> {
        if bits > self.bits {
            return Err(Undetermined::TooLarge("a number with more bits than the limit"));
        }
        Ok(())
    }

    /// Fails if a string or sequence of so many elements would be too large.
    pub fn check_chars(&self, chars: u64) -> Outcome<()> {
        if chars > self.chars {
            return Err(Undetermined::TooLarge("a string longer than the limit"));
        }
        Ok(())
    }
}

/// Why an operation has no value that can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Undetermined {
    /// Computing it would cost more than the [`Limits`] allow.
    TooLarge(&'static str),
    /// The standard leaves it open: the model may say, nothing else may.
    Open(&'static str),
}

impl fmt::Display for Undetermined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undetermined::TooLarge(what) => write!(f, "too large: {what}"),
            Undetermined::Open(what) => write!(f, "left open by the standard: {what}"),
        }
    }
}

impl std::error::Error for Undetermined {}

/// A value, or the reason for having none.
pub type Outcome<T> = Result<T, Undetermined>;

/// A countdown of steps shared by the parts of one search.
#[derive(Debug)]
pub struct Budget {
    left: u64,
}

impl Budget {
    /// A fresh budget of [`Limits::steps`] steps.
    pub fn new(limits: &Limits) -> Budget {
        Budget { left: limits.steps }
    }

    /// Takes `steps` from the budget, or fails when they are not there.
    pub fn spend(&mut self, steps: u64) -> Outcome<()> {
        match self.left.checked_sub(steps) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(Undetermined::TooLarge("a search longer than the limit"))
            }
        }
    }
}
