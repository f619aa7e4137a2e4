//! Connectives, equality and the conditional.

use super::{Rules, Site};
use crate::diver::domain::Abstract;
use semantics::Value;
use semantics::data::equal;

pub(super) const RULES: Rules = &[
    ("and", |site| junction(site, false, false)),
    ("or", |site| junction(site, true, false)),
    ("=>", |site| junction(site, true, true)),
    ("not", not),
    ("xor", xor),
    ("=", equality),
    ("distinct", distinct),
    ("ite", ite),
];
pub(super) const CURRENT: &[&str] = &["at-most", "at-least", "pble", "pbge", "pbeq"];

/// With more arguments of `distinct`, each keeps its value.
const MOST_PAIRWISE: usize = 64;

/// `and` and `or`, which one argument with the value `deciding` decides. `=>` is an `or` with all but the last argument negated.
fn junction(site: &Site<'_>, deciding: bool, implication: bool) -> Vec<Option<Abstract>> {
    let Some(wanted) = site.wanted_bool() else { return site.none() };
    let negated = |at: usize| implication && at + 1 < site.args.len();
    let decides = |at: usize| {
        site.value(at).and_then(Value::as_bool).is_some_and(|value| (value != negated(at)) == deciding)
    };
    let deciders = (0..site.args.len()).filter(|&at| decides(at)).count();
    site.each(|at| {
        if wanted != deciding {
            return Some(Abstract::Bool(deciding == negated(at)));
        }
        let others = deciders - usize::from(decides(at));
        Some(if others > 0 { Abstract::Any } else { Abstract::Bool(deciding != negated(at)) })
    })
}

fn not(site: &Site<'_>) -> Vec<Option<Abstract>> {
    site.each(|_| site.wanted_bool().map(|wanted| Abstract::Bool(!wanted)))
}

fn xor(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let Some(wanted) = site.wanted_bool() else { return site.none() };
    let values: Option<Vec<bool>> =
        (0..site.args.len()).map(|at| site.value(at).and_then(Value::as_bool)).collect();
    // If one argument is unknown, the others constrain only that one.
    let Some(values) = values else {
        return site.each(|at| {
            let rest: Option<bool> = (0..site.args.len())
                .filter(|&other| other != at)
                .try_fold(wanted, |parity, other| Some(parity ^ site.value(other)?.as_bool()?));
            Some(rest.map_or(site.current(at), Abstract::Bool))
        });
    };
    let parity = values.iter().fold(wanted, |parity, value| parity ^ value);
    site.each(|at| Some(Abstract::Bool(parity ^ values[at])))
}

/// The common value of all arguments but one; `Err` if they differ, `None` if unknown.
fn others_agree(site: &Site<'_>, but: usize) -> Option<Result<Value, ()>> {
    let mut first: Option<&Value> = None;
    let mut unknown = false;
    for at in (0..site.args.len()).filter(|&at| at != but) {
        match (site.value(at), first) {
            (None, _) => unknown = true,
            (Some(value), None) => first = Some(value),
            (Some(value), Some(known)) => match equal(value, known, site.limits) {
                Ok(true) => {}
                Ok(false) => return Some(Err(())),
                Err(_) => unknown = true,
            },
        }
    }
    if unknown { None } else { first.cloned().map(Ok) }
}

fn equality(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let Some(wanted) = site.wanted_bool() else { return site.none() };
    if site.args.len() > MOST_PAIRWISE {
        return site.none();
    }
    site.each(|at| match (wanted, others_agree(site, at)?) {
        (true, Ok(value)) => Some(Abstract::exact(&value)),
        (true, Err(())) => None,
        (false, Ok(value)) => Some(Abstract::except(vec![value])),
        (false, Err(())) => Some(Abstract::Any),
    })
}

fn distinct(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let Some(wanted) = site.wanted_bool() else { return site.none() };
    if site.args.len() > MOST_PAIRWISE {
        return site.none();
    }
    site.each(|at| {
        let others = (0..site.args.len()).filter(|&other| other != at);
        if wanted {
            let others: Option<Vec<Value>> = others.map(|other| site.value(other).cloned()).collect();
            return others.map(Abstract::except);
        }
        if let [other] = others.clone().collect::<Vec<_>>()[..] {
            return site.value(other).map(Abstract::exact);
        }
        let values: Vec<&Value> = others.filter_map(|other| site.value(other)).collect();
        let pair = values
            .iter()
            .enumerate()
            .any(|(one, a)| values[..one].iter().any(|b| equal(a, b, site.limits) == Ok(true)));
        pair.then_some(Abstract::Any)
    })
}

fn ite(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let fits = |at: usize| site.value(at).is_some_and(|value| site.wanted.contains(value, site.limits));
    let condition = site.value(0).and_then(Value::as_bool);
    let either = fits(1) && fits(2);
    let branch = |at: usize, other: usize| match condition {
        Some(chosen) if chosen == (at == 1) => Some(site.wanted.clone()),
        Some(_) => Some(Abstract::Any),
        None => Some(if fits(other) { site.wanted.clone() } else { Abstract::Nothing }),
    };
    vec![if either { Some(Abstract::Any) } else { None }, branch(1, 2), branch(2, 1)]
}
