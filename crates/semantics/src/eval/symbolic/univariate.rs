//! Decides a quantifier whose variable is the only one left: between the roots of its polynomials, every comparison keeps its
//! truth value.

use super::formula::{Formula, Relation};
use super::polynomial::{LIMITS, Polynomial, Variable, lcm};
use crate::value::algebraic::Algebraic;
use crate::value::integer::Int;
use crate::value::rational::Rational;
use crate::value::real::Real;

/// The most roots of all polynomials together.
const MAX_ROOTS: usize = 500;
/// The longest period of divisibility.
const MAX_PERIOD: u64 = 2_000;
/// How often the gap between two roots is halved in search of a rational number inside.
const MAX_HALVINGS: u32 = 200;

/// Whether a formula holds for some real number, or some integer. It must not mention other variables.
pub(super) fn decide(
    variable: Variable,
    integer: bool,
    formula: &Formula,
    spend: &mut impl FnMut(u64) -> Option<()>,
) -> Option<bool> {
    let (mut polynomials, mut period) = (std::collections::BTreeSet::new(), Some(Int::ONE));
    formula.for_each_atom(&mut |atom| match atom {
        Formula::Sign(_, of) => {
            polynomials.insert(of.clone());
        }
        Formula::Divides(_, divisor, _) => {
            period = period.as_ref().and_then(|period| lcm(period, divisor));
        }
        _ => {}
    });
    let mut roots: Vec<Real> = Vec::new();
    for polynomial in &polynomials {
        // Finding the roots of a polynomial costs far more than a substitution.
        let degree = polynomial.coefficients(variable).len() as u64;
        spend(if degree <= 2 { 10 } else { 200 * degree })?;
        for root in roots_of(variable, polynomial)? {
            match place(&roots, &root)? {
                Ok(_) => {}
                Err(at) => roots.insert(at, root),
            }
        }
        if roots.len() > MAX_ROOTS {
            return None;
        }
    }
    let size = formula.size();
    let mut try_point = |point: &Real| -> Option<bool> {
        spend(if point.as_rational().is_some() { size } else { size.saturating_mul(100) })?;
        holds(variable, formula, point)
    };
    if integer {
        let period = period?.to_u64().filter(|&period| period <= MAX_PERIOD)? as i64;
        return any_integer(&roots, period, &mut try_point);
    }
    for point in samples(&roots)?.iter().chain(&roots) {
        if try_point(point)? {
            return Some(true);
        }
    }
    Some(false)
}

/// Tries the integers at the roots, a whole period after each, and one before all.
fn any_integer(
    roots: &[Real],
    period: i64,
    try_point: &mut impl FnMut(&Real) -> Option<bool>,
) -> Option<bool> {
    let mut tried = std::collections::BTreeSet::new();
    let first = roots.first().map_or(Int::ZERO, Real::floor);
    let mut points: Vec<Int> = (1..=period).map(|step| first.sub(&Int::from(step))).collect();
    points.push(first);
    for root in roots {
        let floor = root.floor();
        points.extend((0..=period).map(|step| floor.add(&Int::from(step))));
    }
    if roots.is_empty() {
        points.extend((0..period).map(Int::from));
    }
    for point in points {
        if tried.insert(point.clone()) && try_point(&Real::Rational(Rational::from(point)))? {
            return Some(true);
        }
    }
    Some(false)
}

/// Where a number is, or belongs, in an ascending list. `None` if a comparison costs too much.
fn place(sorted: &[Real], number: &Real) -> Option<Result<usize, usize>> {
    let (mut low, mut high) = (0, sorted.len());
    while low < high {
        let middle = (low + high) / 2;
        match sorted[middle].compare(number, &LIMITS).ok()? {
            std::cmp::Ordering::Equal => return Some(Ok(middle)),
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    Some(Err(low))
}

/// The real roots of a polynomial in one variable, in ascending order.
fn roots_of(variable: Variable, polynomial: &Polynomial) -> Option<Vec<Real>> {
    let coefficients: Option<Vec<Rational>> =
        polynomial.coefficients(variable).iter().map(Polynomial::as_constant).collect();
    let coefficients = coefficients?;
    match &coefficients[..] {
        [] | [_] => Some(Vec::new()),
        [rest, factor] => Some(vec![Real::Rational(rest.neg().div(factor, &LIMITS).ok()?)]),
        _ => {
            let mut roots = Vec::new();
            while let Some(root) =
                Algebraic::root_by_index(&coefficients, roots.len() as u64 + 1, &LIMITS).ok()?
            {
                roots.push(root);
            }
            Some(roots)
        }
    }
}

/// A rational number in each interval between and outside the roots.
fn samples(roots: &[Real]) -> Option<Vec<Real>> {
    let (Some(first), Some(last)) = (roots.first(), roots.last()) else { return Some(vec![Real::ZERO]) };
    let mut found = vec![first.floor().sub(&Int::ONE), last.floor().add(&Int::ONE)]
        .into_iter()
        .map(|number| Real::Rational(Rational::from(number)))
        .collect::<Vec<_>>();
    for pair in roots.windows(2) {
        found.push(between(&pair[0], &pair[1])?);
    }
    Some(found)
}

/// A rational number between two others.
fn between(low: &Real, high: &Real) -> Option<Real> {
    let mut scale = Rational::ONE;
    for _ in 0..MAX_HALVINGS {
        let scaled = low.mul(&Real::Rational(scale.clone()), &LIMITS).ok()?;
        let above = Rational::from(scaled.floor().add(&Int::ONE));
        let number = Real::Rational(above.div(&scale, &LIMITS).ok()?);
        if number.compare(high, &LIMITS).ok()?.is_lt() {
            return Some(number);
        }
        scale = scale.mul(&Rational::from(2), &LIMITS).ok()?;
    }
    None
}

/// Whether a formula holds at a point.
fn holds(variable: Variable, formula: &Formula, point: &Real) -> Option<bool> {
    match formula {
        Formula::Constant(value) => Some(*value),
        Formula::Sign(relation, of) => {
            let value = value_at(variable, of, point)?;
            Some(Relation::holds(*relation, value.signum()))
        }
        Formula::Divides(positive, divisor, of) => {
            let value = value_at(variable, of, point)?.as_rational()?.to_integer()?;
            Some(value.divisible(divisor) == *positive)
        }
        Formula::And(parts) => {
            for part in parts.iter() {
                if !holds(variable, part, point)? {
                    return Some(false);
                }
            }
            Some(true)
        }
        Formula::Or(parts) => {
            for part in parts.iter() {
                if holds(variable, part, point)? {
                    return Some(true);
                }
            }
            Some(false)
        }
        Formula::Quantified { .. } => None,
    }
}

fn value_at(variable: Variable, of: &Polynomial, point: &Real) -> Option<Real> {
    let mut value = Real::ZERO;
    for coefficient in of.coefficients(variable).iter().rev() {
        let coefficient = Real::Rational(coefficient.as_constant()?);
        value = value.mul(point, &LIMITS).ok()?.add(&coefficient, &LIMITS).ok()?;
    }
    Some(value)
}
