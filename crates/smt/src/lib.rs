//! SMT-LIB in Rust: parse, type-check, rewrite and print scripts.
//!
//! The parser accepts SMT-LIB 2.7 and the extensions that solvers add to it. Every term is typed while it is parsed. Operators
//! are data: each theory is a signature file ([`Signatures`]), so supporting a new operator needs no code. The crate does no
//! I/O.
//!
//! An [`Arena`] owns all symbols, sorts, operators and hash-consed terms. [`parse_script`] adds a script to it:
//!
//! ```
//! use smt::{Arena, Sort, View, parse_script};
//!
//! let source = "\
//! (set-logic QF_LIA)
//! (declare-const x Int)
//! (assert (> (+ x 1) 5))
//! (check-sat)
//! ";
//! let mut arena = Arena::default();
//! let script = parse_script(&mut arena, source).expect("the script is well-typed");
//!
//! // Look at a term.
//! let formula = script.assertions().next().unwrap();
//! assert_eq!(arena.sort(formula), Sort::BOOL);
//! let View::App(op, &[sum, five]) = arena.view(formula) else { panic!("not an application") };
//! assert_eq!(arena.op_name(op), ">");
//!
//! // Build a new one: `apply` checks the sorts.
//! let formula = arena.apply("<=", &[sum, five]).unwrap();
//! assert_eq!(arena.term_text(formula), "(<= (+ x 1) 5)");
//!
//! // Print the script.
//! assert_eq!(arena.script_text(&script), source);
//!
//! // Report an error with its position.
//! let source = "(declare-const x Int)\n(assert (and x true))\n";
//! let errors = parse_script(&mut arena, source).unwrap_err();
//! assert_eq!(errors[0].position(source), (2, 9));
//! assert_eq!(errors[0].message, "`and` does not take arguments of sorts Int Bool");
//! ```
//!
//! Other entry points:
//!
//! * [`parse_in_scope`], [`parse_term`] and [`parse_sort`] parse pieces whose names a [`Scope`] declares.
//! * [`rewrite`] substitutes, inlines definitions, and expands or introduces `let`; [`Path`] identifies occurrences.
//! * [`Arena::features`] computes what a script uses, [`logic::smallest`] the logic that covers it.
//! * [`mod@print`] prints compactly, [`layout`] prettily; [`lexer`] and [`sexpr`] work on plain text.
//! * [`file_access`] finds what makes a solver open a file.

mod arena;
mod command;
mod datatype;
mod error;
mod features;
pub mod file_access;
mod hash;
mod id_table;
pub mod layout;
pub mod lexer;
pub mod logic;
mod op;
mod parser;
mod path;
pub mod print;
mod rank_cache;
pub mod reserved;
pub mod rewrite;
mod scope;
pub mod sexpr;
pub mod signature;
mod sort;
mod summary;
mod symbol;
mod term;
mod typing;

pub use arena::Arena;
pub use command::{Command, DeclarationForm, Definition, DefinitionForm, Plain, Script};
pub use datatype::{Constructor, Datatype, DatatypeId};
pub use error::{Error, ErrorKind, Span, position};
pub use features::Features;
pub use hash::{FixedHasher, FixedState};
pub use op::{Op, OpKind, OpNode};
pub use parser::{parse_in_scope, parse_script, parse_sort, parse_term};
pub use path::{Path, Sizes, dag_size};
pub use scope::{Scope, SortDeclaration};
pub use signature::Signatures;
pub use sort::{Index, Sort, SortNode};
pub use summary::ScriptSummary;
pub use symbol::Symbol;
pub use term::{Attribute, AttributeValue, Binder, Literal, Pattern, Term, View};
pub use typing::{Head, Mismatch};
