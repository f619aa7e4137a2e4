//! How a worker divides its time: among seeds, among run modes, between cases and other work, and how long it waits for each
//! solver.

mod adaptive_timeout;
mod allowance;
mod operator_costs;
mod run_modes;
mod seed_budget;
mod slack;
mod source;
mod statement_limits;

pub use adaptive_timeout::LimitKind;
pub use allowance::{Allowance, Shares};
pub use operator_costs::OperatorCosts;
pub use run_modes::{RunModePolicy, RunModes};
pub use seed_budget::SeedBudget;
pub use slack::Slack;
pub use source::Source;
pub use statement_limits::{StatementLimit, StatementLimits, StatementRun};
