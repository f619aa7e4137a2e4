//! Integers and reals.

use super::{Rules, Site};
use crate::diver::domain::{Abstract, Interval, number};
use semantics::Value;
use semantics::value::limits::Limits;
use semantics::value::rational::Rational;
use semantics::value::real::Real;
use smt::Sort;

pub(super) const RULES: Rules = &[
    ("<=", |site| comparison(site, false, false)),
    ("<", |site| comparison(site, false, true)),
    (">=", |site| comparison(site, true, false)),
    (">", |site| comparison(site, true, true)),
    ("+", plus),
    ("-", minus),
    ("*", times),
    ("/", quotient),
    ("div", division),
    ("abs", absolute),
    ("to_real", to_real),
    ("to_int", to_int),
];
pub(super) const CURRENT: &[&str] =
    &["mod", "rem", "is_int", "divisible", "^", "iand", "piand", "int.pow2", "int.log2", "int.ispow2"];

fn zero() -> Real {
    Real::Rational(Rational::from(0))
}

/// Whether two neighbours are in order.
fn ordered(left: &Real, right: &Real, descending: bool, strict: bool) -> bool {
    let (small, great) = if descending { (right, left) } else { (left, right) };
    if strict { small < great } else { small <= great }
}

/// The numbers allowed next to `bound`, on its greater or smaller side.
fn beside(site: &Site<'_>, at: usize, bound: &Real, greater: bool, strict: bool) -> Option<Interval> {
    match (greater, strict) {
        (true, false) => Some(Interval::from(bound.clone())),
        (false, false) => Some(Interval::up_to(bound.clone())),
        (_, true) => {
            let (now, integers) = (site.number(at)?, site.sort(at) == Sort::INT);
            if greater {
                Interval::above(bound, &now, integers, site.limits)
            } else {
                Interval::below(bound, &now, integers, site.limits)
            }
        }
    }
}

fn comparison(site: &Site<'_>, descending: bool, strict: bool) -> Vec<Option<Abstract>> {
    let Some(wanted) = site.wanted_bool() else { return site.none() };
    let count = site.args.len();
    if wanted {
        return site.each(|at| {
            let mut all = Interval { low: None, high: None };
            if at > 0 {
                all = all.and(&beside(site, at, &site.number(at - 1)?, !descending, strict)?);
            }
            if at + 1 < count {
                all = all.and(&beside(site, at, &site.number(at + 1)?, descending, strict)?);
            }
            Some(Abstract::range(all))
        });
    }
    let broken = |at: usize| match (site.number(at), site.number(at + 1)) {
        (Some(left), Some(right)) => !ordered(&left, &right, descending, strict),
        _ => false,
    };
    site.each(|at| {
        // Another pair out of order already makes the whole false.
        if (0..count.saturating_sub(1)).any(|pair| pair != at && pair + 1 != at && broken(pair)) {
            return Some(Abstract::Any);
        }
        if count != 2 {
            return None;
        }
        let bound = site.number(1 - at)?;
        let greater = (at == 0) != descending;
        beside(site, at, &bound, greater, !strict).map(Abstract::range)
    })
}

/// The exactly known set of a number.
enum Numbers {
    Range(Interval),
    Except(Vec<Real>),
}

fn wanted_numbers(site: &Site<'_>) -> Option<Numbers> {
    match site.wanted {
        Abstract::Range(interval) => Some(Numbers::Range(interval.clone())),
        Abstract::Except(values) => values.iter().map(number).collect::<Option<_>>().map(Numbers::Except),
        _ => None,
    }
}

/// A real number as a value of a sort; `None` for a fraction at sort Int.
pub(in crate::diver) fn value_of(number: &Real, sort: Sort) -> Option<Value> {
    if sort == Sort::INT {
        return number.as_rational()?.to_integer().map(Value::Int);
    }
    Some(Value::real(number.clone()))
}

impl Numbers {
    /// The preimage under a monotone operation. `back` inverts the operation.
    fn before(
        &self,
        interval: impl Fn(&Interval) -> Option<Interval>,
        back: impl Fn(&Real) -> Option<Real>,
        sort: Sort,
    ) -> Option<Abstract> {
        match self {
            Numbers::Range(range) => {
                let range = interval(range)?;
                Some(Abstract::range(if sort == Sort::INT { range.integers() } else { range }))
            }
            Numbers::Except(numbers) => {
                let back: Vec<Real> = numbers.iter().map(back).collect::<Option<_>>()?;
                // A fraction is not an integer, so nothing has to be excluded.
                Some(Abstract::except(back.iter().filter_map(|number| value_of(number, sort)).collect()))
            }
        }
    }
}

fn sum(numbers: impl Iterator<Item = Option<Real>>, limits: &Limits) -> Option<Real> {
    let mut sum = zero();
    for number in numbers {
        sum = sum.add(&number?, limits).ok()?;
    }
    Some(sum)
}

fn plus(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let Some(wanted) = wanted_numbers(site) else { return site.none() };
    let limits = site.limits;
    let total = sum((0..site.args.len()).map(|at| site.number(at)), limits);
    site.each(|at| {
        let others = match &total {
            Some(total) => total.sub(&site.number(at)?, limits).ok()?,
            None => sum((0..site.args.len()).filter(|&o| o != at).map(|o| site.number(o)), limits)?,
        };
        let back = others.neg();
        wanted.before(|range| range.shifted(&back, limits), |n| n.add(&back, limits).ok(), site.sort(at))
    })
}

fn minus(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let Some(wanted) = wanted_numbers(site) else { return site.none() };
    let limits = site.limits;
    if site.args.len() == 1 {
        return vec![wanted.before(|range| Some(range.neg()), |n| Some(n.neg()), site.sort(0))];
    }
    site.each(|at| {
        let taken = sum((1..site.args.len()).filter(|&o| o != at).map(|o| site.number(o)), limits)?;
        if at == 0 {
            return wanted.before(
                |range| range.shifted(&taken, limits),
                |n| n.add(&taken, limits).ok(),
                site.sort(0),
            );
        }
        // first - taken - x = n if and only if x = first - taken - n
        let left = site.number(0)?.sub(&taken, limits).ok()?;
        wanted.before(|range| range.neg().shifted(&left, limits), |n| left.sub(n, limits).ok(), site.sort(at))
    })
}

fn times(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let Some(wanted) = wanted_numbers(site) else { return site.none() };
    let limits = site.limits;
    site.each(|at| {
        let mut factor = Real::Rational(Rational::from(1));
        for other in (0..site.args.len()).filter(|&other| other != at) {
            factor = factor.mul(&site.number(other)?, limits).ok()?;
        }
        if factor.is_zero() {
            // The product stays zero, which is allowed because it is zero now.
            return Some(Abstract::Any);
        }
        let back = factor.inverse(limits).ok()?;
        wanted.before(|range| range.times(&back, limits), |n| n.mul(&back, limits).ok(), site.sort(at))
    })
}

fn quotient(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let limits = site.limits;
    site.first(|| {
        let wanted = wanted_numbers(site)?;
        let mut divisor = Real::Rational(Rational::from(1));
        for other in 1..site.args.len() {
            let number = site.number(other).filter(|number| !number.is_zero())?;
            divisor = divisor.mul(&number, limits).ok()?;
        }
        wanted.before(|range| range.times(&divisor, limits), |n| n.mul(&divisor, limits).ok(), site.sort(0))
    })
}

fn division(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let limits = site.limits;
    site.first(|| {
        let Abstract::Range(range) = site.wanted else { return None };
        let divisor = site.number(1).filter(|divisor| !divisor.is_zero() && site.args.len() == 2)?;
        // x div -c = -(x div c)
        let range = if divisor.signum() < 0 { range.neg() } else { range.clone() }.integers();
        let size = divisor.abs();
        let rest = size.sub(&Real::Rational(Rational::from(1)), limits).ok()?;
        let mut scaled = range.times(&size, limits)?;
        scaled.high = match scaled.high {
            Some(high) => Some(high.add(&rest, limits).ok()?),
            None => None,
        };
        Some(Abstract::range(scaled))
    })
}

fn absolute(site: &Site<'_>) -> Vec<Option<Abstract>> {
    site.first(|| {
        let now = site.number(0)?;
        match site.wanted {
            Abstract::Range(range) => {
                let low = range.low.clone().filter(|low| low.signum() > 0);
                let upper = Interval { low: low.clone(), high: range.high.clone() };
                Some(Abstract::range(match low {
                    // From zero on, both signs form one interval.
                    None => Interval { low: range.high.as_ref().map(Real::neg), high: range.high.clone() },
                    Some(_) if now.signum() < 0 => upper.neg(),
                    Some(_) => upper,
                }))
            }
            Abstract::Except(values) => {
                let numbers: Vec<Real> = values.iter().map(number).collect::<Option<_>>()?;
                let both = numbers.iter().flat_map(|number| [number.clone(), number.neg()]);
                Some(Abstract::except(both.filter_map(|number| value_of(&number, site.sort(0))).collect()))
            }
            _ => None,
        }
    })
}

fn to_real(site: &Site<'_>) -> Vec<Option<Abstract>> {
    let wanted = wanted_numbers(site);
    site.each(|at| wanted.as_ref()?.before(|range| Some(range.clone()), |n| Some(n.clone()), site.sort(at)))
}

fn to_int(site: &Site<'_>) -> Vec<Option<Abstract>> {
    site.first(|| {
        let Abstract::Range(range) = site.wanted else { return None };
        if site.sort(0) == Sort::INT {
            return Some(Abstract::range(range.clone()));
        }
        let (now, range) = (site.number(0)?, range.integers());
        let high = match &range.high {
            Some(high) => {
                let next = high.add(&Real::Rational(Rational::from(1)), site.limits).ok()?;
                Interval::below(&next, &now, false, site.limits)?.high
            }
            None => None,
        };
        Some(Abstract::range(Interval { low: range.low, high }))
    })
}
