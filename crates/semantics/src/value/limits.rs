//! Bounds on the cost of operations, and the reasons why a result is undetermined.

use std::fmt;

/// Bounds on the size of a value and on the cost of one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bits of an integer, of either part of a rational, or of a bit-vector.
    pub bits: u64,
    /// The most code points of a string, and elements of a sequence.
    pub chars: u64,
    /// The most steps of a search, such as states of an automaton or refinements of an interval.
    pub steps: u64,
    /// The highest degree of a polynomial that defines an algebraic number, and of a field of several.
    pub degree: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { bits: 1 << 18, chars: 1 << 20, steps: 1 << 18, degree: 64 }
    }
}

impl Limits {
    /// Fails if a value of this many bits would be too large.
    pub fn check_bits(&self, bits: u64) -> Outcome<()> {
        if bits > self.bits {
            return Err(Undetermined::TooLarge("a number with more bits than the limit"));
        }
        Ok(())
    }

    /// Fails if a string or sequence of this length would be too large.
    pub fn check_chars(&self, chars: u64) -> Outcome<()> {
        if chars > self.chars {
            return Err(Undetermined::TooLarge("a string longer than the limit"));
        }
        Ok(())
    }
}

/// Why the result of an operation is undetermined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Undetermined {
    /// Computing it would cost more than the [`Limits`] allow.
    TooLarge(&'static str),
    /// The standard leaves the value open; only a model can define it.
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

/// A value, or the reason why it is undetermined.
pub type Outcome<T> = Result<T, Undetermined>;

/// A budget of steps, shared by the parts of one search.
#[derive(Debug)]
pub(crate) struct Budget {
    left: u64,
}

impl Budget {
    /// A fresh budget of [`Limits::steps`] steps.
    pub(crate) fn new(limits: &Limits) -> Budget {
        Budget { left: limits.steps }
    }

    /// Spends steps. Fails if the budget is used up.
    pub(crate) fn spend(&mut self, steps: u64) -> Outcome<()> {
        match self.left.checked_sub(steps) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(Undetermined::TooLarge("step limit reached in a search"))
            }
        }
    }
}
