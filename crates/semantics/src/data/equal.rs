//! Equality of values, as SMT-LIB's `=` defines it.

use std::sync::Arc;

use super::{Cardinality, List, Table, Value};
use crate::value::limits::{Limits, Undetermined};
use crate::value::real::Real;

/// Whether two values of one sort are equal, or why that is undetermined.
pub fn equal(a: &Value, b: &Value, limits: &Limits) -> Result<bool, Undetermined> {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Ok(a == b),
        (Value::Int(a), Value::Int(b)) => Ok(a == b),
        (Value::BitVec(a), Value::BitVec(b)) => Ok(a == b),
        (Value::Real(a), Value::Real(b)) => Ok(a == b),
        (Value::Real(a), Value::Algebraic(b)) | (Value::Algebraic(b), Value::Real(a)) => {
            Ok(b.compare(&Real::Rational(a.clone()), limits)?.is_eq())
        }
        (Value::Algebraic(a), Value::Algebraic(b)) => Ok(a.compare(b, limits)?.is_eq()),
        (Value::RegLan(a), Value::RegLan(b)) => Ok(a == b || a.distinguishing(b, limits)?.is_none()),
        (Value::Array(a), Value::Array(b)) => {
            if Arc::ptr_eq(a, b) {
                Ok(true)
            } else {
                tables(a, b, limits)
            }
        }
        (Value::Data(a), Value::Data(b)) if a.constructor == b.constructor => {
            lists(&a.fields, &b.fields, limits)
        }
        (Value::Data(_), Value::Data(_)) => Ok(false),
        (Value::Seq(a), Value::Seq(b)) | (Value::Tuple(a), Value::Tuple(b)) => lists(a, b, limits),
        (Value::Theory(a), Value::Theory(b)) if a.kind.name == b.kind.name => {
            lists(&a.parts, &b.parts, limits)
        }
        (Value::Set(set), Value::Array(_)) => equal(&as_table(&set.members)?, b, limits),
        (Value::Array(_), Value::Set(set)) => equal(a, &as_table(&set.members)?, limits),
        (Value::Function(_), _) | (_, Value::Function(_)) if a != b => {
            Err(Undetermined::TooLarge("equality of symbolic functions"))
        }
        _ => Ok(a == b),
    }
}

/// A finite set as an array from elements to Booleans.
pub(crate) fn as_table(members: &std::collections::BTreeSet<Value>) -> Result<Value, Undetermined> {
    let entries = members.iter().map(|member| (member.clone(), Value::Bool(true))).collect();
    let table = Table::new(Cardinality::Unknown, 1, Value::Bool(false), entries, &mut || None)?;
    Ok(Value::Array(Arc::new(table)))
}

/// Compares element by element. One certain difference outweighs undetermined comparisons.
fn lists(a: &List, b: &List, limits: &Limits) -> Result<bool, Undetermined> {
    if a.items.len() != b.items.len() {
        return Ok(false);
    }
    if a.canonical && b.canonical {
        return Ok(a == b);
    }
    all(a.items.iter().zip(&b.items).map(|(a, b)| equal(a, b, limits)))
}

fn all(parts: impl Iterator<Item = Result<bool, Undetermined>>) -> Result<bool, Undetermined> {
    let mut result = Ok(true);
    for part in parts {
        match part {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(reason) => result = Err(reason),
        }
    }
    result
}

fn tables(a: &Table, b: &Table, limits: &Limits) -> Result<bool, Undetermined> {
    if a.is_canonical() && b.is_canonical() && a.index_size() == b.index_size() {
        return Ok(a == b);
    }
    if a == b {
        return Ok(true);
    }
    let keys_canonical = a.entries().keys().chain(b.entries().keys()).all(Value::is_canonical);
    if !keys_canonical {
        return Err(Undetermined::TooLarge("equality of arrays whose indices are hard to compare"));
    }
    let here = a.entries().iter().map(|(key, value)| (value, b.entries().get(key).unwrap_or(b.default())));
    let there = b
        .entries()
        .iter()
        .filter(|(key, _)| !a.entries().contains_key(*key))
        .map(|(_, value)| (a.default(), value));
    let listed = all(here.chain(there).map(|(a, b)| equal(a, b, limits)));
    if listed == Ok(false) {
        return Ok(false);
    }
    let only_there = b.entries().keys().filter(|key| !a.entries().contains_key(*key)).count();
    let union = (a.entries().len() + only_there) as u64;
    let index_size = if a.index_size() == Cardinality::Unknown { b.index_size() } else { a.index_size() };
    if index_size == Cardinality::Finite(union) {
        return listed;
    }
    match equal(a.default(), b.default(), limits)? {
        true => listed,
        false if index_size == Cardinality::Unknown => {
            Err(Undetermined::TooLarge("equality of arrays over a sort of unknown size"))
        }
        false => Ok(false),
    }
}
