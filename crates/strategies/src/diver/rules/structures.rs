//! Arrays by one element, datatypes by constructor and fields.

use super::{Rules, Site};
use crate::diver::domain::Abstract;
use semantics::Value;
use semantics::data::equal;
use smt::OpKind;

pub(super) const RULES: Rules = &[("select", select), ("store", store), ("const", constant)];
pub(super) const CURRENT: &[&str] = &[];

/// The maximum nesting of constraints.
const MOST_LEVELS: u32 = 12;

/// The index of `select` and `store`.
fn index(site: &Site<'_>, count: usize) -> Option<Value> {
    let indices: Vec<Value> = (1..=count).map(|at| site.value(at).cloned()).collect::<Option<_>>()?;
    Value::key(&indices).ok().filter(Value::is_canonical)
}

fn select(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let mut all = site.none();
    let indices = site.args.len() - 1;
    if matches!(site.value(0), Some(Value::Array(_))) && !site.wanted.is_deeper_than(MOST_LEVELS) {
        all[0] =
            index(site, indices).map(|index| Abstract::Element { index, at: Box::new(site.wanted.clone()) });
    }
    all
}

fn store(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let mut all = site.none();
    let Abstract::Element { index: asked, at } = site.wanted else { return all };
    let count = site.args.len();
    let Some(written) = index(site, count - 2) else { return all };
    match equal(asked, &written, site.limits) {
        Ok(true) => {
            all[0] = Some(Abstract::Any);
            all[count - 1] = Some((**at).clone());
        }
        Ok(false) => {
            all[0] = Some(site.wanted.clone());
            all[count - 1] = Some(Abstract::Any);
            if count == 3 {
                all[1] = Some(Abstract::except(vec![asked.clone()]));
            }
        }
        Err(_) => {}
    }
    all
}

fn constant(site: &Site<'_>) -> Vec<Option<Abstract>> {
    vec![match site.wanted {
        Abstract::Element { at, .. } => Some((**at).clone()),
        _ => None,
    }]
}

/// The arguments of a constructor are the fields.
pub(super) fn constructor(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let OpKind::Constructor(_, number) = site.arena.op(site.op).kind else { return site.none() };
    match site.wanted {
        Abstract::Made { constructor, fields } if *constructor == number => {
            site.each(|at| fields.get(at).cloned())
        }
        // A different constructor is excluded, which no argument can change.
        Abstract::MadeOtherwise(constructor) if *constructor != number => site.each(|_| Some(Abstract::Any)),
        _ => site.none(),
    }
}

/// A selector of the current constructor constrains only that field.
pub(super) fn selector(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let OpKind::Selector(_, number, field) = site.arena.op(site.op).kind else { return site.none() };
    site.first(|| {
        let Some(Value::Data(data)) = site.value(0) else { return None };
        if data.constructor != number || site.wanted.is_deeper_than(MOST_LEVELS) {
            return None;
        }
        let mut fields = vec![Abstract::Any; data.fields.items.len()];
        *fields.get_mut(field as usize)? = site.wanted.clone();
        Some(Abstract::Made { constructor: number, fields: fields.into() })
    })
}

/// A tester constrains the constructor and none of the fields.
pub(super) fn tester(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let OpKind::Tester(_, number) = site.arena.op(site.op).kind else { return site.none() };
    site.first(|| {
        if !site.wanted_bool()? {
            return Some(Abstract::MadeOtherwise(number));
        }
        let Some(Value::Data(data)) = site.value(0) else { return None };
        let fields = vec![Abstract::Any; data.fields.items.len()];
        Some(Abstract::Made { constructor: number, fields: fields.into() })
    })
}
