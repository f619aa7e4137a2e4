//! SMT-LIB in Rust: parse, type-check, rewrite and print scripts.
//!
//! The parser accepts SMT-LIB 2.7 and the extensions that solvers add to it. Every term is typed while it is parsed, so a script that
//! parses is well-typed. Operators are data: each theory is a signature file ([`Signatures`]), so supporting a new operator needs
//! no code. The crate does no I/O and has one dependency.
//!
//! # Check a script
//!
//! ```
//! use elenchus_smt::{Arena, parse_script};
//!
//! let source = "\
//! (declare-const x Int)
//! (assert (and x true))
//! (assert (> y 0))
//! ";
//! let errors = parse_script(&mut Arena::default(), source).unwrap_err();
//! assert_eq!(errors.len(), 2); // one for each bad command
//! assert_eq!(errors[0].position(source), (2, 9));
//! assert_eq!(errors[0].message, "`and` does not take arguments of sorts Int Bool");
//! assert_eq!(
//!     errors[1].render("a.smt2", source),
//!     "a.smt2:3:12: error: unknown constant `y`
//!   |
//! 3 | (assert (> y 0))
//!   |            ^
//!   = expected: a declared name or a theory operator"
//! );
//! ```
//!
//! # Work with terms
//!
//! An [`Arena`] owns all symbols, sorts, operators and terms. [`Term`], [`Sort`], [`Op`] and [`Symbol`] are numbers that refer to it:
//! they are small, they can be copied, and equal terms are equal numbers.
//!
//! ```
//! use elenchus_smt::{Arena, ScriptSummary, Sort, View, parse_script};
//!
//! let source = "\
//! (set-logic ALL)
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
//! // Print the script. Parsing the text gives the same terms.
//! assert_eq!(arena.script_text(&script), source);
//!
//! // Ask what it uses.
//! let summary = ScriptSummary::new(&mut arena, &script);
//! assert_eq!(summary.smallest_logic, "QF_LIA");
//! assert_eq!(summary.features.operators["+"], 1);
//! ```
//!
//! # Where to find what
//!
//! | to | use |
//! |---|---|
//! | parse a script, a term, a sort | [`parse_script`]; [`parse_in_scope`], [`parse_term`] and [`parse_sort`] with a [`Scope`] of declared names |
//! | report what is wrong | [`Error`], with a [`Span`], a line and a column |
//! | read a script | [`Script`], [`Command`], [`Definition`], [`Datatype`] |
//! | read a term | [`Arena::view`], [`Arena::children`], [`rewrite::post_order`] |
//! | build a term | [`Arena::apply`], [`Arena::apply_op`], [`Arena::literal`], [`Arena::quantifier`] |
//! | change a term | [`rewrite`]: substitute, inline definitions, expand or introduce `let`; [`Path`] identifies an occurrence |
//! | print | [`Arena::script_text`], [`Arena::term_text`], [`Arena::sort_text`]; [`mod@print`] for names, [`layout`] for pretty text |
//! | know what a script uses | [`ScriptSummary`], [`Arena::features`], [`logic::smallest`] |
//! | know or extend the operators | [`Signatures`], [`signature`] |
//! | work on text without types | [`lexer`], [`sexpr`], [`file_access`] |
//!
//! Start with the examples `check_script`, `operators` and `simplify`: `cargo run --example check_script -- FILE.smt2`.
//!
//! # Stability
//!
//! The interface is what the file `public-api.txt` of this crate lists, and it follows semantic versioning: before 1.0, a release
//! 0.x.0 may change it and a release 0.x.y only adds to it. A test keeps the list true. Not part of the interface are the wording of
//! messages, the numbers behind ids, the line breaks of [`layout`], and items that this documentation does not show. New operators
//! and theories may come with any release.
//!
//! # Limits
//!
//! * An id is valid in the arena that made it and in clones of that arena. With another arena, methods panic or return an unrelated term.
//! * An arena never frees a term; drop it to free all.
//! * Terms may nest as deeply as memory allows: nothing recurses on them. A sort has at most 10,000 constructors in 200 levels, and
//!   the trees of [`sexpr`] have at most 200 levels.
//! * A text is shorter than 4 GiB, and an arena has fewer than 2^32 terms.
//! * At most 20 errors are reported. Commands that only some solvers know are kept as text ([`Command::Other`]).
//! * Hashing is fast and without a random seed, so results are the same in every run. Hostile names can make it slow, never wrong.

#![warn(unreachable_pub)]

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
pub use scope::Scope;
#[doc(inline)]
pub use signature::Signatures;
pub use sort::{Index, Sort, SortNode};
pub use summary::ScriptSummary;
pub use symbol::Symbol;
pub use term::{Attribute, AttributeValue, Binder, Literal, Pattern, Term, View};
pub use typing::{Head, Mismatch};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
