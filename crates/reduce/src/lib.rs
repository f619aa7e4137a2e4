//! Typed, hierarchical delta debugging: makes scripts small while they keep showing a bug.
//!
//! [`reduce`] takes a script and one [`Tester`] per worker. A tester decides whether a candidate still shows the bug. A script
//! that our parser accepts is changed as typed terms, so nearly every candidate is well-formed; any other script is changed as
//! plain s-expressions. With a known model, a candidate reaches the testers only if our evaluator confirms that the model still
//! satisfies it, and any sub-term may be replaced by its value.
//!
//! Nothing here starts a process or reads a clock; testers do.

mod cost;
mod defaults;
mod model;
mod neighbours;
mod passes;
mod round;
mod search;
mod state;
mod tester;
mod workers;

pub use cost::Cost;
pub use neighbours::neighbours;
pub use round::{Outcome, reduce};
pub use tester::{Abort, Counts, Need, Progress, Reproduced, Tester, Watcher};
