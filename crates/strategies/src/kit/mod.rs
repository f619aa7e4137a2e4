//! Infrastructure that the techniques share.

pub(crate) mod chain;
pub(crate) mod constants;
pub(crate) mod draft;
pub(crate) mod evaluation;
pub mod ground;
pub(crate) mod operators;
pub(crate) mod random;
pub(crate) mod related_sorts;
pub(crate) mod witness;
