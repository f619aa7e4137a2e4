//! Arrays, and Z3's arrays of Booleans as sets.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::theory::args::{boolean, int};
use crate::theory::{Apply, Context, Domain, HigherOrderRule, Rule, SortSemantics, Theory, combinations};
use smt::Sort;

use crate::data::{Cardinality, Function, MAX_DEPTH, Table, Value};
use crate::reason::{Outcome, Reason};
use crate::value::integer::Int;

/// The semantics of arrays.
pub(super) static THEORY: Theory =
    Theory { rules: RULES, higher_order: HIGHER_ORDER, sorts: SORTS, ..Theory::new("ArraysEx") };

const SORTS: &[SortSemantics] = &[
    SortSemantics { name: "Array", size, values, constant: |_, _, _| None },
    SortSemantics { name: "->", size, values, constant: |_, _, _| None },
];

const RULES: &[(&str, u8, Rule)] = &[
    ("const", 1, |cx, a| {
        let (index_size, arity) = cx.domain().index_size(cx.sort()?);
        Ok(Value::Array(Arc::new(Table::constant(index_size, arity, a[0].clone())?)))
    }),
    ("store", 3, |cx, a| {
        let [array, index @ .., value] = a else { return Err(Reason::BadArguments(None)) };
        let key = Value::key(index)?;
        if !key.is_canonical() {
            return Err(Reason::TooLarge("an array index that is hard to compare"));
        }
        match array {
            Value::Array(_) | Value::Set(_) => {
                let (default, mut entries) = table_of(array)?;
                entries.insert(key, value.clone());
                rebuild(cx, default, entries)
            }
            Value::Function(function) => {
                let (base, mut entries) = match &**function {
                    Function::Except { base, entries } => (base.clone(), entries.clone()),
                    _ => (array.clone(), BTreeMap::new()),
                };
                entries.insert(key, value.clone());
                if base.depth().max(value.depth()) >= MAX_DEPTH {
                    return Err(Reason::TooLarge("a value nested too deeply"));
                }
                Ok(Value::Function(Arc::new(Function::Except { base, entries })))
            }
            _ => Err(Reason::BadArguments(None)),
        }
    }),
    ("union", 2, |cx, a| pointwise(cx, a, |x, y| x || y)),
    ("intersection", 2, |cx, a| pointwise(cx, a, |x, y| x && y)),
    ("setminus", 2, |cx, a| pointwise(cx, a, |x, y| x && !y)),
    ("complement", 1, |cx, a| {
        let (default, entries) = table_of(&a[0])?;
        let not = |value: &Value| -> Outcome<Value> { Ok(Value::Bool(!boolean(value)?)) };
        let entries: Outcome<_> = entries.iter().map(|(key, value)| Ok((key.clone(), not(value)?))).collect();
        rebuild(cx, not(&default)?, entries?)
    }),
    ("subset", 2, subset),
    ("set-has-size", 2, |_, a| {
        let Value::Array(table) = &a[0] else { return Err(Reason::BadArguments(None)) };
        let listed = table.entries().len() as u64;
        let size = match (boolean(table.default())?, table.index_size()) {
            (false, _) => listed,
            (true, Cardinality::Finite(all)) => all.saturating_sub(listed),
            (true, Cardinality::Infinite) => return Ok(Value::Bool(false)),
            (true, Cardinality::Unknown) => {
                return Err(Reason::TooLarge("a set over a sort of unknown size"));
            }
        };
        Ok(Value::Bool(*int(&a[1])? == Int::from(size)))
    }),
];

const HIGHER_ORDER: &[(&str, HigherOrderRule)] = &[("select", select)];

/// The number of functions from the indices to the elements.
fn size(domain: &mut Domain, sort: Sort) -> Cardinality {
    let arena = domain.arena;
    let [indices @ .., element] = &arena.sort_node(sort).args[..] else { return Cardinality::Unknown };
    match (domain.product_size(indices), domain.size(*element)) {
        (_, Cardinality::Finite(1)) => Cardinality::Finite(1),
        (Cardinality::Finite(keys), Cardinality::Finite(size)) => {
            let power = u32::try_from(keys).ok().and_then(|keys| size.checked_pow(keys));
            power.map_or(Cardinality::Infinite, Cardinality::Finite)
        }
        (Cardinality::Unknown, _) | (_, Cardinality::Unknown) => Cardinality::Unknown,
        _ => Cardinality::Infinite,
    }
}

fn values(domain: &mut Domain, sort: Sort) -> Option<Vec<Value>> {
    let arena = domain.arena;
    let [indices @ .., element] = &arena.sort_node(sort).args[..] else { return None };
    let keys = domain.table_keys(indices)?;
    let elements = domain.values(*element)?;
    let (index_size, arity) = domain.index_size(sort);
    let choices = vec![elements; keys.len()];
    let table = |values: Vec<Value>| {
        let entries: BTreeMap<Value, Value> = keys.iter().cloned().zip(values).collect();
        let default = entries.values().next()?.clone();
        Table::new(index_size, arity, default, entries, &mut || Some(keys.clone())).ok()
    };
    combinations(&choices).into_iter().map(|values| Some(Value::Array(Arc::new(table(values)?)))).collect()
}

fn select(evaluator: &mut dyn Apply, args: &[Value]) -> Outcome<Value> {
    match args {
        [array, index @ ..] => evaluator.apply_value(array, index),
        [] => Err(Reason::BadArguments(None)),
    }
}

/// The default and the entries of an array, or of a set used as one.
fn table_of(value: &Value) -> Outcome<(Value, BTreeMap<Value, Value>)> {
    match value {
        Value::Array(table) => Ok((table.default().clone(), table.entries().clone())),
        Value::Set(set) => {
            let entries = set.members.iter().map(|member| (member.clone(), Value::Bool(true))).collect();
            Ok((Value::Bool(false), entries))
        }
        Value::Function(_) => Err(Reason::TooLarge("a set operation on a symbolic function")),
        _ => Err(Reason::BadArguments(None)),
    }
}

fn rebuild(cx: &Context, default: Value, entries: BTreeMap<Value, Value>) -> Outcome<Value> {
    Ok(cx.domain().array(cx.sort()?, default, entries)?)
}

/// Combines two sets, given as arrays, at every index.
fn combine(a: &[Value], join: fn(bool, bool) -> bool) -> Outcome<(bool, BTreeMap<Value, bool>)> {
    let (left, right) = (table_of(&a[0])?, table_of(&a[1])?);
    let default = join(boolean(&left.0)?, boolean(&right.0)?);
    let mut entries = BTreeMap::new();
    for key in left.1.keys().chain(right.1.keys()) {
        let at = |(default, entries): &(Value, BTreeMap<Value, Value>)| {
            boolean(entries.get(key).unwrap_or(default))
        };
        entries.insert(key.clone(), join(at(&left)?, at(&right)?));
    }
    Ok((default, entries))
}

fn pointwise(cx: &Context, a: &[Value], join: fn(bool, bool) -> bool) -> Outcome<Value> {
    let (default, entries) = combine(a, join)?;
    let entries = entries.into_iter().map(|(key, value)| (key, Value::Bool(value))).collect();
    rebuild(cx, Value::Bool(default), entries)
}

/// Whether every element of the first set is in the second.
fn subset(_: &Context, a: &[Value]) -> Outcome<Value> {
    let (default, entries) = combine(a, |x, y| x && !y)?;
    if entries.values().any(|&outside| outside) {
        return Ok(Value::Bool(false));
    }
    let index_size = a.iter().find_map(|value| match value {
        Value::Array(table) => Some(table.index_size()),
        _ => None,
    });
    match (default, index_size.unwrap_or(Cardinality::Infinite)) {
        (false, _) => Ok(Value::Bool(true)),
        (true, Cardinality::Finite(all)) => Ok(Value::Bool(all == entries.len() as u64)),
        (true, Cardinality::Infinite) => Ok(Value::Bool(false)),
        (true, Cardinality::Unknown) => Err(Reason::TooLarge("sets over a sort of unknown size")),
    }
}
