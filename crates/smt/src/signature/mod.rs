//! Operators as data: theories, their sorts and their operators, read from signature files.
//!
//! A signature file has the syntax of SMT-LIB theory declarations, with additions for what the standard says only in prose: widths and
//! indices as variables, conditions on them, and which solvers support an operator. The files of the built-in theories, in the folder
//! `signatures` of this crate, are the best examples. A program adds its own theory like this:
//!
//! ```
//! use elenchus_smt::{Arena, Signatures, parse_script};
//! use std::sync::Arc;
//!
//! let mut signatures = Signatures::built_in();
//! signatures
//!     .load(
//!         "(theory Clocks
//!            :sorts ((Clock 0))
//!            :funs ((clock Int Clock)
//!                   (clock.add Clock Clock Clock :left-assoc)
//!                   (par ((n Nat)) ((_ clock.turn n) Clock Clock :where (> n 0)))))",
//!     )
//!     .unwrap();
//! let mut arena = Arena::new(Arc::new(signatures));
//! let script = parse_script(
//!     &mut arena,
//!     "(declare-const c Clock)
//!      (assert (= c (clock.add c ((_ clock.turn 2) c) (clock 7))))",
//! );
//! assert!(script.is_ok());
//! assert!(parse_script(&mut arena, "(assert (= (clock.add 1 2) (clock 3)))").is_err());
//! ```
//!
//! Each rank of an operator is a [`Declaration`]. A rank has variables for sorts and indices; [`Bindings`] are their values in one
//! application.

mod built_in;
mod declaration;
mod describe;
mod load;
mod pattern;
mod shape;
mod table;

pub use declaration::{Associativity, Declaration};
pub use pattern::{Bindings, Condition, IndexExpr, IndexOp, SortPattern};
pub use shape::Shape;
pub use table::{Signatures, SortConstructor, Theory};
