//! Eliminates a real variable by virtual substitution: it suffices to try a number below all others, and for each comparison the
//! point where it starts to hold, or a number just above that point.
//!
//! The comparisons must be linear in the variable. Its coefficient may contain other variables; then the point exists only where
//! the coefficient is not zero.

use std::collections::BTreeSet;

use super::formula::{FALSE, Formula, Kinds, Relation, TRUE};
use super::polynomial::{Polynomial, Variable};

/// A point `numerator / denominator`, or a number just above it.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Point {
    numerator: Polynomial,
    /// Not constant, or else one.
    denominator: Polynomial,
    above: bool,
}

/// Whether every comparison is linear in a variable, and its coefficients are constant.
pub(super) fn is_linear(formula: &Formula, variable: Variable) -> Option<bool> {
    let (mut linear, mut constant) = (true, true);
    formula.for_each_atom(&mut |atom| match atom {
        Formula::Sign(_, of) if of.mentions(variable) => {
            let coefficients = of.coefficients(variable);
            linear &= coefficients.len() <= 2;
            constant &= coefficients.last().is_some_and(|last| last.as_constant().is_some());
        }
        Formula::Divides(_, _, of) if of.mentions(variable) => linear = false,
        _ => {}
    });
    linear.then_some(constant)
}

/// `(exists ((x Real)) formula)` without the quantifier, for a formula that is linear in the variable. `spend` bounds the work.
pub(super) fn eliminate(
    kinds: &Kinds,
    variable: Variable,
    formula: &Formula,
    spend: &mut impl FnMut(u64) -> Option<()>,
) -> Option<Formula> {
    let mut points = BTreeSet::new();
    let mut failed = false;
    formula.for_each_atom(&mut |atom| {
        if let Formula::Sign(relation, of) = atom
            && of.mentions(variable)
        {
            match start(variable, *relation, of) {
                Some(Some(point)) => {
                    points.insert(point);
                }
                Some(None) => {}
                None => failed = true,
            }
        }
    });
    if failed {
        return None;
    }
    let size = formula.size();
    spend(size)?;
    let mut found = vec![formula.map_atoms(&mut |atom| below_all(kinds, variable, atom))?];
    for point in points {
        if found.last() == Some(&TRUE) {
            return Some(TRUE);
        }
        // Products of polynomials cost more than sums.
        let products = (point.numerator.size() * point.denominator.size()).max(1) as u64;
        spend(size.saturating_mul(products))?;
        let at = formula.map_atoms(&mut |atom| at_point(kinds, variable, &point, atom))?;
        let exists = Formula::sign(kinds, Relation::Distinct, point.denominator.clone())?;
        found.push(at.and(exists));
    }
    Some(Formula::join(false, found))
}

/// Where a comparison starts to hold as the variable grows. `Some(None)` if it only ends.
fn start(variable: Variable, relation: Relation, of: &Polynomial) -> Option<Option<Point>> {
    let coefficients = of.coefficients(variable);
    let [rest, factor] = &coefficients[..] else { return None };
    let above = matches!(relation, Relation::Less | Relation::Distinct);
    match factor.as_constant() {
        // `factor * x + rest <= 0` with a positive factor is an upper bound.
        Some(factor) if factor.signum() > 0 && matches!(relation, Relation::Less | Relation::AtMost) => {
            Some(None)
        }
        Some(factor) => {
            let numerator = rest.scaled(&factor.inverse().ok()?.neg())?;
            Some(Some(Point { numerator, denominator: one(), above }))
        }
        None => Some(Some(Point { numerator: rest.neg(), denominator: factor.clone(), above })),
    }
}

fn one() -> Polynomial {
    Polynomial::constant(crate::value::rational::Rational::ONE)
}

/// The coefficient of the variable, and the rest.
fn split(variable: Variable, of: &Polynomial) -> Option<(Polynomial, Polynomial)> {
    match &of.coefficients(variable)[..] {
        [rest, factor] => Some((factor.clone(), rest.clone())),
        _ => None,
    }
}

/// An atom for a variable below all points.
fn below_all(kinds: &Kinds, variable: Variable, atom: &Formula) -> Option<Formula> {
    let Formula::Sign(relation, of) = atom else { return Some(atom.clone()) };
    if !of.mentions(variable) {
        return Some(atom.clone());
    }
    let (factor, rest) = split(variable, of)?;
    let sign = |relation, of: &Polynomial| Formula::sign(kinds, relation, of.clone());
    let flat = sign(Relation::Equal, &factor)?.and(sign(*relation, &rest)?);
    match relation {
        Relation::Equal => Some(flat),
        Relation::Distinct => Some(sign(Relation::Distinct, &factor)?.or(flat)),
        Relation::Less | Relation::AtMost => Some(sign(Relation::Less, &factor.neg())?.or(flat)),
    }
}

/// An atom for a variable at a point, or just above it.
fn at_point(kinds: &Kinds, variable: Variable, point: &Point, atom: &Formula) -> Option<Formula> {
    let Formula::Sign(relation, of) = atom else { return Some(atom.clone()) };
    if !of.mentions(variable) {
        return Some(atom.clone());
    }
    let (factor, rest) = split(variable, of)?;
    // The value at the point, times the square of the denominator.
    let value = if point.denominator == one() {
        factor.mul(&point.numerator)?.add(&rest)?
    } else {
        let whole = factor.mul(&point.numerator)?.add(&rest.mul(&point.denominator)?)?;
        whole.mul(&point.denominator)?
    };
    let sign = |relation, of: &Polynomial| Formula::sign(kinds, relation, of.clone());
    if !point.above {
        return sign(*relation, &value);
    }
    let zero = sign(Relation::Equal, &value)?;
    match relation {
        Relation::Equal => Some(zero.and(sign(Relation::Equal, &factor)?)),
        Relation::Distinct => Some(sign(Relation::Distinct, &value)?.or(sign(Relation::Distinct, &factor)?)),
        // The value decides; if it is zero, the slope does.
        Relation::Less | Relation::AtMost => {
            let slope = if zero == FALSE { FALSE } else { sign(*relation, &factor)? };
            Some(sign(Relation::Less, &value)?.or(zero.and(slope)))
        }
    }
}
