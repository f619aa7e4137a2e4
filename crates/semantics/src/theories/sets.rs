//! Finite sets, a theory of cvc5 and Z3.

use std::collections::BTreeSet;

use crate::theory::args::{boolean, int};
use crate::theory::{Apply, Context, Domain, HigherOrderRule, Rule, SortSemantics, Theory};
use smt::Sort;

use crate::data::{Cardinality, Value};
use crate::reason::{Outcome, Reason};
use crate::value::integer::Int;

/// The largest range of integers.
const MAX_RANGE: u64 = 1 << 16;

/// The semantics of sets.
pub(super) static THEORY: Theory =
    Theory { rules: RULES, higher_order: HIGHER_ORDER, sorts: SORTS, ..Theory::new("Sets") };

const SORTS: &[SortSemantics] = &[
    SortSemantics { name: "Set", size, values, constant: |_, _, _| None },
    SortSemantics { name: "FiniteSet", size, values, constant: |_, _, _| None },
];

const RULES: &[(&str, u8, Rule)] = &[
    ("set.empty", 0, |_, _| set_value(BTreeSet::new())),
    ("set.singleton", 1, |_, a| set_value(BTreeSet::from([a[0].clone()]))),
    ("set.insert", 2, |_, a| {
        let [elements @ .., set] = a else { return Err(Reason::BadArguments(None)) };
        let mut all = members(set)?.clone();
        all.extend(elements.iter().cloned());
        set_value(all)
    }),
    ("set.union", 2, |_, a| set_value(members(&a[0])?.union(members(&a[1])?).cloned().collect())),
    ("set.inter", 2, |_, a| set_value(members(&a[0])?.intersection(members(&a[1])?).cloned().collect())),
    ("set.intersect", 2, |_, a| set_value(members(&a[0])?.intersection(members(&a[1])?).cloned().collect())),
    ("set.minus", 2, |_, a| set_value(members(&a[0])?.difference(members(&a[1])?).cloned().collect())),
    ("set.difference", 2, |_, a| set_value(members(&a[0])?.difference(members(&a[1])?).cloned().collect())),
    ("set.member", 2, is_member),
    ("set.in", 2, is_member),
    ("set.subset", 2, |_, a| Ok(Value::Bool(members(&a[0])?.is_subset(members(&a[1])?)))),
    ("set.card", 1, |_, a| Ok(Value::Int(Int::from(members(&a[0])?.len())))),
    ("set.size", 1, |_, a| Ok(Value::Int(Int::from(members(&a[0])?.len())))),
    ("set.choose", 1, |_, a| {
        let all = members(&a[0])?;
        match (all.len(), all.first()) {
            (1, Some(only)) => Ok(only.clone()),
            _ => Err(Reason::Open("set.choose of a set that is not a singleton", None)),
        }
    }),
    ("set.is_empty", 1, |_, a| Ok(Value::Bool(members(&a[0])?.is_empty()))),
    ("set.is_singleton", 1, |_, a| Ok(Value::Bool(members(&a[0])?.len() == 1))),
    ("set.range", 2, |_, a| {
        let (low, high) = (int(&a[0])?, int(&a[1])?);
        let count = high.sub(low);
        if count.is_negative() {
            return set_value(BTreeSet::new());
        }
        let count = count.to_u64().filter(|&count| count < MAX_RANGE);
        let count = count.ok_or(Reason::TooLarge("a set larger than the limit"))?;
        set_value((0..=count).map(|offset| Value::Int(low.add(&Int::from(offset)))).collect())
    }),
];

const HIGHER_ORDER: &[(&str, HigherOrderRule)] =
    &[("set.map", map), ("set.filter", filter), ("set.all", all), ("set.some", some)];

/// The number of subsets of the element sort.
fn size(domain: &mut Domain, sort: Sort) -> Cardinality {
    let &[element] = &domain.arena.sort_node(sort).args[..] else { return Cardinality::Unknown };
    match domain.size(element) {
        Cardinality::Finite(size) => Cardinality::power_of_two(size),
        other => other,
    }
}

fn values(domain: &mut Domain, sort: Sort) -> Option<Vec<Value>> {
    let &[element] = &domain.arena.sort_node(sort).args[..] else { return None };
    let elements = domain.values(element)?;
    let subset = |mask: u64| {
        let members = elements.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
        Value::set(members.map(|(_, member)| member.clone()).collect()).ok()
    };
    (0..1u64 << elements.len()).map(subset).collect()
}

pub(super) fn set_value(members: BTreeSet<Value>) -> Outcome<Value> {
    Ok(Value::set(members)?)
}

pub(super) fn members(value: &Value) -> Outcome<&BTreeSet<Value>> {
    match value {
        Value::Set(set) => Ok(&set.members),
        _ => Err(Reason::BadArguments(None)),
    }
}

fn is_member(_: &Context, a: &[Value]) -> Outcome<Value> {
    if !a[0].is_canonical() {
        return Err(Reason::TooLarge("membership of a value that is hard to compare"));
    }
    Ok(Value::Bool(members(&a[1])?.contains(&a[0])))
}

/// The arguments of a rule: a function and a set.
fn function_and_set(args: &[Value]) -> Outcome<(&Value, &BTreeSet<Value>)> {
    let [function, set] = args else { return Err(Reason::BadArguments(None)) };
    Ok((function, members(set)?))
}

fn holds(evaluator: &mut dyn Apply, function: &Value, member: &Value) -> Outcome<bool> {
    boolean(&evaluator.apply_value(function, std::slice::from_ref(member))?)
}

fn map(evaluator: &mut dyn Apply, args: &[Value]) -> Outcome<Value> {
    let (function, set) = function_and_set(args)?;
    let image: Outcome<BTreeSet<Value>> =
        set.iter().map(|member| evaluator.apply_value(function, std::slice::from_ref(member))).collect();
    set_value(image?)
}

fn filter(evaluator: &mut dyn Apply, args: &[Value]) -> Outcome<Value> {
    let (function, set) = function_and_set(args)?;
    let mut kept = BTreeSet::new();
    for member in set {
        if holds(evaluator, function, member)? {
            kept.insert(member.clone());
        }
    }
    set_value(kept)
}

fn all(evaluator: &mut dyn Apply, args: &[Value]) -> Outcome<Value> {
    let (function, set) = function_and_set(args)?;
    decide(evaluator, function, set.iter(), false)
}

fn some(evaluator: &mut dyn Apply, args: &[Value]) -> Outcome<Value> {
    let (function, set) = function_and_set(args)?;
    decide(evaluator, function, set.iter(), true)
}

/// Tests members until one has the deciding truth value.
pub(super) fn decide<'v>(
    evaluator: &mut dyn Apply,
    function: &Value,
    members: impl Iterator<Item = &'v Value>,
    deciding: bool,
) -> Outcome<Value> {
    let mut result = Ok(Value::Bool(!deciding));
    for member in members {
        match holds(evaluator, function, member) {
            Ok(truth) if truth == deciding => return Ok(Value::Bool(deciding)),
            Ok(_) => {}
            Err(reason) => result = Err(reason),
        }
    }
    result
}
