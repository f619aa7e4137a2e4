//! The printer. Parsing its output gives the same terms.
//!
//! ```
//! use elenchus_smt::{Arena, parse_script};
//!
//! let mut arena = Arena::default();
//! let script = parse_script(&mut arena, "(declare-const |a b| Int)(assert(>= |a b| -1))").unwrap();
//! assert_eq!(arena.script_text(&script), "(declare-const |a b| Int)\n(assert (>= |a b| (- 1)))\n");
//!
//! // The `print_…` methods append to a buffer, which saves allocations.
//! let mut out = String::from("; ");
//! arena.print_command(&script.commands[0], &mut out);
//! assert_eq!(out, "; (declare-const |a b| Int)");
//! ```

mod commands;
pub(crate) mod names;
mod terms;

pub use names::{name_into, name_text};
