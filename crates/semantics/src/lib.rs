//! Values, models and an exact evaluator for SMT-LIB.
//!
//! A [`Model`] interprets a script's symbols. It is read from a solver's output or built value by value. An [`Evaluator`] computes the
//! [`Value`] of a term in a model, or the [`Reason`] why it is undetermined. [`validate()`] decides whether a model satisfies a script's
//! assertions.
//!
//! # Example
//!
//! A script, the model that a solver printed for it, and the verdict:
//!
//! ```
//! use semantics::{Model, Verdict, validate};
//! use smt::{Arena, Scope};
//!
//! let mut arena = Arena::default();
//! let mut scope = Scope::default();
//! let script = "(declare-const x Int)
//!               (assert (= (* x x) 16))
//!               (assert (< x 0))
//!               (check-sat)";
//! let script = smt::parse_in_scope(&mut arena, &mut scope, script).expect("a well-typed script");
//!
//! let wrong = Model::read(&mut arena, &scope, "((define-fun x () Int 4))", Default::default())?;
//! let Verdict::Invalid { index, explanation, .. } = validate(&arena, &script, &wrong) else {
//!     panic!("4 is not below 0");
//! };
//! assert_eq!(index, 1);
//! assert_eq!(explanation.text(&arena), "(< x 0) = false\n  x = 4\n");
//!
//! let right = Model::read(&mut arena, &scope, "((define-fun x () Int (- 4)))", Default::default())?;
//! assert!(matches!(validate(&arena, &script, &right), Verdict::Valid));
//! # Ok::<(), semantics::model::ReadError>(())
//! ```
//!
//! # Three values
//!
//! Evaluation never guesses. If the standard leaves a value open, the model does not define a symbol, or a limit is reached, the
//! result is a [`Reason`]. Undetermined subterms spread only if they matter:
//!
//! ```
//! use semantics::{Evaluator, Model, NO_DEFINITIONS, Reason, Value};
//! use smt::{Arena, Scope};
//!
//! let mut arena = Arena::default();
//! let mut scope = Scope::default();
//! let mut term = |text| smt::parse_term(&mut arena, &mut scope, text).expect("a well-typed term");
//! let open = term("(= (div 1 0) 0)");
//! let decided = term("(or (= (div 1 0) 0) true)");
//!
//! let model = Model::new();
//! let mut evaluator = Evaluator::new(&arena, &model, &NO_DEFINITIONS);
//! assert!(matches!(evaluator.evaluate(open), Err(Reason::Open("div by zero", _))));
//! assert_eq!(evaluator.evaluate(decided), Ok(Value::Bool(true)));
//! ```
//!
//! # Modules
//!
//! [`value`] has the exact arithmetic of each theory, [`data`] the values of all sorts, [`model`] reads models, [`theory`] describes what
//! a theory tells the evaluator, [`eval`] evaluates terms, and [`mod@validate`] judges models. [`register`] adds a theory.

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
