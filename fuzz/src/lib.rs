//! What the fuzz targets share: the properties that every script must have, and changes to scripts that keep most of them
//! well-formed.

mod mutate;
mod properties;

pub use mutate::{cross, mutate};
pub use properties::{reads_without_panic, round_trips};
