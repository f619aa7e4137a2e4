//! SMT-LIB: reading, typing, rewriting and printing scripts. No I/O, clock or process.
//!
//! Everything lives in an [`Arena`]: names, sorts, operators and hash-consed terms. [`parse_script`] reads a script into it;
//! the operators it knows come from signature files ([`Signatures`]), not from code.

mod arena;
mod command;
mod datatype;
mod error;
mod features;
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
pub use symbol::Symbol;
pub use term::{Attribute, AttributeValue, Binder, Literal, Pattern, Term, View};
pub use typing::{Head, Mismatch};
