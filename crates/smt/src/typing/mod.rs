//! Typing: which rank of an operator matches its arguments, and the sort of the result.

mod apply;
mod function;
mod identifier;
mod mismatch;
mod special;

pub(crate) use function::ParamBinding;
pub use identifier::Head;
pub use mismatch::Mismatch;
