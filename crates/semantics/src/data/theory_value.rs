//! Values of sorts that a theory adds.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use smt::{Arena, Sort};

use super::{List, Value};
use crate::value::limits::Undetermined;

/// What the values of a theory's sort have in common: a name and a way to print them.
pub struct ValueKind {
    /// The name of the sort. Values of kinds with different names are different.
    pub name: &'static str,
    /// Writes the value with these parts as a term of this sort.
    pub print: fn(&[Value], &Arena, Sort) -> String,
}

/// A value of a theory's sort: its parts in normal form, so that equal parts mean equal values.
#[derive(Debug)]
pub struct TheoryValue {
    /// What kind of value it is.
    pub kind: &'static ValueKind,
    /// The parts that determine the value.
    pub parts: List,
}

impl Value {
    /// A value of a theory's sort.
    pub fn theory(kind: &'static ValueKind, parts: Vec<Value>) -> Result<Value, Undetermined> {
        Ok(Value::Theory(Arc::new(TheoryValue { kind, parts: List::new(parts)? })))
    }

    /// The parts of a value of this kind.
    pub fn parts_of(&self, kind: &'static ValueKind) -> Option<&[Value]> {
        match self {
            Value::Theory(value) if value.kind.name == kind.name => Some(&value.parts.items),
            _ => None,
        }
    }
}

impl fmt::Debug for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ValueKind").field(&self.name).finish()
    }
}

impl PartialEq for TheoryValue {
    fn eq(&self, other: &TheoryValue) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for TheoryValue {}

impl PartialOrd for TheoryValue {
    fn partial_cmp(&self, other: &TheoryValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TheoryValue {
    fn cmp(&self, other: &TheoryValue) -> Ordering {
        (self.kind.name, &self.parts).cmp(&(other.kind.name, &other.parts))
    }
}

impl Hash for TheoryValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.kind.name, &self.parts).hash(state);
    }
}
