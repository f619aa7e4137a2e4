//! What a script must go on showing, and the testers that ask solvers whether it does.
//!
//! A [`case::Predicate`] states it, such as `z3@4.8.10 says unsat, cvc5 says sat`. [`establish`] runs the whole script first and
//! finds the evidence; [`SolverTester`] tests candidates of a reduction; [`Confirmer`] confirms a result in fresh processes.

mod command;
mod confirmer;
mod establish;
mod parallel;
mod participant;
mod runners;
mod slow;
mod tester;
mod times;
mod warmed;

pub use command::{CommandRules, CommandTester, command_settings, command_target};
pub use confirmer::Confirmer;
pub use establish::{Basis, Established, NO_MODEL, NotShown, establish, is_empty_model, test_limit};
pub use participant::{AskModel, Participant, is_about_time};
pub use tester::{CoreModel, SatModel, SolverTester};
pub use times::Times;
pub use warmed::{Warmed, warmed};
