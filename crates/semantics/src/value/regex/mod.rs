//! Regular languages: shared syntax, and matching by derivatives.
//!
//! A [`Regex`] is only syntax. [`Automaton`] interns it and takes derivatives lazily, within a budget of steps. It owns all that it
//! creates, so dropping it frees all memory. [`contains`] tests short strings faster, from the syntax alone.

mod arena;
mod automaton;
mod reverse;
mod syntax;
mod walk;

pub use automaton::Automaton;
pub use syntax::Regex;
pub use walk::contains;
