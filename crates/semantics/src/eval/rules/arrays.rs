//! Arrays, and Z3's arrays of Booleans as sets.

use std::collections::BTreeMap;
use std::sync::Arc;

use smt::{Op, Term};

use super::{HigherRules, Rules, Site, boolean, int};
use crate::data::{Extent, Function, MAX_DEPTH, Table, Value};
use crate::eval::Evaluator;
use crate::eval::apply;
use crate::eval::reason::{Outcome, Reason};
use crate::value::integer::Int;

pub(super) const RULES: Rules = &[
    ("const", 1, |site, a| {
        let (extent, arity) = crate::domain::index_extent(site.arena, site.universes, site.sort()?);
        Ok(Value::Array(Arc::new(Table::constant(extent, arity, a[0].clone())?)))
    }),
    ("store", 3, |site, a| {
        let [array, index @ .., value] = a else { return Err(Reason::Kind(None)) };
        let key = Value::key(index)?;
        if !key.is_plain() {
            return Err(Reason::TooLarge("an index whose equality is hard to decide"));
        }
        match array {
            Value::Array(_) | Value::Set(_) => {
                let (default, mut entries) = table_of(array)?;
                entries.insert(key, value.clone());
                rebuild(site, default, entries)
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
            _ => Err(Reason::Kind(None)),
        }
    }),
    ("union", 2, |site, a| pointwise(site, a, |x, y| x || y)),
    ("intersection", 2, |site, a| pointwise(site, a, |x, y| x && y)),
    ("setminus", 2, |site, a| pointwise(site, a, |x, y| x && !y)),
    ("complement", 1, |site, a| {
        let (default, entries) = table_of(&a[0])?;
        let not = |value: &Value| -> Outcome<Value> { Ok(Value::Bool(!boolean(value)?)) };
        let entries: Outcome<_> = entries.iter().map(|(key, value)| Ok((key.clone(), not(value)?))).collect();
        rebuild(site, not(&default)?, entries?)
    }),
    ("subset", 2, subset),
    ("set-has-size", 2, |_, a| {
        let Value::Array(table) = &a[0] else { return Err(Reason::Kind(None)) };
        let listed = table.entries().len() as u64;
        let size = match (boolean(table.default())?, table.extent()) {
            (false, _) => listed,
            (true, Extent::Finite(all)) => all.saturating_sub(listed),
            (true, Extent::Infinite) => return Ok(Value::Bool(false)),
            (true, Extent::Unknown) => return Err(Reason::TooLarge("a set over a sort of unknown size")),
        };
        Ok(Value::Bool(*int(&a[1])? == Int::from(size)))
    }),
];

pub(super) const HIGHER: HigherRules = &[("select", select)];

fn select(evaluator: &mut Evaluator, _: Op, _: Term, args: &[Value]) -> Outcome<Value> {
    match args {
        [array, index @ ..] => evaluator.apply_value(array, index),
        [] => Err(Reason::Kind(None)),
    }
}

/// Default and exceptions of an array or of a set used as one.
fn table_of(value: &Value) -> Outcome<(Value, BTreeMap<Value, Value>)> {
    match value {
        Value::Array(table) => Ok((table.default().clone(), table.entries().clone())),
        Value::Set(set) => {
            let entries = set.members.iter().map(|member| (member.clone(), Value::Bool(true))).collect();
            Ok((Value::Bool(false), entries))
        }
        Value::Function(_) => Err(Reason::TooLarge("a set operation on a function that is known by a rule")),
        _ => Err(Reason::Kind(None)),
    }
}

fn rebuild(site: &Site, default: Value, entries: BTreeMap<Value, Value>) -> Outcome<Value> {
    apply::table(site.arena, site.universes, site.limits, site.sort()?, default, entries)
}

/// Two sets as arrays, joined at every index.
fn joined(a: &[Value], join: fn(bool, bool) -> bool) -> Outcome<(bool, BTreeMap<Value, bool>)> {
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

fn pointwise(site: &Site, a: &[Value], join: fn(bool, bool) -> bool) -> Outcome<Value> {
    let (default, entries) = joined(a, join)?;
    let entries = entries.into_iter().map(|(key, value)| (key, Value::Bool(value))).collect();
    rebuild(site, Value::Bool(default), entries)
}

/// No element is in the first set and not in the second.
fn subset(_: &Site, a: &[Value]) -> Outcome<Value> {
    let (default, entries) = joined(a, |x, y| x && !y)?;
    if entries.values().any(|&outside| outside) {
        return Ok(Value::Bool(false));
    }
    let extent = a.iter().find_map(|value| match value {
        Value::Array(table) => Some(table.extent()),
        _ => None,
    });
    match (default, extent.unwrap_or(Extent::Infinite)) {
        (false, _) => Ok(Value::Bool(true)),
        (true, Extent::Finite(all)) => Ok(Value::Bool(all == entries.len() as u64)),
        (true, Extent::Infinite) => Ok(Value::Bool(false)),
        (true, Extent::Unknown) => Err(Reason::TooLarge("sets over a sort of unknown size")),
    }
}
