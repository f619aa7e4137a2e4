//! Shared code of the fuzz targets: properties that must hold for every script, and mutations that keep most scripts
//! well-formed.

mod mutate;
mod properties;

pub use mutate::{crossover, mutate};
pub use properties::{parse_without_panic, round_trip};
