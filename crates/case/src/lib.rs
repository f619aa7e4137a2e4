//! The data that flows through Elenchus: what is asked, what solvers answer, and what is found.
//!
//! A [`Seed`] becomes a [`Case`]. A solver's run of a case ends in an [`Outcome`] with its [`Answer`]s. An oracle turns runs into
//! [`Evidence`] of a bug of some [`Class`], and a confirmed bug is a [`Finding`]. Every type here is plain data with serde support,
//! so the database, the reducer, the bisection, reports and JSON share one definition. Text for people is made by `Display` at
//! the very end and is never read back.

mod answer;
mod case;
mod claim;
mod class;
mod crash;
mod evidence;
pub mod files;
mod finding;
pub mod hash;
mod hinted;
pub mod index;
mod origin;
mod outcome;
pub mod parallel;
mod printable;
mod run_mode;
mod seed;
mod severity;
mod signature;
mod statement;
pub mod table;
pub mod text;
pub mod wording;

pub use answer::Answer;
pub use case::{Case, Expectation, Step};
pub use claim::{Claim, Clause, CrashPattern, Predicate, PredicateError};
pub use class::Class;
pub use crash::{Crash, CrashCause, CrashStack, signal_name};
pub use evidence::{Conflict, Evidence, conflict, title};
pub use finding::{AskedScript, FINDING_FORMAT, Finding, SignatureFile, SolverRun};
pub use hinted::Hinted;
pub use index::{CaseIndex, ParticipantIndex, SeedIndex, SolverIndex, StrategyIndex, WitnessIndex};
pub use origin::Origin;
pub use outcome::{Exit, Outcome, RunResult};
pub use printable::printable;
pub use run_mode::RunMode;
pub use seed::{Learned, Seed};
pub use severity::Severity;
pub use signature::Signature;
pub use statement::{Misstatement, Statement};
