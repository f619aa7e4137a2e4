//! Configurations of a solver: the options that may be set, vectors of their values, and the search over such vectors.

mod search;
mod space;

pub use search::{Search, SearchSettings};
pub use space::{Knob, KnobKind, Setting, Space, Value, Vector};
