//! Formulas over the signs and divisibility of polynomials.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::polynomial::{LIMITS, Polynomial, Variable};
use crate::value::integer::Int;
use crate::value::rational::Rational;

/// How a polynomial compares with zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Relation {
    Less,
    AtMost,
    Equal,
    Distinct,
}

impl Relation {
    /// Whether it holds for a number with this sign.
    pub(super) fn holds(self, sign: i32) -> bool {
        match self {
            Relation::Less => sign < 0,
            Relation::AtMost => sign <= 0,
            Relation::Equal => sign == 0,
            Relation::Distinct => sign != 0,
        }
    }
}

/// A formula in negation normal form. Build it with the functions of this file, which simplify.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Formula {
    Constant(bool),
    /// The polynomial is in this relation to zero.
    Sign(Relation, Polynomial),
    /// Whether an integer greater than one divides a polynomial with integer coefficients in integer variables.
    Divides(bool, Int, Polynomial),
    And(Arc<[Formula]>),
    Or(Arc<[Formula]>),
    Quantified {
        exists: bool,
        variable: Variable,
        body: Arc<Formula>,
    },
}

pub(super) const TRUE: Formula = Formula::Constant(true);
pub(super) const FALSE: Formula = Formula::Constant(false);

/// Which variables are integers; the others are reals.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinds {
    integer: Vec<bool>,
}

impl Kinds {
    pub(super) fn fresh(&mut self, integer: bool) -> Variable {
        self.integer.push(integer);
        self.integer.len() as Variable - 1
    }

    pub(super) fn is_integer(&self, variable: Variable) -> bool {
        self.integer.get(variable as usize).copied().unwrap_or(false)
    }

    fn all_integers(&self, polynomial: &Polynomial) -> bool {
        polynomial.variables().iter().all(|&variable| self.is_integer(variable))
    }
}

impl Formula {
    /// The comparison of a polynomial with zero, in normal form.
    pub(super) fn sign(kinds: &Kinds, relation: Relation, polynomial: Polynomial) -> Option<Formula> {
        if let Some(value) = polynomial.as_constant() {
            return Some(Formula::Constant(relation.holds(value.signum())));
        }
        if kinds.all_integers(&polynomial) {
            return integer_sign(relation, &polynomial);
        }
        let leading = polynomial.leading();
        let symmetric = matches!(relation, Relation::Equal | Relation::Distinct);
        let factor = if symmetric { leading.inverse().ok()? } else { leading.abs().inverse().ok()? };
        Some(Formula::Sign(relation, polynomial.scaled(&factor)?))
    }

    /// Whether a positive integer divides a polynomial with integer coefficients.
    pub(super) fn divides(divisor: &Int, polynomial: &Polynomial) -> Option<Formula> {
        if divisor.signum() <= 0 || !polynomial.is_integral() {
            return None;
        }
        if *divisor == Int::ONE {
            return Some(TRUE);
        }
        // Coefficients matter only up to multiples of the divisor.
        let mut reduced = Polynomial::constant(Rational::ZERO);
        for (monomial, value) in polynomial.parts() {
            let value = value.numerator().modulo(divisor).ok()?;
            reduced = reduced.add(&monomial.scaled(&Rational::from(value))?)?;
        }
        if let Some(value) = reduced.as_constant() {
            return Some(Formula::Constant(value.is_zero()));
        }
        let common = reduced.content().gcd(divisor);
        let divisor = divisor.div(&common).ok()?;
        let reduced = reduced.scaled(&Rational::from(common).inverse().ok()?)?;
        if divisor == Int::ONE {
            return Some(TRUE);
        }
        Some(Formula::Divides(true, divisor, reduced))
    }

    /// The negation.
    pub(super) fn not(&self, kinds: &Kinds) -> Formula {
        match self {
            Formula::Constant(value) => Formula::Constant(!value),
            Formula::Sign(Relation::AtMost, of) if kinds.all_integers(of) => {
                let above = Formula::sign(kinds, Relation::Less, of.neg());
                above.unwrap_or_else(|| self.opposite())
            }
            Formula::Sign(..) | Formula::Divides(..) => self.opposite(),
            Formula::And(parts) => Formula::join(false, parts.iter().map(|part| part.not(kinds))),
            Formula::Or(parts) => Formula::join(true, parts.iter().map(|part| part.not(kinds))),
            Formula::Quantified { exists, variable, body } => {
                Formula::Quantified { exists: !exists, variable: *variable, body: Arc::new(body.not(kinds)) }
            }
        }
    }

    /// The negation of an atom, of the same polynomial.
    fn opposite(&self) -> Formula {
        match self {
            Formula::Sign(Relation::Equal, of) => Formula::Sign(Relation::Distinct, of.clone()),
            Formula::Sign(Relation::Distinct, of) => Formula::Sign(Relation::Equal, of.clone()),
            Formula::Sign(Relation::Less, of) => Formula::Sign(Relation::AtMost, of.neg()),
            Formula::Sign(Relation::AtMost, of) => Formula::Sign(Relation::Less, of.neg()),
            Formula::Divides(positive, divisor, of) => {
                Formula::Divides(!positive, divisor.clone(), of.clone())
            }
            other => other.clone(),
        }
    }

    /// The conjunction or disjunction of formulas.
    pub(super) fn join(conjunction: bool, parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = BTreeSet::new();
        for part in parts {
            match part {
                Formula::Constant(value) if value == conjunction => {}
                Formula::Constant(value) => return Formula::Constant(value),
                Formula::And(inner) if conjunction => flat.extend(inner.iter().cloned()),
                Formula::Or(inner) if !conjunction => flat.extend(inner.iter().cloned()),
                part => {
                    flat.insert(part);
                }
            }
        }
        let Some(flat) = with_tight_bounds(conjunction, flat) else {
            return Formula::Constant(!conjunction);
        };
        match flat.len() {
            0 => Formula::Constant(conjunction),
            1 => flat.into_iter().next().unwrap_or(TRUE),
            _ if conjunction => Formula::And(flat.into_iter().collect()),
            _ => Formula::Or(flat.into_iter().collect()),
        }
    }

    pub(super) fn and(self, other: Formula) -> Formula {
        Formula::join(true, [self, other])
    }

    pub(super) fn or(self, other: Formula) -> Formula {
        Formula::join(false, [self, other])
    }

    /// Whether two formulas have the same truth value.
    pub(super) fn iff(&self, other: &Formula, kinds: &Kinds) -> Formula {
        let both = self.clone().and(other.clone());
        both.or(self.not(kinds).and(other.not(kinds)))
    }

    /// The formula with a quantifier in front, unless it does not mention the variable.
    pub(super) fn exists(self, variable: Variable) -> Formula {
        if !self.mentions(variable) {
            return self;
        }
        Formula::Quantified { exists: true, variable, body: Arc::new(self) }
    }

    pub(super) fn mentions(&self, variable: Variable) -> bool {
        match self {
            Formula::Constant(_) => false,
            Formula::Sign(_, of) | Formula::Divides(_, _, of) => of.mentions(variable),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|part| part.mentions(variable)),
            Formula::Quantified { body, .. } => body.mentions(variable),
        }
    }

    /// The number of terms of all polynomials, and of connectives.
    pub(super) fn size(&self) -> u64 {
        match self {
            Formula::Constant(_) => 1,
            Formula::Sign(_, of) | Formula::Divides(_, _, of) => of.size() as u64,
            Formula::And(parts) | Formula::Or(parts) => 1 + parts.iter().map(Formula::size).sum::<u64>(),
            Formula::Quantified { body, .. } => 1 + body.size(),
        }
    }

    /// Calls a function for each sign or divisibility atom.
    pub(super) fn for_each_atom(&self, call: &mut impl FnMut(&Formula)) {
        match self {
            Formula::Constant(_) => {}
            Formula::Sign(..) | Formula::Divides(..) => call(self),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().for_each(|part| part.for_each_atom(call));
            }
            Formula::Quantified { body, .. } => body.for_each_atom(call),
        }
    }

    /// The formula with atoms replaced. `None` if a replacement fails or a quantifier is left.
    pub(super) fn map_atoms(&self, change: &mut impl FnMut(&Formula) -> Option<Formula>) -> Option<Formula> {
        match self {
            Formula::Constant(_) => Some(self.clone()),
            Formula::Sign(..) | Formula::Divides(..) => change(self),
            Formula::And(parts) | Formula::Or(parts) => {
                let conjunction = matches!(self, Formula::And(_));
                let mut changed = Vec::with_capacity(parts.len());
                for part in parts.iter() {
                    let part = part.map_atoms(change)?;
                    if part == Formula::Constant(!conjunction) {
                        return Some(part);
                    }
                    changed.push(part);
                }
                Some(Formula::join(conjunction, changed))
            }
            Formula::Quantified { .. } => None,
        }
    }

    /// The formula with a variable replaced by a polynomial.
    pub(super) fn substitute(&self, kinds: &Kinds, variable: Variable, by: &Polynomial) -> Option<Formula> {
        self.map_atoms(&mut |atom| match atom {
            Formula::Sign(relation, of) if of.mentions(variable) => {
                Formula::sign(kinds, *relation, of.substitute(variable, by)?)
            }
            Formula::Divides(positive, divisor, of) if of.mentions(variable) => {
                let found = Formula::divides(divisor, &of.substitute(variable, by)?)?;
                Some(if *positive { found } else { found.not(kinds) })
            }
            atom => Some(atom.clone()),
        })
    }
}

/// A comparison over integers: integer coefficients without a common divisor, and no strict inequalities.
fn integer_sign(relation: Relation, polynomial: &Polynomial) -> Option<Formula> {
    let mut scaled = polynomial.scaled(&polynomial.integral_factor()?)?;
    let mut relation = relation;
    if relation == Relation::Less {
        scaled = scaled.add(&Polynomial::constant(Rational::ONE))?;
        relation = Relation::AtMost;
    }
    let variable_part = scaled.without_constant();
    let common = Rational::from(variable_part.content());
    let bound = scaled.constant_term().neg().div(&common, &LIMITS).ok()?;
    let mut reduced = variable_part.scaled(&common.inverse().ok()?)?;
    // Now the comparison is of `reduced` with `bound`.
    match relation {
        Relation::Equal | Relation::Distinct => {
            let Some(bound) = bound.to_integer() else {
                return Some(Formula::Constant(relation == Relation::Distinct));
            };
            let mut bound = Rational::from(bound);
            if reduced.leading().signum() < 0 {
                (reduced, bound) = (reduced.neg(), bound.neg());
            }
            Some(Formula::Sign(relation, reduced.sub(&Polynomial::constant(bound))?))
        }
        _ => {
            let bound = Polynomial::constant(Rational::from(bound.floor()));
            Some(Formula::Sign(Relation::AtMost, reduced.sub(&bound)?))
        }
    }
}

/// What is known about one polynomial without its constant term.
#[derive(Default)]
struct Bounds {
    /// The greatest lower bound, and whether it is excluded.
    lower: Option<(Rational, bool)>,
    upper: Option<(Rational, bool)>,
    distinct: BTreeSet<Rational>,
}

impl Bounds {
    fn at_least(&mut self, bound: Rational, strict: bool) {
        let tighter = self.lower.as_ref().is_none_or(|old| (&bound, strict) > (&old.0, old.1));
        if tighter {
            self.lower = Some((bound, strict));
        }
    }

    fn at_most(&mut self, bound: Rational, strict: bool) {
        let tighter =
            self.upper.as_ref().is_none_or(|old| bound < old.0 || (bound == old.0 && strict && !old.1));
        if tighter {
            self.upper = Some((bound, strict));
        }
    }

    /// Whether no number satisfies the bounds.
    fn is_empty(&self) -> bool {
        let (Some((low, open_low)), Some((high, open_high))) = (&self.lower, &self.upper) else {
            return false;
        };
        low > high || (low == high && (*open_low || *open_high || self.distinct.contains(low)))
    }
}

/// Keeps only the tightest of the comparisons of the same polynomial in a conjunction. `None` if they contradict each other.
/// For a disjunction the same holds of the negations.
fn with_tight_bounds(conjunction: bool, parts: BTreeSet<Formula>) -> Option<BTreeSet<Formula>> {
    let mut rest = BTreeSet::new();
    let mut bounds: BTreeMap<Polynomial, (Vec<Formula>, Bounds)> = BTreeMap::new();
    for part in parts {
        let atom = match &part {
            Formula::Sign(..) if conjunction => Some(part.clone()),
            Formula::Sign(..) => Some(part.opposite()),
            _ => None,
        };
        let normal = atom.as_ref().and_then(|atom| match atom {
            Formula::Sign(relation, of) => {
                let form = of.without_constant();
                let factor = form.leading().inverse().ok()?;
                let bound = of.constant_term().neg().mul(&factor, &LIMITS).ok()?;
                Some((*relation, form.scaled(&factor)?, bound, factor.signum() < 0))
            }
            _ => None,
        });
        let Some((relation, form, bound, flipped)) = normal else {
            rest.insert(part);
            continue;
        };
        let (atoms, known) = bounds.entry(form).or_default();
        atoms.push(part);
        match relation {
            Relation::Equal => {
                known.at_least(bound.clone(), false);
                known.at_most(bound, false);
            }
            Relation::Distinct => {
                known.distinct.insert(bound);
            }
            Relation::Less | Relation::AtMost => {
                let strict = relation == Relation::Less;
                if flipped { known.at_least(bound, strict) } else { known.at_most(bound, strict) }
            }
        }
    }
    for (form, (atoms, known)) in bounds {
        if known.is_empty() {
            return None;
        }
        if atoms.len() == 1 {
            rest.extend(atoms);
            continue;
        }
        match known.atoms(&form) {
            Some(tight) if conjunction => rest.extend(tight),
            Some(tight) => rest.extend(tight.iter().map(Formula::opposite)),
            None => rest.extend(atoms),
        }
    }
    // A formula and its negation.
    let contradicts =
        |part: &Formula| matches!(part, Formula::Divides(true, ..)) && rest.contains(&part.opposite());
    if rest.iter().any(contradicts) {
        return None;
    }
    Some(rest)
}

impl Bounds {
    /// The comparisons as atoms.
    fn atoms(&self, form: &Polynomial) -> Option<Vec<Formula>> {
        // `form` has leading coefficient one, but atoms over integers have integer coefficients.
        let difference = |bound: &Rational| {
            let whole = form.sub(&Polynomial::constant(bound.clone()))?;
            let factor = whole.integral_factor()?;
            whole.scaled(&factor)
        };
        let mut found = Vec::new();
        if let (Some((low, _)), Some((high, _))) = (&self.lower, &self.upper)
            && low == high
        {
            return Some(vec![Formula::Sign(Relation::Equal, difference(low)?)]);
        }
        let relation = |strict: bool| if strict { Relation::Less } else { Relation::AtMost };
        if let Some((bound, strict)) = &self.lower {
            found.push(Formula::Sign(relation(*strict), difference(bound)?.neg()));
        }
        if let Some((bound, strict)) = &self.upper {
            found.push(Formula::Sign(relation(*strict), difference(bound)?));
        }
        let inside = |bound: &&Rational| {
            self.lower.as_ref().is_none_or(|(low, _)| *bound >= low)
                && self.upper.as_ref().is_none_or(|(high, _)| *bound <= high)
        };
        for bound in self.distinct.iter().filter(inside) {
            found.push(Formula::Sign(Relation::Distinct, difference(bound)?));
        }
        Some(found)
    }
}
