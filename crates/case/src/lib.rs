//! The data that flows through Elenchus: what is asked, what solvers answer, and what is found.
//!
//! A [`Seed`] becomes a [`Case`]. A solver's run of a case ends in an [`Outcome`] with its [`Answer`]s. An oracle turns runs into
//! [`Evidence`] of a bug of some [`Class`], and a confirmed bug is a [`Finding`]. Every type here is plain data with serde support,
//! so the database, the reducer, the bisection, reports and JSON share one definition. Text for people is made by `Display` at
//! the very end and is never read back.

mod answer;
mod case;
mod crash;
pub mod hash;
pub mod index;
mod origin;
mod outcome;
mod run_mode;
mod seed;
pub mod wording;

pub use answer::Answer;
pub use case::{Case, Expectation, Step};
pub use crash::{Crash, CrashCause, CrashStack, signal_name};
pub use index::{CaseIndex, SeedIndex, SolverIndex, StrategyIndex, WitnessIndex};
pub use origin::Origin;
pub use outcome::{Exit, Outcome, RunResult};
pub use run_mode::RunMode;
pub use seed::{Learned, Seed};
