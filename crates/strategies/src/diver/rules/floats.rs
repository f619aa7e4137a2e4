//! Floating point: comparisons and classes. Arithmetic rounds, so its arguments keep their values.

use super::{Rules, Site};
use crate::diver::domain::{Abstract, Floats};
use semantics::Value;
use semantics::value::float::Float;

pub(super) const RULES: Rules = &[
    ("fp.leq", |site| comparison(site, false, false)),
    ("fp.lt", |site| comparison(site, false, true)),
    ("fp.geq", |site| comparison(site, true, false)),
    ("fp.gt", |site| comparison(site, true, true)),
    ("fp.eq", equality),
    ("fp.isNaN", is_nan),
    ("fp.isInfinite", is_infinite),
    ("fp.isZero", is_zero),
    ("fp.isNegative", |site| sign(site, true)),
    ("fp.isPositive", |site| sign(site, false)),
    ("fp.neg", negation),
];
pub(super) const CURRENT: &[&str] = &[
    "fp",
    "fp.abs",
    "fp.add",
    "fp.sub",
    "fp.mul",
    "fp.div",
    "fp.fma",
    "fp.sqrt",
    "fp.roundToIntegral",
    "fp.rem",
    "fp.min",
    "fp.max",
    "fp.min_i",
    "fp.max_i",
    "fp.isNormal",
    "fp.isSubnormal",
    "fp.to_ubv",
    "fp.to_sbv",
    "fp.to_real",
    "fp.to_ieee_bv",
    "to_fp",
    "to_fp_unsigned",
    "to_fp_bv",
    "to_fp_fp",
    "to_fp_real",
    "to_fp_signed",
];

fn float<'a>(site: &'a Site<'_>, at: usize) -> Option<&'a Float> {
    match site.value(at)? {
        Value::Float(float) => Some(float),
        _ => None,
    }
}

fn comparison(site: &Site<'_>, descending: bool, strict: bool) -> Vec<Option<Abstract>> {
    let Some(wanted) = site.wanted_bool() else { return site.none() };
    if site.args.len() != 2 {
        return site.none();
    }
    site.each(|at| {
        let other = float(site, 1 - at)?;
        if other.is_nan() {
            // Nothing is comparable with NaN.
            return (!wanted).then_some(Abstract::Any);
        }
        let smaller = ((at == 0) != descending) == wanted;
        let strict = strict == wanted;
        let nan = !wanted;
        let floats =
            if smaller { Floats::up_to(other, strict, nan) } else { Floats::from(other, strict, nan) };
        Some(Abstract::Floats(floats))
    })
}

fn equality(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let Some(wanted) = site.wanted_bool() else { return site.none() };
    if site.args.len() != 2 {
        return site.none();
    }
    site.each(|at| {
        let other = float(site, 1 - at)?;
        if other.is_nan() {
            return (!wanted).then_some(Abstract::Any);
        }
        if wanted {
            return Some(Abstract::Floats(Floats::same(other)));
        }
        // The numbers on this one's side, and NaN.
        let above = float(site, at)?.compare(other).is_none_or(|order| order.is_gt());
        let floats = if above { Floats::from(other, true, true) } else { Floats::up_to(other, true, true) };
        Some(Abstract::Floats(floats))
    })
}

fn is_nan(site: &Site<'_>) -> Vec<Option<Abstract>> {
    site.first(|| {
        let now = float(site, 0)?;
        match site.wanted_bool()? {
            true => None,
            false => Some(Abstract::Floats(Floats::numbers(now))),
        }
    })
}

fn is_infinite(site: &Site<'_>) -> Vec<Option<Abstract>> {
    site.first(|| {
        let now = float(site, 0)?;
        if site.wanted_bool()? {
            return None;
        }
        let numbers = Floats::numbers(now);
        let (low, high) = ((numbers.low.0.clone(), true), (numbers.high.0.clone(), true));
        Some(Abstract::Floats(Floats { low, high, nan: true }))
    })
}

fn is_zero(site: &Site<'_>) -> Vec<Option<Abstract>> {
    site.first(|| {
        let now = float(site, 0)?;
        let zero = Float::zero(now.format(), false);
        if site.wanted_bool()? {
            return Some(Abstract::Floats(Floats::same(&zero)));
        }
        let above = !now.is_negative();
        let floats = if above { Floats::from(&zero, true, true) } else { Floats::up_to(&zero, true, true) };
        Some(Abstract::Floats(floats))
    })
}

/// The order does not show the sign of a zero, so zeros are excluded.
fn sign(site: &Site<'_>, negative: bool) -> Vec<Option<Abstract>> {
    site.first(|| {
        let now = float(site, 0)?;
        if now.is_zero() {
            return None;
        }
        let wanted = site.wanted_bool()?;
        let zero = Float::zero(now.format(), false);
        let below = negative == wanted;
        // NaN is neither.
        let floats =
            if below { Floats::up_to(&zero, true, !wanted) } else { Floats::from(&zero, true, !wanted) };
        Some(Abstract::Floats(floats))
    })
}

fn negation(site: &Site<'_>) -> Vec<Option<Abstract>> {
    site.first(|| match site.wanted {
        Abstract::Floats(floats) => Some(Abstract::Floats(floats.neg())),
        Abstract::Except(values) => {
            let back = values.iter().map(|value| match value {
                Value::Float(float) => Some(Value::float(float.neg())),
                _ => None,
            });
            back.collect::<Option<_>>().map(Abstract::except)
        }
        _ => None,
    })
}
