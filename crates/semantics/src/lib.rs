//! An exact evaluator of SMT-LIB terms and a validator of models.
//!
//! Give it a script and the model that a solver printed. It says whether the model satisfies the script, and if not, why. It
//! computes with exact numbers, follows the text of the standard, and never guesses. It needs no solver and does no I/O.
//!
//! # Validate a model
//!
//! ```
//! use elenchus_semantics::smt::{self, Arena, Scope};
//! use elenchus_semantics::{Model, Verdict, validate};
//!
//! let mut arena = Arena::default();
//! let mut scope = Scope::default();
//! let script = "(declare-const x Int)
//!               (assert (= (* x x) 16))
//!               (assert (< x 0))
//!               (check-sat)";
//! let script = smt::parse_in_scope(&mut arena, &mut scope, script).expect("a well-typed script");
//!
//! // What a solver printed for `(get-model)`. It is wrong.
//! let model = Model::read(&mut arena, &scope, "((define-fun x () Int 4))", Default::default())?;
//! let Verdict::Invalid { index, explanation, .. } = validate(&arena, &script, &model) else {
//!     panic!("4 is not below 0");
//! };
//! assert_eq!(index, 1); // the second assertion
//! assert_eq!(explanation.text(&arena), "(< x 0) = false\n  x = 4\n");
//!
//! let model = Model::read(&mut arena, &scope, "((define-fun x () Int (- 4)))", Default::default())?;
//! assert!(matches!(validate(&arena, &script, &model), Verdict::Valid));
//! # Ok::<(), elenchus_semantics::model::ReadError>(())
//! ```
//!
//! [`Model::read`] understands the forms that solvers print, and [`validate()`] answers for the last `check-sat` of a script.
//! [`validate::questions`] and [`validate::judge`] answer for each `check-sat`, with limits of your own.
//!
//! # Evaluate a term
//!
//! ```
//! use elenchus_semantics::smt::{self, Arena, Scope};
//! use elenchus_semantics::{Evaluator, Model, NO_DEFINITIONS};
//!
//! let mut arena = Arena::default();
//! let text = r#"(str.replace_re_all "one two" (re.+ (re.range "a" "n")) "-")"#;
//! let term = smt::parse_term(&mut arena, &mut Scope::default(), text).expect("a well-typed term");
//!
//! let model = Model::new();
//! let value = Evaluator::new(&arena, &model, &NO_DEFINITIONS).evaluate(term).expect("determined");
//! assert_eq!(value.text(&arena, arena.sort(term)), r#""o-- two""#);
//! ```
//!
//! # Three values
//!
//! If the standard leaves a value open, the model does not define a symbol, or a limit is reached, the result is a [`Reason`]
//! instead of a value. Undetermined subterms spread only if they matter:
//!
//! ```
//! use elenchus_semantics::smt::{self, Arena, Scope};
//! use elenchus_semantics::{Evaluator, Model, NO_DEFINITIONS, Reason, Value};
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
//! So there are three verdicts on a model: [`Verdict::Valid`], [`Verdict::Invalid`] and [`Verdict::Undetermined`]. Where neither the
//! standard nor the model fixes a value, `Valid` means that some choice makes every assertion true, and `Invalid` that none does.
//!
//! # The modules
//!
//! | module | contents |
//! |---|---|
//! | the crate root | [`Model`], [`Evaluator`], [`validate()`] and what they return |
//! | [`mod@validate`] | verdicts with explanations; each `check-sat` of a script |
//! | [`model`] | how models are read |
//! | [`eval`] | the evaluator and its limits |
//! | [`data`] | values of all sorts, and when they are equal |
//! | [`value`] | exact arithmetic: integers, rationals, algebraic numbers, bit-vectors, floats, strings, regular expressions |
//! | [`theory`] | what a theory tells the evaluator; [`register`] adds one |
//! | [`smt`] | the parser and type checker, the crate `elenchus-smt`; use it from here to get the right version |
//!
//! Start with the examples `validate` and `evaluate`: `cargo run --example evaluate -- "(bvmul #x0f #x11)"`.
//!
//! # What it covers
//!
//! All theories of SMT-LIB 2.7 (core, integers, reals, arrays, bit-vectors, floating-point numbers, strings with regular
//! expressions), datatypes, and the theories of solvers: sequences, sets, relations, bags, finite fields, characters. Quantifiers
//! are decided by enumeration, by instances, or symbolically. [`eval::has_rule`] tells whether an operator has a rule; the
//! signature files say why the others have none.
//!
//! # Stability
//!
//! The interface is what the file `public-api.txt` of this crate lists, and it follows semantic versioning: before 1.0, a release
//! 0.x.0 may change it and a release 0.x.y only adds to it. A test keeps the list true. Not part of the interface are the wording of
//! reasons and explanations, the default limits, and items that this documentation does not show. A verdict may become more definite
//! with a release; a change between `Valid` and `Invalid` is a bug fix.
//!
//! # Limits
//!
//! * [`eval::Limits`] and [`value::limits::Limits`] bound the cost of an evaluation. What would cost more is undetermined. The bounds
//!   count steps and sizes, so a result does not depend on the machine.
//! * Transcendental functions, internal operators of solvers and operators whose meaning nobody documents are undetermined.
//! * A quantifier over an infinite domain is undetermined if neither an instance nor symbolic reasoning decides it.
//! * Values nest up to 1000 levels. Terms may nest as deeply as memory allows.

#![warn(unreachable_pub)]

pub mod data;
mod definition;
pub mod eval;
pub mod model;
mod reason;
mod theories;
pub mod theory;
pub mod validate;
pub mod value;

/// The parser and type checker `elenchus-smt`, whose terms and scripts this crate evaluates.
pub use smt;

#[doc(inline)]
pub use data::Value;
pub use definition::{Definitions, FunctionDefinition, NO_DEFINITIONS, collect_definitions};
#[doc(inline)]
pub use eval::{Evaluator, Memory};
#[doc(inline)]
pub use model::Model;
pub use reason::{Outcome, Reason};
pub use theories::{RegisterError, register};
#[doc(inline)]
pub use theory::Theory;
#[doc(inline)]
pub use validate::{Verdict, validate};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
