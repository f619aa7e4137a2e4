//! Arguments of a rule as the kind of value that the rule expects.

use crate::data::Value;
use crate::reason::{Outcome, Reason};
use crate::value::bitvec::BitVec;
use crate::value::float::{Float, RoundingMode};
use crate::value::integer::Int;
use crate::value::regex::Regex;
use crate::value::string::Str;

/// A Boolean.
pub fn boolean(value: &Value) -> Outcome<bool> {
    value.as_bool().ok_or(Reason::BadArguments(None))
}

/// An integer.
pub fn int(value: &Value) -> Outcome<&Int> {
    match value {
        Value::Int(value) => Ok(value),
        _ => Err(Reason::BadArguments(None)),
    }
}

/// A string.
pub fn string(value: &Value) -> Outcome<&Str> {
    match value {
        Value::Str(value) => Ok(value),
        _ => Err(Reason::BadArguments(None)),
    }
}

/// A regular language.
pub fn regex(value: &Value) -> Outcome<&Regex> {
    match value {
        Value::RegLan(value) => Ok(value),
        _ => Err(Reason::BadArguments(None)),
    }
}

/// A bit-vector.
pub fn bitvec(value: &Value) -> Outcome<&BitVec> {
    match value {
        Value::BitVec(value) => Ok(value),
        _ => Err(Reason::BadArguments(None)),
    }
}

/// A floating-point number.
pub fn float(value: &Value) -> Outcome<&Float> {
    match value {
        Value::Float(value) => Ok(value),
        _ => Err(Reason::BadArguments(None)),
    }
}

/// A rounding mode.
pub fn rounding_mode(value: &Value) -> Outcome<RoundingMode> {
    match value {
        Value::RoundingMode(value) => Ok(*value),
        _ => Err(Reason::BadArguments(None)),
    }
}

/// The elements of a sequence, or the components of a tuple.
pub fn items(value: &Value) -> Outcome<&[Value]> {
    match value {
        Value::Seq(list) | Value::Tuple(list) => Ok(&list.items),
        _ => Err(Reason::BadArguments(None)),
    }
}
