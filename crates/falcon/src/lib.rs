//! Falcon: fuzzing solvers together with their options.
//!
//! [`space`] describes the options of a solver that may be set without changing the question. [`learn`] measures which of
//! them matter to which operators. [`search`] breeds configurations that reach new code. [`policy`] decides, for each case,
//! which configurations to try; it asks no solver itself. See `docs/falcon.md`.

mod effort;
pub mod learn;
pub mod policy;
pub mod present;
mod rewards;
pub mod search;
pub mod space;

pub use learn::Correlations;
pub use policy::{Gain, Novelty, Policy, SolverOptions, Trial};
pub use space::{Knob, KnobKind, Setting, Space, Value, Vector, space_of};
