//! Tuples, relations (sets of tuples) and tables (bags of tuples), theories of cvc5.

use std::collections::{BTreeMap, BTreeSet};

use super::{bags, sets};
use crate::data::Value;
use crate::reason::{Outcome, Reason};
use crate::theory::args::{int, items};
use crate::theory::{Context, Rule, SortSemantics, Theory};
use crate::value::integer::Int;

/// The most pairs of tuples in a product.
const MAX_PAIRS: usize = 1 << 20;

/// The semantics of tuples, relations and tables.
pub(super) static THEORY: Theory = Theory { rules: RULES, sorts: SORTS, ..Theory::new("Relations") };

const SORTS: &[SortSemantics] = &[SortSemantics {
    name: "Tuple",
    size: |domain, sort| domain.product_size(&domain.arena.sort_node(sort).args),
    values: |domain, sort| {
        let tuples = domain.tuples(&domain.arena.sort_node(sort).args)?;
        tuples.into_iter().map(|items| Value::tuple(items).ok()).collect()
    },
    constant: |_, _, _| None,
}];

const RULES: &[(&str, u8, Rule)] = &[
    ("rel.transpose", 1, |_, a| {
        let turned =
            sets::members(&a[0])?.iter().map(|tuple| tuple_value(items(tuple)?.iter().rev().cloned()));
        sets::set_value(turned.collect::<Outcome<_>>()?)
    }),
    ("rel.tclosure", 1, closure),
    ("rel.iden", 1, |_, a| {
        let pair = |tuple: &Value| match items(tuple)? {
            [only] => tuple_value([only.clone(), only.clone()].into_iter()),
            _ => Err(Reason::BadArguments(None)),
        };
        sets::set_value(sets::members(&a[0])?.iter().map(pair).collect::<Outcome<_>>()?)
    }),
    ("rel.join_image", 2, |_, a| {
        let least = int(&a[1])?.to_u64().filter(|&least| least > 0);
        let least = least.ok_or(Reason::Open("rel.join_image with a count that is not positive", None))?;
        let mut images: BTreeMap<&Value, u64> = BTreeMap::new();
        for tuple in sets::members(&a[0])? {
            *images.entry(items(tuple)?.first().ok_or(Reason::BadArguments(None))?).or_default() += 1;
        }
        let many = images.into_iter().filter(|(_, count)| *count >= least);
        sets::set_value(
            many.map(|(first, _)| tuple_value(std::iter::once(first.clone()))).collect::<Outcome<_>>()?,
        )
    }),
    ("rel.product", 2, |_, a| {
        let (left, right) = (sets::members(&a[0])?, sets::members(&a[1])?);
        check_pairs(left.len(), right.len())?;
        let pairs = left.iter().flat_map(|x| right.iter().map(move |y| (x, y)));
        sets::set_value(pairs.map(|(x, y)| concat(x, y)).collect::<Outcome<_>>()?)
    }),
    ("rel.join", 2, |_, a| {
        let (left, right) = (sets::members(&a[0])?, sets::members(&a[1])?);
        check_pairs(left.len(), right.len())?;
        let mut result = BTreeSet::new();
        for x in left {
            for y in right {
                let (x, y) = (items(x)?, items(y)?);
                if let (Some((last, begin)), Some((first, end))) = (x.split_last(), y.split_first())
                    && last == first
                {
                    result.insert(tuple_value(begin.iter().chain(end).cloned())?);
                }
            }
        }
        sets::set_value(result)
    }),
    ("table.product", 2, |cx, a| {
        let (left, right) = (bags::counts(&a[0])?, bags::counts(&a[1])?);
        check_pairs(left.len(), right.len())?;
        let mut result = BTreeMap::new();
        for (x, often) in left {
            for (y, times) in right {
                result.insert(concat(x, y)?, often.mul(times, cx.limits)?);
            }
        }
        bags::bag_value(result)
    }),
    ("rel.project", 1, |cx, a| {
        let projected = sets::members(&a[0])?.iter().map(|tuple| project(cx, std::slice::from_ref(tuple)));
        sets::set_value(projected.collect::<Outcome<_>>()?)
    }),
    ("table.project", 1, |cx, a| {
        let mut result: BTreeMap<Value, Int> = BTreeMap::new();
        for (tuple, often) in bags::counts(&a[0])? {
            let sum = result.entry(project(cx, std::slice::from_ref(tuple))?).or_insert_with(|| Int::from(0));
            *sum = sum.add(often);
        }
        bags::bag_value(result)
    }),
];

fn check_pairs(left: usize, right: usize) -> Outcome<()> {
    if left.saturating_mul(right) > MAX_PAIRS {
        return Err(Reason::TooLarge("a product of relations larger than the limit"));
    }
    Ok(())
}

fn tuple_value(items: impl Iterator<Item = Value>) -> Outcome<Value> {
    Ok(Value::tuple(items.collect())?)
}

fn concat(x: &Value, y: &Value) -> Outcome<Value> {
    tuple_value(items(x)?.iter().chain(items(y)?).cloned())
}

/// The transitive closure.
fn closure(_: &Context, a: &[Value]) -> Outcome<Value> {
    let mut pairs: BTreeSet<(Value, Value)> = BTreeSet::new();
    for tuple in sets::members(&a[0])? {
        match items(tuple)? {
            [x, y] => pairs.insert((x.clone(), y.clone())),
            _ => return Err(Reason::BadArguments(None)),
        };
    }
    let edges = pairs.clone();
    let mut new: Vec<(Value, Value)> = pairs.iter().cloned().collect();
    while let Some((x, y)) = new.pop() {
        let beyond = edges.range((y.clone(), Value::Bool(false))..).take_while(|(from, _)| *from == y);
        for (_, z) in beyond {
            if pairs.len() >= MAX_PAIRS {
                return Err(Reason::TooLarge("a closure larger than the limit"));
            }
            let pair = (x.clone(), z.clone());
            if pairs.insert(pair.clone()) {
                new.push(pair);
            }
        }
    }
    sets::set_value(pairs.into_iter().map(|(x, y)| tuple_value([x, y].into_iter())).collect::<Outcome<_>>()?)
}

/// `(tuple a b …)`
pub(crate) fn tuple(_: &Context, args: &[Value]) -> Outcome<Value> {
    tuple_value(args.iter().cloned())
}

fn component(items: &[Value], index: u64) -> Outcome<usize> {
    usize::try_from(index).ok().filter(|&at| at < items.len()).ok_or(Reason::BadArguments(None))
}

/// `((_ tuple.select i) t)`
pub(crate) fn select(cx: &Context, args: &[Value]) -> Outcome<Value> {
    let [tuple] = args else { return Err(Reason::BadArguments(None)) };
    let items = items(tuple)?;
    Ok(items[component(items, cx.index(0)?)?].clone())
}

/// `((_ tuple.update i) t v)`
pub(crate) fn update(cx: &Context, args: &[Value]) -> Outcome<Value> {
    let [tuple, value] = args else { return Err(Reason::BadArguments(None)) };
    let mut items = items(tuple)?.to_vec();
    let at = component(&items, cx.index(0)?)?;
    items[at] = value.clone();
    tuple_value(items.into_iter())
}

/// `((_ tuple.project i j …) t)`
pub(crate) fn project(cx: &Context, args: &[Value]) -> Outcome<Value> {
    let [tuple] = args else { return Err(Reason::BadArguments(None)) };
    let items = items(tuple)?;
    let chosen: Outcome<Vec<Value>> =
        cx.indices()?.into_iter().map(|index| Ok(items[component(items, index)?].clone())).collect();
    tuple_value(chosen?.into_iter())
}
