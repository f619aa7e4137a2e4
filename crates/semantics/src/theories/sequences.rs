//! Sequences over elements of any sort, and cvc5's nullable values.

use crate::data::{Cardinality, Value};
use crate::reason::{Outcome, Reason};
use crate::theory::args::{int, items};
use crate::theory::{Apply, Context, HigherOrderRule, Rule, SortSemantics, Theory};
use crate::value::integer::Int;
use crate::value::string::{find, slice_bounds};

/// The semantics of sequences.
pub(super) static THEORY: Theory =
    Theory { rules: RULES, higher_order: HIGHER_ORDER, sorts: SORTS, ..Theory::new("Sequences") };

const SORTS: &[SortSemantics] = &[
    SortSemantics::infinite("Seq"),
    SortSemantics {
        name: "Nullable",
        size: |domain, sort| match domain.arena.sort_node(sort).args[..] {
            [element] => domain.size(element).plus(Cardinality::Finite(1)),
            _ => Cardinality::Unknown,
        },
        ..SortSemantics::infinite("Nullable")
    },
];

const RULES: &[(&str, u8, Rule)] = &[
    ("seq.empty", 0, |cx, _| match cx.sort()? {
        smt::Sort::STRING => Ok(Value::Str(crate::value::string::Str::empty())),
        _ => seq_value(cx, Vec::new()),
    }),
    ("seq.unit", 1, |cx, a| match &a[0] {
        Value::Char(code) => super::characters::text(*code),
        element => seq_value(cx, vec![element.clone()]),
    }),
    ("seq.++", 2, |cx, a| seq_value(cx, [items(&a[0])?, items(&a[1])?].concat())),
    ("seq.len", 1, |_, a| Ok(Value::Int(Int::from(items(&a[0])?.len())))),
    ("seq.nth", 2, |_, a| {
        let at = int(&a[1])?.to_u64().and_then(|at| usize::try_from(at).ok());
        let outside = Reason::Open("seq.nth out of range", None);
        match &a[0] {
            Value::Str(text) => {
                at.and_then(|at| text.codes().get(at)).map(|&code| Value::Char(code)).ok_or(outside)
            }
            sequence => {
                let items = items(sequence)?;
                at.and_then(|at| items.get(at)).cloned().ok_or(outside)
            }
        }
    }),
    ("seq.at", 2, |cx, a| seq_value(cx, slice(items(&a[0])?, int(&a[1])?, &Int::ONE).to_vec())),
    ("seq.extract", 3, |cx, a| seq_value(cx, slice(items(&a[0])?, int(&a[1])?, int(&a[2])?).to_vec())),
    ("seq.contains", 2, |_, a| Ok(Value::Bool(find(searchable(&a[0])?, searchable(&a[1])?, 0).is_some()))),
    ("seq.prefixof", 2, |_, a| Ok(Value::Bool(searchable(&a[1])?.starts_with(searchable(&a[0])?)))),
    ("seq.suffixof", 2, |_, a| Ok(Value::Bool(searchable(&a[1])?.ends_with(searchable(&a[0])?)))),
    ("seq.indexof", 2, |_, a| {
        let (whole, part) = (searchable(&a[0])?, searchable(&a[1])?);
        let start = a.get(2).map_or(Ok(&Int::ZERO), int)?;
        let start = start.to_u64().filter(|&start| start <= whole.len() as u64);
        let found = start.and_then(|start| find(whole, part, start as usize));
        Ok(Value::Int(found.map_or(Int::from(-1), Int::from)))
    }),
    ("seq.last_indexof", 2, |_, a| {
        if let (Value::Str(whole), Value::Str(part)) = (&a[0], &a[1]) {
            return Ok(Value::Int(whole.last_index_of(part)));
        }
        let (whole, part) = (searchable(&a[0])?, searchable(&a[1])?);
        let last = (0..=whole.len()).rev().find(|&at| whole[at..].starts_with(part));
        Ok(Value::Int(last.map_or(Int::from(-1), Int::from)))
    }),
    ("seq.replace", 3, |cx, a| {
        let (whole, from, to) = (searchable(&a[0])?, searchable(&a[1])?, items(&a[2])?);
        match find(whole, from, 0) {
            Some(at) => seq_value(cx, [&whole[..at], to, &whole[at + from.len()..]].concat()),
            None => Ok(a[0].clone()),
        }
    }),
    ("seq.replace_all", 3, |cx, a| {
        let (whole, from, to) = (searchable(&a[0])?, searchable(&a[1])?, items(&a[2])?);
        if from.is_empty() {
            return Ok(a[0].clone());
        }
        let (mut result, mut at) = (Vec::new(), 0);
        while let Some(next) = find(whole, from, at) {
            result.extend_from_slice(&whole[at..next]);
            result.extend_from_slice(to);
            cx.limits.check_chars(result.len() as u64)?;
            at = next + from.len();
        }
        result.extend_from_slice(&whole[at..]);
        seq_value(cx, result)
    }),
    ("seq.update", 3, |cx, a| {
        let (whole, with) = (items(&a[0])?, items(&a[2])?);
        let mut result = whole.to_vec();
        if let Some(start) = int(&a[1])?.to_u64().filter(|&start| start < whole.len() as u64) {
            for (target, element) in result[start as usize..].iter_mut().zip(with) {
                *target = element.clone();
            }
        }
        seq_value(cx, result)
    }),
    ("seq.rev", 1, |cx, a| seq_value(cx, items(&a[0])?.iter().rev().cloned().collect())),
    ("seq.power", 2, |cx, a| {
        let (part, times) = (items(&a[0])?, int(&a[1])?);
        if times.signum() <= 0 || part.is_empty() {
            return seq_value(cx, Vec::new());
        }
        let times = times.to_u64().unwrap_or(u64::MAX);
        cx.limits.check_chars(times.saturating_mul(part.len() as u64))?;
        seq_value(cx, std::iter::repeat_n(part, times as usize).flatten().cloned().collect())
    }),
    ("nullable.some", 1, |cx, a| seq_value(cx, vec![a[0].clone()])),
    ("nullable.null", 0, |cx, _| seq_value(cx, Vec::new())),
    ("nullable.val", 1, |_, a| {
        items(&a[0])?.first().cloned().ok_or(Reason::Open("nullable.val of null", None))
    }),
    ("nullable.is_some", 1, |_, a| Ok(Value::Bool(!items(&a[0])?.is_empty()))),
    ("nullable.is_null", 1, |_, a| Ok(Value::Bool(items(&a[0])?.is_empty()))),
];

const HIGHER_ORDER: &[(&str, HigherOrderRule)] =
    &[("seq.map", map), ("seq.mapi", map_with_index), ("seq.foldl", fold), ("seq.foldli", fold_with_index)];

fn seq_value(cx: &Context, items: Vec<Value>) -> Outcome<Value> {
    cx.limits.check_chars(items.len() as u64)?;
    Ok(Value::seq(items)?)
}

fn slice<'v>(items: &'v [Value], start: &Int, count: &Int) -> &'v [Value] {
    slice_bounds(items.len(), start, count).map_or(&[], |(from, to)| &items[from..to])
}

/// The elements of a sequence to search in, which must be canonical.
fn searchable(value: &Value) -> Outcome<&[Value]> {
    if !value.is_canonical() {
        return Err(Reason::TooLarge("a search in a sequence whose elements are hard to compare"));
    }
    items(value)
}

fn map(evaluator: &mut dyn Apply, args: &[Value]) -> Outcome<Value> {
    let [function, sequence] = args else { return Err(Reason::BadArguments(None)) };
    let mapped: Outcome<Vec<Value>> = items(sequence)?
        .iter()
        .map(|item| evaluator.apply_value(function, std::slice::from_ref(item)))
        .collect();
    Ok(Value::seq(mapped?)?)
}

fn map_with_index(evaluator: &mut dyn Apply, args: &[Value]) -> Outcome<Value> {
    let [function, start, sequence] = args else { return Err(Reason::BadArguments(None)) };
    let start = int(start)?;
    let mapped: Outcome<Vec<Value>> = items(sequence)?
        .iter()
        .enumerate()
        .map(|(at, item)| {
            let at = Value::Int(start.add(&Int::from(at)));
            evaluator.apply_value(function, &[at, item.clone()])
        })
        .collect();
    Ok(Value::seq(mapped?)?)
}

fn fold(evaluator: &mut dyn Apply, args: &[Value]) -> Outcome<Value> {
    let [function, start, sequence] = args else { return Err(Reason::BadArguments(None)) };
    items(sequence)?
        .iter()
        .try_fold(start.clone(), |sum, item| evaluator.apply_value(function, &[sum, item.clone()]))
}

fn fold_with_index(evaluator: &mut dyn Apply, args: &[Value]) -> Outcome<Value> {
    let [function, from, start, sequence] = args else { return Err(Reason::BadArguments(None)) };
    let from = int(from)?;
    items(sequence)?.iter().enumerate().try_fold(start.clone(), |sum, (at, item)| {
        let at = Value::Int(from.add(&Int::from(at)));
        evaluator.apply_value(function, &[at, sum, item.clone()])
    })
}
