//! Arrays and functions as tables: a default value and exceptions.

use std::collections::BTreeMap;

use super::{Value, depth_over, equal};
use crate::value::limits::{Limits, Undetermined};

/// The number of values of a sort, or of indices of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cardinality {
    /// Infinite, or larger than any table.
    Infinite,
    /// This many.
    Finite(u64),
    /// Unknown: an uninterpreted sort whose elements the model does not list.
    Unknown,
}

impl Cardinality {
    /// Two to the power of `bits`.
    pub fn power_of_two(bits: u64) -> Cardinality {
        if bits < 63 { Cardinality::Finite(1 << bits) } else { Cardinality::Infinite }
    }

    /// The size of the disjoint union of two sorts.
    pub fn plus(self, other: Cardinality) -> Cardinality {
        match (self, other) {
            (Cardinality::Finite(a), Cardinality::Finite(b)) => {
                a.checked_add(b).map_or(Cardinality::Infinite, Cardinality::Finite)
            }
            (Cardinality::Infinite, _) | (_, Cardinality::Infinite) => Cardinality::Infinite,
            _ => Cardinality::Unknown,
        }
    }

    /// How many pairs of values there are.
    pub fn times(self, other: Cardinality) -> Cardinality {
        match (self, other) {
            (Cardinality::Finite(a), Cardinality::Finite(b)) => {
                a.checked_mul(b).map_or(Cardinality::Infinite, Cardinality::Finite)
            }
            (Cardinality::Infinite, _) | (_, Cardinality::Infinite) => Cardinality::Infinite,
            _ => Cardinality::Unknown,
        }
    }
}

/// A total function with finitely many exceptions. No entry equals the default.
///
/// Over a finite index sort the default is the most frequent value (the least one in a tie), so that equal tables of canonical
/// values have the same representation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Table {
    index_size: Cardinality,
    arity: u32,
    default: Value,
    entries: BTreeMap<Value, Value>,
    depth: u32,
    canonical: bool,
}

impl Table {
    /// The same value everywhere.
    pub(crate) fn constant(
        index_size: Cardinality,
        arity: u32,
        default: Value,
    ) -> Result<Table, Undetermined> {
        let depth = depth_over([&default].into_iter())?;
        let canonical = default.is_canonical() && index_size != Cardinality::Unknown;
        Ok(Table { index_size, arity, default, entries: BTreeMap::new(), depth, canonical })
    }

    /// A table with canonical keys. `all` lists all keys of a finite index sort; it is called only if the table lists at least half of
    /// them.
    pub(crate) fn new(
        index_size: Cardinality,
        arity: u32,
        default: Value,
        mut entries: BTreeMap<Value, Value>,
        all: &mut dyn FnMut() -> Option<Vec<Value>>,
    ) -> Result<Table, Undetermined> {
        entries.retain(|_, value| *value != default);
        let mut default = default;
        let mut known = index_size != Cardinality::Unknown;
        if let Cardinality::Finite(size) = index_size
            && size <= 2 * entries.len() as u64
        {
            known &= settle_default(size, &mut default, &mut entries, all)?;
        }
        let depth = depth_over(entries.iter().flat_map(|(key, value)| [key, value]).chain([&default]))?;
        let canonical = known
            && default.is_canonical()
            && entries.iter().all(|(key, value)| key.is_canonical() && value.is_canonical());
        Ok(Table { index_size, arity, default, entries, depth, canonical })
    }

    /// The number of indices.
    pub fn index_size(&self) -> Cardinality {
        self.index_size
    }

    /// The value at a key. Keys that are not canonical are compared one by one.
    pub fn get(&self, key: &Value, limits: &Limits) -> Result<&Value, Undetermined> {
        Ok(find(&self.entries, key, limits)?.unwrap_or(&self.default))
    }

    /// The number of arguments of an index. A key of more than one is a tuple.
    pub fn arity(&self) -> u32 {
        self.arity
    }

    /// The value of every index without an entry.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The exceptions.
    pub fn entries(&self) -> &BTreeMap<Value, Value> {
        &self.entries
    }

    /// Whether it is a finite set: an array of Booleans that is false almost everywhere.
    pub(crate) fn is_set(&self) -> bool {
        let is_true = |value: &Value| *value == Value::Bool(true);
        self.arity == 1 && self.default == Value::Bool(false) && self.entries.values().all(is_true)
    }

    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    pub(crate) fn is_canonical(&self) -> bool {
        self.canonical
    }
}

/// The entry at a key. Keys that are not canonical are compared one by one.
pub(crate) fn find<'t>(
    entries: &'t BTreeMap<Value, Value>,
    key: &Value,
    limits: &Limits,
) -> Result<Option<&'t Value>, Undetermined> {
    if key.is_canonical() {
        return Ok(entries.get(key));
    }
    let mut undetermined = None;
    for (known, value) in entries {
        match equal(known, key, limits) {
            Ok(true) => return Ok(Some(value)),
            Ok(false) => {}
            Err(reason) => undetermined = Some(reason),
        }
    }
    undetermined.map_or(Ok(None), Err)
}

/// Makes the most frequent value the default. Returns whether that was possible.
fn settle_default(
    size: u64,
    default: &mut Value,
    entries: &mut BTreeMap<Value, Value>,
    all: &mut dyn FnMut() -> Option<Vec<Value>>,
) -> Result<bool, Undetermined> {
    let mut counts: BTreeMap<&Value, u64> = BTreeMap::new();
    for value in entries.values() {
        *counts.entry(value).or_default() += 1;
    }
    let rest = size.saturating_sub(entries.len() as u64);
    if rest > 0 {
        counts.insert(&*default, rest);
    }
    // Values come in order, so the least value wins a tie.
    let mut best: Option<(&Value, u64)> = None;
    for (&value, &count) in &counts {
        if best.is_none_or(|(_, most)| count > most) {
            best = Some((value, count));
        }
    }
    let Some((winner, _)) = best else { return Ok(true) };
    if *winner == *default {
        return Ok(true);
    }
    let winner = winner.clone();
    if rest > 0 {
        let Some(keys) = all() else { return Ok(false) };
        for key in keys {
            entries.entry(key).or_insert_with(|| default.clone());
        }
    }
    entries.retain(|_, value| *value != winner);
    *default = winner;
    Ok(true)
}
