//! Bags (multisets), a theory of cvc5.

use std::collections::BTreeMap;

use super::sets;
use crate::data::Value;
use crate::reason::{Outcome, Reason};
use crate::theory::args::{boolean, int};
use crate::theory::{Apply, HigherOrderRule, Rule, SortSemantics, Theory};
use crate::value::integer::Int;

type Counts = BTreeMap<Value, Int>;

/// The semantics of bags.
pub(super) static THEORY: Theory =
    Theory { rules: RULES, higher_order: HIGHER_ORDER, sorts: SORTS, ..Theory::new("Bags") };

const SORTS: &[SortSemantics] = &[SortSemantics::infinite("Bag")];

const RULES: &[(&str, u8, Rule)] = &[
    ("bag.empty", 0, |_, _| bag_value(Counts::new())),
    ("bag", 2, |_, a| bag_value(Counts::from([(a[0].clone(), int(&a[1])?.clone())]))),
    ("bag.union_max", 2, |_, a| combine(a, |x, y| x.max(y).clone())),
    ("bag.union_disjoint", 2, |_, a| combine(a, |x, y| x.add(y))),
    ("bag.inter_min", 2, |_, a| combine(a, |x, y| x.min(y).clone())),
    ("bag.difference_subtract", 2, |_, a| combine(a, |x, y| x.sub(y))),
    ("bag.difference_remove", 2, |_, a| {
        combine(a, |x, y| if y.signum() > 0 { Int::ZERO } else { x.clone() })
    }),
    ("bag.subbag", 2, |_, a| {
        let larger = counts(&a[1])?;
        let fits = |(member, count): (&Value, &Int)| larger.get(member).is_some_and(|most| count <= most);
        Ok(Value::Bool(counts(&a[0])?.iter().all(fits)))
    }),
    ("bag.count", 2, |_, a| Ok(Value::Int(count_of(a)?))),
    ("bag.member", 2, |_, a| Ok(Value::Bool(count_of(a)?.signum() > 0))),
    ("bag.setof", 1, |_, a| {
        bag_value(counts(&a[0])?.keys().map(|member| (member.clone(), Int::ONE)).collect())
    }),
    ("bag.card", 1, |_, a| {
        Ok(Value::Int(counts(&a[0])?.values().fold(Int::ZERO, |sum, count| sum.add(count))))
    }),
    ("bag.choose", 1, |_, a| {
        let all = counts(&a[0])?;
        match (all.len(), all.keys().next()) {
            (1, Some(only)) => Ok(only.clone()),
            _ => Err(Reason::Open("bag.choose of a bag without exactly one member", None)),
        }
    }),
    ("bag.from_set", 1, |_, a| {
        bag_value(sets::members(&a[0])?.iter().map(|member| (member.clone(), Int::ONE)).collect())
    }),
    ("bag.to_set", 1, |_, a| sets::set_value(counts(&a[0])?.keys().cloned().collect())),
    ("bag.is_singleton", 1, |_, a| {
        let all = counts(&a[0])?;
        Ok(Value::Bool(all.len() == 1 && all.values().all(|count| *count == Int::ONE)))
    }),
];

const HIGHER_ORDER: &[(&str, HigherOrderRule)] =
    &[("bag.map", map), ("bag.filter", filter), ("bag.all", all), ("bag.some", some)];

pub(super) fn bag_value(counts: Counts) -> Outcome<Value> {
    Ok(Value::bag(counts)?)
}

pub(super) fn counts(value: &Value) -> Outcome<&Counts> {
    match value {
        Value::Bag(bag) => Ok(&bag.members),
        _ => Err(Reason::BadArguments(None)),
    }
}

fn count_of(a: &[Value]) -> Outcome<Int> {
    if !a[0].is_canonical() {
        return Err(Reason::TooLarge("membership of a value that is hard to compare"));
    }
    Ok(counts(&a[1])?.get(&a[0]).cloned().unwrap_or(Int::ZERO))
}

/// Combines the multiplicities of each member.
fn combine(a: &[Value], join: fn(&Int, &Int) -> Int) -> Outcome<Value> {
    let (left, right) = (counts(&a[0])?, counts(&a[1])?);
    let mut result = Counts::new();
    for member in left.keys().chain(right.keys()) {
        let at = |counts: &Counts| counts.get(member).cloned().unwrap_or(Int::ZERO);
        result.insert(member.clone(), join(&at(left), &at(right)));
    }
    bag_value(result)
}

/// The arguments of a rule: a function and a bag.
fn function_and_bag(args: &[Value]) -> Outcome<(&Value, &Counts)> {
    let [function, bag] = args else { return Err(Reason::BadArguments(None)) };
    Ok((function, counts(bag)?))
}

fn map(evaluator: &mut dyn Apply, args: &[Value]) -> Outcome<Value> {
    let (function, bag) = function_and_bag(args)?;
    let mut image = Counts::new();
    for (member, count) in bag {
        let value = evaluator.apply_value(function, std::slice::from_ref(member))?;
        let sum = image.entry(value).or_insert(Int::ZERO);
        *sum = sum.add(count);
    }
    bag_value(image)
}

fn filter(evaluator: &mut dyn Apply, args: &[Value]) -> Outcome<Value> {
    let (function, bag) = function_and_bag(args)?;
    let mut kept = Counts::new();
    for (member, count) in bag {
        if boolean(&evaluator.apply_value(function, std::slice::from_ref(member))?)? {
            kept.insert(member.clone(), count.clone());
        }
    }
    bag_value(kept)
}

fn all(evaluator: &mut dyn Apply, args: &[Value]) -> Outcome<Value> {
    let (function, bag) = function_and_bag(args)?;
    sets::decide(evaluator, function, bag.keys(), false)
}

fn some(evaluator: &mut dyn Apply, args: &[Value]) -> Outcome<Value> {
    let (function, bag) = function_and_bag(args)?;
    sets::decide(evaluator, function, bag.keys(), true)
}
