//! Values, models and the exact evaluator: the judge of every answer.

pub mod value;
