//! Values of the theories and the arithmetic on them, free of terms and sorts.

pub mod bitvec;
pub mod float;
pub mod integer;
pub mod limits;
pub mod rational;
pub mod regex;
pub mod string;
