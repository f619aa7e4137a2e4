//! Names that the parser recognises. They are interned first, so their symbols are constants.

use crate::symbol::{Symbol, SymbolTable};

macro_rules! reserved {
    ($($name:ident = $text:literal,)*) => {
        reserved!(@constants 0u32; $($name = $text,)*);
        const TEXTS: &[&str] = &[$($text),*];
    };
    (@constants $at:expr; $name:ident = $text:literal, $($rest:tt)*) => {
        #[doc = concat!("`", $text, "`")]
        pub const $name: Symbol = Symbol($at);
        reserved!(@constants $at + 1; $($rest)*);
    };
    (@constants $at:expr;) => {};
}

reserved! {
    LET = "let",
    FORALL = "forall",
    EXISTS = "exists",
    LAMBDA = "lambda",
    CHOICE = "choice",
    WITNESS = "witness",
    COMPREHENSION = "set.comprehension",
    MATCH = "match",
    BANG = "!",
    UNDERSCORE = "_",
    AS = "as",
    PAR = "par",
    TRUE = "true",
    FALSE = "false",
    TO_REAL = "to_real",
    MINUS = "-",
    BITVEC = "BitVec",
    FLOATING_POINT = "FloatingPoint",
    CHAR = "char",
    IS = "is",
    UPDATE = "update",
    UPDATE_FIELD = "update-field",
    MAP = "map",
    AS_ARRAY = "as-array",
    APPLY = "@",
    TUPLE = "tuple",
    TUPLE_SORT = "Tuple",
    UNIT_TUPLE_SORT = "UnitTuple",
    TUPLE_UNIT = "tuple.unit",
    TUPLE_SELECT = "tuple.select",
    TUPLE_UPDATE = "tuple.update",
    TUPLE_PROJECT = "tuple.project",
    RELATION_SORT = "Relation",
    TABLE_SORT = "Table",
    SET_SORT = "Set",
    FINITE_SET_SORT = "FiniteSet",
    BAG_SORT = "Bag",
    FINITE_FIELD = "FiniteField",
    NULLABLE_SORT = "Nullable",
    NULLABLE_LIFT = "nullable.lift",
    NAMED = ":named",
    PATTERN = ":pattern",
    NO_PATTERN = ":no-pattern",
    EMPTY = "",
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
pub fn must_quote(name: &str) -> bool {
    MUST_QUOTE.contains(&name)
}
