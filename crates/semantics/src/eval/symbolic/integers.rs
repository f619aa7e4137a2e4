//! Eliminates an integer variable by Cooper's method: a formula that is linear in it holds for some integer if it holds for
//! arbitrarily small ones, or close above one of its lower bounds. *Close* means within the period of its divisibility atoms.
//! If there are fewer upper bounds, the same is done from above.

use std::collections::BTreeSet;

use super::formula::{Formula, Kinds, Relation, TRUE};
use super::polynomial::{LIMITS, Polynomial, Variable, lcm};
use crate::value::integer::Int;
use crate::value::rational::Rational;

/// The longest period of divisibility.
const MAX_PERIOD: u64 = 5_000;

/// Whether a formula is linear in an integer variable, with constant coefficients and without real variables beside it.
pub(super) fn is_linear(kinds: &Kinds, formula: &Formula, variable: Variable) -> bool {
    let mut linear = true;
    formula.for_each_atom(&mut |atom| match atom {
        Formula::Sign(_, of) | Formula::Divides(_, _, of) if of.mentions(variable) => {
            let coefficients = of.coefficients(variable);
            linear &= coefficients.len() <= 2
                && coefficients.last().is_some_and(|last| last.as_constant().is_some())
                && of.variables().iter().all(|&variable| kinds.is_integer(variable));
        }
        _ => {}
    });
    linear
}

/// `(exists ((x Int)) formula)` without the quantifier. `spend` bounds the work.
pub(super) fn eliminate(
    kinds: &Kinds,
    variable: Variable,
    formula: &Formula,
    spend: &mut impl FnMut(u64) -> Option<()>,
) -> Option<Formula> {
    let formula = with_unit_coefficients(variable, formula)?;
    let (mut lower, mut upper) = (BTreeSet::new(), BTreeSet::new());
    let mut period = Some(Int::ONE);
    let mut failed = false;
    formula.for_each_atom(&mut |atom| match atom {
        Formula::Sign(relation, of) if of.mentions(variable) => {
            failed |= bounds(variable, *relation, of, &mut lower, &mut upper).is_none();
        }
        Formula::Divides(_, divisor, of) if of.mentions(variable) => {
            period = period.as_ref().and_then(|period| lcm(period, divisor));
        }
        _ => {}
    });
    let period = period?.to_u64().filter(|&period| period <= MAX_PERIOD)?;
    if failed {
        return None;
    }
    let from_below = lower.len() <= upper.len();
    let size = formula.size();
    spend(size)?;
    let mut found = Vec::new();
    let extreme = formula.map_atoms(&mut |atom| beyond(variable, from_below, atom))?;
    let bounds = if from_below { lower } else { upper };
    for step in 1..=period {
        if step > 1 && !extreme.mentions(variable) {
            break;
        }
        spend(extreme.size())?;
        let number = Polynomial::constant(Rational::from(Int::from(step)));
        match extreme.substitute(kinds, variable, &number)? {
            Formula::Constant(true) => return Some(TRUE),
            part => found.push(part),
        }
    }
    for bound in bounds {
        for step in 1..=period {
            spend(size)?;
            let step = Rational::from(Int::from(step));
            let step = Polynomial::constant(if from_below { step } else { step.neg() });
            match formula.substitute(kinds, variable, &bound.add(&step)?)? {
                Formula::Constant(true) => return Some(TRUE),
                part => found.push(part),
            }
        }
    }
    Some(Formula::join(false, found))
}

/// The coefficient of a variable, which is constant.
fn coefficient(of: &Polynomial, variable: Variable) -> Option<Int> {
    of.coefficients(variable).get(1)?.as_constant()?.to_integer()
}

/// An equivalent formula in which the variable has the coefficient 1 or -1: with the least common multiple `m` of the
/// coefficients, the variable stands for `m` times its former value.
fn with_unit_coefficients(variable: Variable, formula: &Formula) -> Option<Formula> {
    let mut multiple = Some(Int::ONE);
    formula.for_each_atom(&mut |atom| {
        if let Formula::Sign(_, of) | Formula::Divides(_, _, of) = atom
            && of.mentions(variable)
        {
            let factor = coefficient(of, variable).filter(|_| of.is_integral());
            multiple = multiple.as_ref().and_then(|multiple| lcm(multiple, &factor?.abs()));
        }
    });
    let multiple = multiple?;
    if multiple == Int::ONE {
        return Some(formula.clone());
    }
    let changed = formula.map_atoms(&mut |atom| {
        let (Formula::Sign(_, of) | Formula::Divides(_, _, of)) = atom else { return Some(atom.clone()) };
        if !of.mentions(variable) {
            return Some(atom.clone());
        }
        let own = coefficient(of, variable)?;
        let factor = multiple.div(&own.abs()).ok()?;
        let scaled = of.scaled(&Rational::from(factor.clone()))?;
        let unit = Rational::from(i64::from(own.signum()));
        let rest = scaled.coefficients(variable).swap_remove(0);
        let unit = Polynomial::variable(variable).scaled(&unit)?.add(&rest)?;
        // Not simplified: the comparison must keep its unit coefficient.
        Some(match atom {
            Formula::Divides(positive, divisor, _) => {
                Formula::Divides(*positive, divisor.mul(&factor, &LIMITS).ok()?, unit)
            }
            Formula::Sign(relation, _) => Formula::Sign(*relation, unit),
            other => other.clone(),
        })
    })?;
    Some(changed.and(Formula::divides(&multiple, &Polynomial::variable(variable))?))
}

/// Adds the bounds of a comparison: every lower bound is one below the least value, every upper bound one above the greatest.
fn bounds(
    variable: Variable,
    relation: Relation,
    of: &Polynomial,
    lower: &mut BTreeSet<Polynomial>,
    upper: &mut BTreeSet<Polynomial>,
) -> Option<()> {
    let parts = of.coefficients(variable);
    let sign = coefficient(of, variable)?.signum();
    // The comparison changes where the variable equals this.
    let root = if sign > 0 { parts[0].neg() } else { parts[0].clone() };
    let one = Polynomial::constant(Rational::ONE);
    let (below, above) = (root.sub(&one)?, root.add(&one)?);
    match relation {
        Relation::AtMost if sign > 0 => {
            upper.insert(above);
        }
        Relation::AtMost => {
            lower.insert(below);
        }
        Relation::Less if sign > 0 => {
            upper.insert(root);
        }
        Relation::Less => {
            lower.insert(root);
        }
        Relation::Equal => {
            lower.insert(below);
            upper.insert(above);
        }
        Relation::Distinct => {
            lower.insert(root.clone());
            upper.insert(root);
        }
    }
    Some(())
}

/// An atom for a variable below all bounds, or above all. Divisibility stays.
fn beyond(variable: Variable, below: bool, atom: &Formula) -> Option<Formula> {
    match atom {
        Formula::Sign(relation, of) if of.mentions(variable) => {
            let rising = coefficient(of, variable)?.signum() > 0;
            Some(Formula::Constant(match relation {
                Relation::Equal => false,
                Relation::Distinct => true,
                Relation::Less | Relation::AtMost => rising == below,
            }))
        }
        atom => Some(atom.clone()),
    }
}
