//! Values, models and the exact evaluator: the judge of every answer.
//!
//! A [`Model`] says what a script's symbols stand for, as a solver printed it or as a strategy made it. An [`Evaluator`] computes
//! the value of a term in it, or says why there is none that can be relied on ([`Reason`]). [`validate`] judges whether a model
//! makes a script's assertions true.

pub mod data;
mod definition;
pub mod eval;
pub mod model;
mod reason;
mod theories;
pub mod theory;
pub mod validate;
pub mod value;

pub use data::Value;
pub use definition::{Definitions, FunctionDefinition, NO_DEFINITIONS, collect_definitions};
pub use eval::{Evaluator, Memory};
pub use model::Model;
pub use reason::{Outcome, Reason};
pub use theories::{RegisterError, register};
pub use theory::Theory;
pub use validate::{Verdict, validate};
