//! Integration tests: one file per technique, and the invariants of all of them.

mod approximate;
mod common;
mod draft;
mod golden;
mod grammar;
mod mutants;
mod opfuzz;
mod swap;
mod typefuzz;
