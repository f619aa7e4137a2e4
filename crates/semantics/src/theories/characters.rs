//! Characters, a sort of Z3.

use crate::data::{Cardinality, Value};
use crate::reason::{Outcome, Reason};
use crate::theory::args::bitvec;
use crate::theory::{Rule, SortSemantics, Theory};
use crate::value::bitvec::BitVec;
use crate::value::integer::Int;
use crate::value::string::{MAX_CODE, Str};

/// The width of a character as a bit-vector.
const WIDTH: u32 = 18;

/// The semantics of characters.
pub(super) static THEORY: Theory = Theory { rules: RULES, sorts: SORTS, ..Theory::new("Unicode") };

const SORTS: &[SortSemantics] = &[SortSemantics {
    name: "Unicode",
    size: |_, _| Cardinality::Finite(u64::from(MAX_CODE) + 1),
    values: |_, _| Some((0..=MAX_CODE).map(Value::Char).collect()),
    constant: |_, _, _| None,
}];

const RULES: &[(&str, u8, Rule)] = &[
    ("Char", 0, |cx, _| char_value(cx.index(0)?)),
    ("char.<=", 2, |_, a| Ok(Value::Bool(code(&a[0])? <= code(&a[1])?))),
    ("char.to_int", 1, |_, a| Ok(Value::Int(Int::from(code(&a[0])?)))),
    ("char.to_bv", 1, |_, a| Ok(Value::BitVec(BitVec::from_u64(WIDTH, u64::from(code(&a[0])?))))),
    ("char.from_bv", 1, |_, a| char_value(bitvec(&a[0])?.to_u64().unwrap_or(u64::MAX))),
    ("char.is_digit", 1, |_, a| Ok(Value::Bool((48..=57).contains(&code(&a[0])?)))),
];

fn char_value(code: u64) -> Outcome<Value> {
    match u32::try_from(code) {
        Ok(code) if code <= MAX_CODE => Ok(Value::Char(code)),
        _ => Err(Reason::Open("a character beyond the last code point", None)),
    }
}

fn code(value: &Value) -> Outcome<u32> {
    match value {
        Value::Char(code) => Ok(*code),
        _ => Err(Reason::BadArguments(None)),
    }
}

/// A string of one character.
pub(super) fn text(code: u32) -> Outcome<Value> {
    Str::new(vec![code]).map(Value::Str).ok_or(Reason::BadArguments(None))
}
