//! Regular languages: syntax that is cheap to share, and matching by derivatives.
//!
//! A [`Regex`] is only syntax. [`Automaton`] interns it and takes derivatives lazily, with a bound on the steps; it owns
//! everything that it makes, so dropping it frees all memory. Whether a short string is in a language, the syntax tells faster
//! ([`contains`]).

mod arena;
mod automaton;
mod reverse;
mod syntax;
mod walk;

pub use automaton::Automaton;
pub use syntax::Regex;
pub use walk::contains;
