//! Sequences: the operators of strings over elements of any sort. Also cvc5's nullable values.

use smt::{Op, Term};

use super::{HigherRules, Rules, Site, int, items};
use crate::data::Value;
use crate::eval::Evaluator;
use crate::eval::reason::{Outcome, Reason};
use crate::value::integer::Int;
use crate::value::string::{find, slice_bounds};

pub(super) const RULES: Rules = &[
    ("seq.empty", 0, |site, _| match site.sort()? {
        smt::Sort::STRING => Ok(Value::Str(crate::value::string::Str::empty())),
        _ => made(site, Vec::new()),
    }),
    ("seq.unit", 1, |site, a| match &a[0] {
        Value::Char(code) => super::characters::text(*code),
        element => made(site, vec![element.clone()]),
    }),
    ("seq.++", 2, |site, a| made(site, [items(&a[0])?, items(&a[1])?].concat())),
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
    ("seq.at", 2, |site, a| made(site, slice(items(&a[0])?, int(&a[1])?, &Int::ONE).to_vec())),
    ("seq.extract", 3, |site, a| made(site, slice(items(&a[0])?, int(&a[1])?, int(&a[2])?).to_vec())),
    ("seq.contains", 2, |_, a| Ok(Value::Bool(find(plain(&a[0])?, plain(&a[1])?, 0).is_some()))),
    ("seq.prefixof", 2, |_, a| Ok(Value::Bool(plain(&a[1])?.starts_with(plain(&a[0])?)))),
    ("seq.suffixof", 2, |_, a| Ok(Value::Bool(plain(&a[1])?.ends_with(plain(&a[0])?)))),
    ("seq.indexof", 2, |_, a| {
        let (whole, part) = (plain(&a[0])?, plain(&a[1])?);
        let start = a.get(2).map_or(Ok(&Int::ZERO), int)?;
        let start = start.to_u64().filter(|&start| start <= whole.len() as u64);
        let found = start.and_then(|start| find(whole, part, start as usize));
        Ok(Value::Int(found.map_or(Int::from(-1), Int::from)))
    }),
    ("seq.last_indexof", 2, |_, a| {
        if let (Value::Str(whole), Value::Str(part)) = (&a[0], &a[1]) {
            return Ok(Value::Int(whole.last_index_of(part)));
        }
        let (whole, part) = (plain(&a[0])?, plain(&a[1])?);
        let last = (0..=whole.len()).rev().find(|&at| whole[at..].starts_with(part));
        Ok(Value::Int(last.map_or(Int::from(-1), Int::from)))
    }),
    ("seq.replace", 3, |site, a| {
        let (whole, from, to) = (plain(&a[0])?, plain(&a[1])?, items(&a[2])?);
        match find(whole, from, 0) {
            Some(at) => made(site, [&whole[..at], to, &whole[at + from.len()..]].concat()),
            None => Ok(a[0].clone()),
        }
    }),
    ("seq.replace_all", 3, |site, a| {
        let (whole, from, to) = (plain(&a[0])?, plain(&a[1])?, items(&a[2])?);
        if from.is_empty() {
            return Ok(a[0].clone());
        }
        let (mut result, mut at) = (Vec::new(), 0);
        while let Some(next) = find(whole, from, at) {
            result.extend_from_slice(&whole[at..next]);
            result.extend_from_slice(to);
            site.limits.check_chars(result.len() as u64)?;
            at = next + from.len();
        }
        result.extend_from_slice(&whole[at..]);
        made(site, result)
    }),
    ("seq.update", 3, |site, a| {
        let (whole, with) = (items(&a[0])?, items(&a[2])?);
        let mut result = whole.to_vec();
        if let Some(start) = int(&a[1])?.to_u64().filter(|&start| start < whole.len() as u64) {
            for (place, element) in result[start as usize..].iter_mut().zip(with) {
                *place = element.clone();
            }
        }
        made(site, result)
    }),
    ("seq.rev", 1, |site, a| made(site, items(&a[0])?.iter().rev().cloned().collect())),
    ("seq.power", 2, |site, a| {
        let (part, times) = (items(&a[0])?, int(&a[1])?);
        if times.signum() <= 0 || part.is_empty() {
            return made(site, Vec::new());
        }
        let times = times.to_u64().unwrap_or(u64::MAX);
        site.limits.check_chars(times.saturating_mul(part.len() as u64))?;
        made(site, std::iter::repeat_n(part, times as usize).flatten().cloned().collect())
    }),
    ("nullable.some", 1, |site, a| made(site, vec![a[0].clone()])),
    ("nullable.null", 0, |site, _| made(site, Vec::new())),
    ("nullable.val", 1, |_, a| {
        items(&a[0])?.first().cloned().ok_or(Reason::Open("nullable.val of null", None))
    }),
    ("nullable.is_some", 1, |_, a| Ok(Value::Bool(!items(&a[0])?.is_empty()))),
    ("nullable.is_null", 1, |_, a| Ok(Value::Bool(items(&a[0])?.is_empty()))),
];

pub(super) const HIGHER: HigherRules =
    &[("seq.map", map), ("seq.mapi", map_with_index), ("seq.foldl", fold), ("seq.foldli", fold_with_index)];

fn made(site: &Site, items: Vec<Value>) -> Outcome<Value> {
    site.limits.check_chars(items.len() as u64)?;
    Ok(Value::seq(items)?)
}

fn slice<'v>(items: &'v [Value], start: &Int, count: &Int) -> &'v [Value] {
    slice_bounds(items.len(), start, count).map_or(&[], |(from, to)| &items[from..to])
}

/// The elements of a sequence that has to be searched: their equality has to be certain.
fn plain(value: &Value) -> Outcome<&[Value]> {
    if !value.is_plain() {
        return Err(Reason::TooLarge("a search among elements whose equality is hard to decide"));
    }
    items(value)
}

fn map(evaluator: &mut Evaluator, _: Op, _: Term, args: &[Value]) -> Outcome<Value> {
    let [function, sequence] = args else { return Err(Reason::Kind(None)) };
    let mapped: Outcome<Vec<Value>> = items(sequence)?
        .iter()
        .map(|item| evaluator.apply_value(function, std::slice::from_ref(item)))
        .collect();
    Ok(Value::seq(mapped?)?)
}

fn map_with_index(evaluator: &mut Evaluator, _: Op, _: Term, args: &[Value]) -> Outcome<Value> {
    let [function, start, sequence] = args else { return Err(Reason::Kind(None)) };
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

fn fold(evaluator: &mut Evaluator, _: Op, _: Term, args: &[Value]) -> Outcome<Value> {
    let [function, start, sequence] = args else { return Err(Reason::Kind(None)) };
    items(sequence)?
        .iter()
        .try_fold(start.clone(), |sum, item| evaluator.apply_value(function, &[sum, item.clone()]))
}

fn fold_with_index(evaluator: &mut Evaluator, _: Op, _: Term, args: &[Value]) -> Outcome<Value> {
    let [function, from, start, sequence] = args else { return Err(Reason::Kind(None)) };
    let from = int(from)?;
    items(sequence)?.iter().enumerate().try_fold(start.clone(), |sum, (at, item)| {
        let at = Value::Int(from.add(&Int::from(at)));
        evaluator.apply_value(function, &[at, sum, item.clone()])
    })
}
