//! Tables and laws for the arithmetic of each theory.

mod bitvec;
mod integer;
mod rational;
mod regex;
mod string;
