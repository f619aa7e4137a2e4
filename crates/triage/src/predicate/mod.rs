//! What a script must go on showing: who is wrong, and in what way.
//!
//! Written as `z3@4.8.10 says unsat, cvc5 says sat`. The words between a solver and its verb are options for its command line.

mod at_once;
mod command;
mod establish;
mod plain;
mod slow;
mod solvers;
mod warmed;

pub use command::{CommandRules, CommandTester, command_target};
pub use establish::{Basis, Established, NotShown, establish, test_limit};
pub use plain::Plain;
pub use slow::{Times, is_about_time};
pub use solvers::{CoreModel, Participant, SolverTester};
pub use warmed::{Warmed, warmed};
