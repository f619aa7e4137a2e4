//! What a theory tells the evaluator: rules for its operators, and the values of its sorts.
//!
//! A theory has two halves. Its signature (sorts, operators, ranks) is text that [`smt::Signatures`] loads. Its semantics is a
//! [`Theory`]: one table of rules and one of sorts. The built-in theories are files under `src/theories/`, listed in
//! `src/theories/mod.rs`. A program adds its own with [`crate::register`]:
//!
//! ```standalone_crate
//! use elenchus_semantics::theory::args::int;
//! use elenchus_semantics::theory::{Rule, Theory};
//! use elenchus_semantics::{Evaluator, Model, NO_DEFINITIONS, Value};
//! use elenchus_semantics::smt::{self, Arena, Scope, Signatures};
//! use std::sync::Arc;
//!
//! // The signature: `double` from Int to Int.
//! let mut signatures = Signatures::built_in();
//! signatures.load("(theory Doubling :funs ((double Int Int)))").expect("a well-formed signature");
//!
//! // The semantics: one rule.
//! const RULES: &[(&str, u8, Rule)] = &[("double", 1, |_, args| {
//!     let number = int(&args[0])?;
//!     Ok(Value::Int(number.add(number)))
//! })];
//! static DOUBLING: Theory = Theory { rules: RULES, ..Theory::new("Doubling") };
//! elenchus_semantics::register(&DOUBLING)?;
//!
//! let mut arena = Arena::new(Arc::new(signatures));
//! let term = smt::parse_term(&mut arena, &mut Scope::default(), "(double (double 5))").expect("well-typed");
//! let model = Model::new();
//! let value = Evaluator::new(&arena, &model, &NO_DEFINITIONS).evaluate(term).expect("determined");
//! assert_eq!(value.text(&arena, arena.sort(term)), "20");
//! # Ok::<(), elenchus_semantics::RegisterError>(())
//! ```

pub mod args;
mod context;
mod domain;

pub use context::Context;
pub use domain::Domain;
pub(crate) use domain::{Sorts, Universes, combinations};

use smt::{Arena, Sort};

use crate::data::{Cardinality, Value};
use crate::reason::Outcome;

/// A rule that computes an operator's value from the values of its arguments.
pub type Rule = fn(&Context, &[Value]) -> Outcome<Value>;

/// A rule that also calls functions that are values.
pub type HigherOrderRule = fn(&mut dyn Apply, &[Value]) -> Outcome<Value>;

/// Calls functions and reads arrays that are values.
pub trait Apply {
    /// Applies a function or an array to arguments. Fewer arguments than it takes give a function of the others.
    fn apply_value(&mut self, function: &Value, args: &[Value]) -> Outcome<Value>;
}

/// The semantics of a theory.
#[derive(Debug)]
pub struct Theory {
    /// The theory's name, as in its signature.
    pub name: &'static str,
    /// Rules by operator: the name, the fewest arguments, and the rule.
    ///
    /// For an operator that is `:left-assoc` or `:chainable` the rule takes two arguments; the evaluator folds longer lists.
    pub rules: &'static [(&'static str, u8, Rule)],
    /// Rules of operators whose arguments are functions, such as `seq.map`.
    pub higher_order: &'static [(&'static str, HigherOrderRule)],
    /// The sorts whose values the theory describes.
    pub sorts: &'static [SortSemantics],
}

impl Theory {
    /// A theory without operators or sorts, to fill in: `Theory { rules: RULES, ..Theory::new("Clocks") }`.
    pub const fn new(name: &'static str) -> Theory {
        Theory { name, rules: &[], higher_order: &[], sorts: &[] }
    }
}

/// The values of a sort constructor: how many there are, which, and how they are written.
///
/// Values are printed by their [`ValueKind`](crate::data::ValueKind) and compared by their parts.
#[derive(Debug)]
pub struct SortSemantics {
    /// The name of the sort constructor.
    pub name: &'static str,
    /// How many values a sort has.
    pub size: fn(&mut Domain, Sort) -> Cardinality,
    /// All values of a sort. Called only if there are few.
    pub values: fn(&mut Domain, Sort) -> Option<Vec<Value>>,
    /// The value of a constant: a literal of the sort, or the name in `(as NAME SORT)`.
    pub constant: fn(&Arena, Sort, &str) -> Option<Value>,
}

impl SortSemantics {
    /// A sort with infinitely many values and no constants of its own.
    pub const fn infinite(name: &'static str) -> SortSemantics {
        SortSemantics {
            name,
            size: |_, _| Cardinality::Infinite,
            values: |_, _| None,
            constant: |_, _, _| None,
        }
    }
}
