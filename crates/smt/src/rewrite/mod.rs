//! Rewriting terms. All functions use an explicit stack and memoize, so their cost depends on the number of distinct nodes, not on
//! the depth or the size of the term as a tree.
//!
//! ```
//! use elenchus_smt::{Arena, Scope, Sort, parse_in_scope, parse_term};
//!
//! let mut arena = Arena::default();
//! let mut scope = Scope::default();
//! parse_in_scope(&mut arena, &mut scope, "(declare-const a Int)").unwrap();
//! let name = arena.symbol("x");
//! let x = arena.local(name, Sort::INT);
//! scope.bind(name, x);
//!
//! // Substitution renames bound variables that would capture a free one.
//! let term = parse_term(&mut arena, &mut scope, "(exists ((y Int)) (= x (+ y a)))").unwrap();
//! let name = arena.symbol("y");
//! let y = arena.local(name, Sort::INT);
//! let result = arena.substitute(term, &[(x, y)]);
//! assert!(arena.term_text(result).starts_with("(exists ((y!"));
//!
//! // `let` can be expanded, and introduced again for shared subterms.
//! let term = parse_term(&mut arena, &mut scope, "(let ((z (+ a 1))) (= z (* z z)))").unwrap();
//! let expanded = arena.expand_lets(term);
//! assert_eq!(arena.term_text(expanded), "(= (+ a 1) (* (+ a 1) (+ a 1)))");
//!
//! // `rebuild` maps nodes bottom-up.
//! let swapped = elenchus_smt::rewrite::rebuild(&mut arena, &[expanded], |arena, node| {
//!     (arena.term_text(node) == "1").then(|| arena.literal(elenchus_smt::Literal::Numeral, "2", Sort::INT))
//! });
//! assert_eq!(arena.term_text(swapped[0]), "(= (+ a 2) (* (+ a 2) (+ a 2)))");
//! ```

mod definitions;
mod free;
mod lets;
mod substitute;
mod traverse;

pub use definitions::Definitions;
pub use free::FreeLocals;
pub use substitute::Substitution;
pub use traverse::{post_order, rebuild};
