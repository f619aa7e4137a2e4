//! Values, models and the exact evaluator: the judge of every answer.
//!
//! A [`Model`] says what a script's symbols stand for, as a solver printed it or as a strategy made it. An [`Evaluator`] computes
//! the value of a term in it, or says why there is none that can be relied on ([`Reason`]). [`validate`] judges whether a model
//! makes a script's assertions true.

pub mod data;
mod domain;
pub mod eval;
pub mod model;
pub mod validate;
pub mod value;

pub use data::Value;
pub use eval::{Evaluator, Memory, Outcome, Reason};
pub use model::Model;
pub use validate::{Verdict, validate};
