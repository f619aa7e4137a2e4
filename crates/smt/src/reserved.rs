//! Names that the parser recognises. They are interned first, so their symbols are constants.
//!
//! Compare a symbol with one of them instead of its text:
//!
//! ```
//! use elenchus_smt::{Arena, reserved};
//!
//! let mut arena = Arena::default();
//! let bytes = arena.bitvec_sort(8);
//! assert_eq!(arena.sort_node(bytes).head, reserved::BITVEC);
//! ```

use crate::symbol::{Symbol, SymbolTable};

macro_rules! reserved {
    ($($visibility:vis $name:ident = $text:literal,)*) => {
        reserved!(@constants 0u32; $($visibility $name = $text,)*);
        const TEXTS: &[&str] = &[$($text),*];
    };
    (@constants $at:expr; $visibility:vis $name:ident = $text:literal, $($rest:tt)*) => {
        #[doc = concat!("The symbol `", $text, "`.")]
        #[allow(dead_code, reason = "every text has a number, also if no code asks for it by name")]
        $visibility const $name: Symbol = Symbol($at);
        reserved!(@constants $at + 1; $($rest)*);
    };
    (@constants $at:expr;) => {};
}

reserved! {
    pub(crate) LET = "let",
    pub(crate) FORALL = "forall",
    pub(crate) EXISTS = "exists",
    pub(crate) LAMBDA = "lambda",
    pub(crate) CHOICE = "choice",
    pub(crate) WITNESS = "witness",
    pub(crate) COMPREHENSION = "set.comprehension",
    pub(crate) MATCH = "match",
    pub(crate) BANG = "!",
    pub(crate) UNDERSCORE = "_",
    pub(crate) AS = "as",
    pub(crate) PAR = "par",
    pub(crate) TRUE = "true",
    pub(crate) FALSE = "false",
    pub(crate) TO_REAL = "to_real",
    pub(crate) MINUS = "-",
    pub BITVEC = "BitVec",
    pub FLOATING_POINT = "FloatingPoint",
    pub(crate) CHAR = "char",
    pub(crate) IS = "is",
    pub(crate) UPDATE = "update",
    pub(crate) UPDATE_FIELD = "update-field",
    pub(crate) MAP = "map",
    pub(crate) AS_ARRAY = "as-array",
    pub(crate) APPLY = "@",
    pub TUPLE = "tuple",
    pub TUPLE_SORT = "Tuple",
    pub(crate) UNIT_TUPLE_SORT = "UnitTuple",
    pub(crate) TUPLE_UNIT = "tuple.unit",
    pub(crate) TUPLE_SELECT = "tuple.select",
    pub(crate) TUPLE_UPDATE = "tuple.update",
    pub(crate) TUPLE_PROJECT = "tuple.project",
    pub(crate) RELATION_SORT = "Relation",
    pub(crate) TABLE_SORT = "Table",
    pub SET_SORT = "Set",
    pub FINITE_SET_SORT = "FiniteSet",
    pub(crate) BAG_SORT = "Bag",
    pub FINITE_FIELD = "FiniteField",
    pub(crate) NULLABLE_SORT = "Nullable",
    pub(crate) NULLABLE_LIFT = "nullable.lift",
    pub NAMED = ":named",
    pub(crate) PATTERN = ":pattern",
    pub(crate) NO_PATTERN = ":no-pattern",
    pub(crate) EMPTY = "",
}

/// Reserved words, which must be quoted to be used as names.
const MUST_QUOTE: &[&str] = &[
    "let",
    "forall",
    "exists",
    "lambda",
    "match",
    "!",
    "_",
    "as",
    "par",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
];

/// Interns the names in an empty table, so that they get their fixed ids.
pub(crate) fn intern_all(symbols: &mut SymbolTable) {
    for text in TEXTS {
        symbols.intern(text);
    }
}

/// Whether a symbol with this text must be quoted because it is a reserved word.
pub(crate) fn must_quote(name: &str) -> bool {
    MUST_QUOTE.contains(&name)
}
