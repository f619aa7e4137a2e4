//! Rewriting terms. Everything here works on an explicit stack and remembers what it has done, so that a term costs as much
//! as the arena holds of it, however deep it is and however often its parts are shared.

mod definitions;
mod free;
mod lets;
mod substitute;
mod traverse;

pub use definitions::Definitions;
pub use free::FreeLocals;
pub use substitute::Substitution;
pub use traverse::{post_order, rebuild};
