//! Values of the theories and the arithmetic on them, free of terms and sorts.
//!
//! Every operation is exact. One that has no value says why: [`limits::Undetermined::Open`] where the standard leaves
//! the value to the model, [`limits::Undetermined::TooLarge`] where computing it would cost more than the
//! [`limits::Limits`] allow.

pub mod algebraic;
pub mod bitvec;
pub mod float;
pub mod integer;
pub mod limits;
pub mod rational;
pub mod real;
pub mod regex;
pub mod string;

use std::fmt;

use bitvec::BitVec;
use float::{Float, RoundingMode};
use integer::Int;
use real::Real;
use regex::Regex;
use string::Str;

/// A value of one of the theories. Cloning is cheap: what is large is shared.
///
/// `==` is SMT-LIB's `=` except for regular languages, where it compares the syntax: whether two of them are equal is a
/// question for [`Regex::distinguishing`]. The order is total within a sort and serves to keep values in sorted tables;
/// for floating-point numbers and bit-vectors it is not the order of any of their operators.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// `true` or `false`
    Bool(bool),
    /// An integer.
    Int(Int),
    /// A real number.
    Real(Real),
    /// A string.
    Str(Str),
    /// A regular language.
    RegLan(Regex),
    /// A bit-vector.
    BitVec(BitVec),
    /// A floating-point number.
    Float(Float),
    /// A rounding mode.
    RoundingMode(RoundingMode),
}

impl fmt::Display for Value {
    /// Writes the value as an SMT-LIB term.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => value.fmt(f),
            Value::Int(value) => value.fmt(f),
            Value::Real(value) => value.fmt(f),
            Value::Str(value) => value.fmt(f),
            Value::RegLan(value) => value.fmt(f),
            Value::BitVec(value) => value.fmt(f),
            Value::Float(value) => value.fmt(f),
            Value::RoundingMode(value) => value.fmt(f),
        }
    }
}
