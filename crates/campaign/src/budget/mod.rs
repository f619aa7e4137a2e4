//! How a worker divides its time: among seeds, among run modes, and how long it waits for each solver.

mod adaptive_timeout;
mod run_modes;
mod seed_budget;

pub use adaptive_timeout::LimitKind;
pub use run_modes::{RunModePolicy, RunModes};
pub use seed_budget::SeedBudget;
