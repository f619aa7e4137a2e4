//! Printing, into a caller's buffer. What is printed reads back as the same terms.

mod commands;
pub(crate) mod names;
mod terms;

pub use names::name_into;
