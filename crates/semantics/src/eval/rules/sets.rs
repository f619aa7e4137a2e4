//! Finite sets, as cvc5 and Z3 have them.

use std::collections::BTreeSet;

use smt::{Op, Term};

use super::{HigherRules, Rules, Site, boolean, int};
use crate::data::Value;
use crate::eval::Evaluator;
use crate::eval::reason::{Outcome, Reason};
use crate::value::integer::Int;

/// The largest set that is made from a range.
const LARGEST: u64 = 1 << 16;

pub(super) const RULES: Rules = &[
    ("set.empty", 0, |_, _| made(BTreeSet::new())),
    ("set.singleton", 1, |_, a| made(BTreeSet::from([a[0].clone()]))),
    ("set.insert", 2, |_, a| {
        let [elements @ .., set] = a else { return Err(Reason::Kind(None)) };
        let mut all = members(set)?.clone();
        all.extend(elements.iter().cloned());
        made(all)
    }),
    ("set.union", 2, |_, a| made(members(&a[0])?.union(members(&a[1])?).cloned().collect())),
    ("set.inter", 2, |_, a| made(members(&a[0])?.intersection(members(&a[1])?).cloned().collect())),
    ("set.intersect", 2, |_, a| made(members(&a[0])?.intersection(members(&a[1])?).cloned().collect())),
    ("set.minus", 2, |_, a| made(members(&a[0])?.difference(members(&a[1])?).cloned().collect())),
    ("set.difference", 2, |_, a| made(members(&a[0])?.difference(members(&a[1])?).cloned().collect())),
    ("set.member", 2, is_member),
    ("set.in", 2, is_member),
    ("set.subset", 2, |_, a| Ok(Value::Bool(members(&a[0])?.is_subset(members(&a[1])?)))),
    ("set.card", 1, |_, a| Ok(Value::Int(Int::from(members(&a[0])?.len())))),
    ("set.size", 1, |_, a| Ok(Value::Int(Int::from(members(&a[0])?.len())))),
    ("set.choose", 1, |_, a| {
        let all = members(&a[0])?;
        match (all.len(), all.first()) {
            (1, Some(only)) => Ok(only.clone()),
            _ => Err(Reason::Open("set.choose of a set that is no singleton", None)),
        }
    }),
    ("set.is_empty", 1, |_, a| Ok(Value::Bool(members(&a[0])?.is_empty()))),
    ("set.is_singleton", 1, |_, a| Ok(Value::Bool(members(&a[0])?.len() == 1))),
    ("set.range", 2, |_, a| {
        let (low, high) = (int(&a[0])?, int(&a[1])?);
        let count = high.sub(low);
        if count.is_negative() {
            return made(BTreeSet::new());
        }
        let count = count.to_u64().filter(|&count| count < LARGEST);
        let count = count.ok_or(Reason::TooLarge("a set larger than the limit"))?;
        made((0..=count).map(|offset| Value::Int(low.add(&Int::from(offset)))).collect())
    }),
];

pub(super) const HIGHER: HigherRules =
    &[("set.map", map), ("set.filter", filter), ("set.all", all), ("set.some", some)];

pub(super) fn made(members: BTreeSet<Value>) -> Outcome<Value> {
    Ok(Value::set(members)?)
}

pub(super) fn members(value: &Value) -> Outcome<&BTreeSet<Value>> {
    match value {
        Value::Set(set) => Ok(&set.members),
        _ => Err(Reason::Kind(None)),
    }
}

fn is_member(_: &Site, a: &[Value]) -> Outcome<Value> {
    if !a[0].is_plain() {
        return Err(Reason::TooLarge("a member whose equality is hard to decide"));
    }
    Ok(Value::Bool(members(&a[1])?.contains(&a[0])))
}

/// Function and set, in this order.
fn function_and_set(args: &[Value]) -> Outcome<(&Value, &BTreeSet<Value>)> {
    let [function, set] = args else { return Err(Reason::Kind(None)) };
    Ok((function, members(set)?))
}

fn holds(evaluator: &mut Evaluator, function: &Value, member: &Value) -> Outcome<bool> {
    boolean(&evaluator.apply_value(function, std::slice::from_ref(member))?)
}

fn map(evaluator: &mut Evaluator, _: Op, _: Term, args: &[Value]) -> Outcome<Value> {
    let (function, set) = function_and_set(args)?;
    let image: Outcome<BTreeSet<Value>> =
        set.iter().map(|member| evaluator.apply_value(function, std::slice::from_ref(member))).collect();
    made(image?)
}

fn filter(evaluator: &mut Evaluator, _: Op, _: Term, args: &[Value]) -> Outcome<Value> {
    let (function, set) = function_and_set(args)?;
    let mut kept = BTreeSet::new();
    for member in set {
        if holds(evaluator, function, member)? {
            kept.insert(member.clone());
        }
    }
    made(kept)
}

fn all(evaluator: &mut Evaluator, _: Op, _: Term, args: &[Value]) -> Outcome<Value> {
    let (function, set) = function_and_set(args)?;
    decide(evaluator, function, set.iter(), false)
}

fn some(evaluator: &mut Evaluator, _: Op, _: Term, args: &[Value]) -> Outcome<Value> {
    let (function, set) = function_and_set(args)?;
    decide(evaluator, function, set.iter(), true)
}

/// Goes through members until one gives the deciding truth.
pub(super) fn decide<'v>(
    evaluator: &mut Evaluator,
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
