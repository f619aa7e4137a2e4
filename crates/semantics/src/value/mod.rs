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
