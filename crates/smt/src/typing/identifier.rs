//! Identifiers as scripts write them.

use crate::sort::{Index, Sort};
use crate::symbol::Symbol;

/// An identifier as it is written: a name with its indices, perhaps with a sort.
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
    /// A name without indices or sort.
    pub fn plain(name: Symbol) -> Self {
        Head { name, indices: &[], ascription: None }
    }
}
