//! Identifiers in applications.

use crate::sort::{Index, Sort};
use crate::symbol::Symbol;

/// The identifier at the head of an application: a name with optional indices and sort.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The name.
    pub name: Symbol,
    /// The indices of `(_ name index …)`.
    pub indices: &'a [Index],
    /// The sort of `(as name SORT)`.
    pub ascription: Option<Sort>,
}

impl Head<'_> {
    /// An identifier without indices or sort.
    pub fn plain(name: Symbol) -> Self {
        Head { name, indices: &[], ascription: None }
    }
}
