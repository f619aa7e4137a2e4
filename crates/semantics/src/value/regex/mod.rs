//! Regular languages: syntax that is cheap to share, and matching by derivatives.
//!
//! A [`Regex`] is only syntax. [`Automaton`] interns it and takes derivatives lazily, with a bound on the steps; it owns
//! everything that it makes, so dropping it frees all memory.

mod arena;
mod automaton;
mod reverse;
mod syntax;

pub use automaton::Automaton;
pub use syntax::Regex;
