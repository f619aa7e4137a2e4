//! Values of the theories and operations on them, independent of terms and sorts.
//!
//! Every operation is exact or undetermined: [`limits::Undetermined::Open`] if the standard leaves the value to the model,
//! [`limits::Undetermined::TooLarge`] if computing it would exceed the [`limits::Limits`].

pub mod algebraic;
pub mod bitvec;
pub mod float;
pub mod integer;
pub mod limits;
pub mod rational;
pub mod real;
pub mod regex;
pub mod string;
