//! Configurations of a solver: the options that may be set, vectors of their values, and the search over such vectors.

mod elite;
mod search;
mod space;

pub use elite::Elite;
pub use search::{Search, SearchSettings};
pub use space::{Knob, KnobKind, Setting, Space, Value, Vector};
