//! Tables and laws for the arithmetic of each theory.

mod algebraic;
mod bitvec;
mod float;
mod integer;
mod rational;
mod regex;
mod string;
