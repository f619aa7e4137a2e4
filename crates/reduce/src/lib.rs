//! Making scripts small while they keep showing what they show: typed, hierarchical delta debugging.
//!
//! [`reduce`] takes a script and [`Tester`]s that say whether a candidate still shows the bug, one for each worker. A script
//! that our parser takes is changed as typed terms, so that nearly every candidate is a well-formed question; any other is
//! changed as plain s-expressions. With a model in hand, a candidate is put to the testers only if the model still satisfies
//! it by our own evaluation, and any sub-term may give way to its value.
//!
//! Nothing here starts a process or reads a clock: testers do.

mod cost;
mod defaults;
mod model;
mod neighbours;
mod passes;
mod round;
mod search;
mod state;
mod test;
mod workers;

pub use cost::Cost;
pub use neighbours::neighbours;
pub use round::{Outcome, reduce};
pub use test::{Abort, Counts, Need, Progress, Shown, Tester, Watcher};
