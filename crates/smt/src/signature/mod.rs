//! Operators as data: theories, their sorts and their operators, read from signature files (see `docs/signatures.md`).

mod built_in;
mod declaration;
mod describe;
mod load;
mod pattern;
mod shape;
mod table;

pub use built_in::BUILT_IN;
pub use declaration::{Associativity, Declaration};
pub use pattern::{Bindings, Condition, IndexExpr, IndexOp, SortPattern};
pub use shape::Shape;
pub use table::{Signatures, SortConstructor, Theory};
