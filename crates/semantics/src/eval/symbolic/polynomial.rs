//! Polynomials in several variables with rational coefficients.

use std::collections::{BTreeMap, BTreeSet};

use crate::value::integer::Int;
use crate::value::limits::Limits;
use crate::value::rational::Rational;

/// A variable of a polynomial.
pub(super) type Variable = u32;

/// Powers of variables, in order of the variables. Empty for the constant term.
type Monomial = Vec<(Variable, u32)>;

/// The most terms of a polynomial.
const MAX_TERMS: usize = 24;
/// The highest power of a variable.
const MAX_DEGREE: u32 = 8;
/// Coefficients stay small, so that a step of an elimination stays cheap.
pub(super) const LIMITS: Limits = Limits { bits: 1 << 10, chars: 1 << 20, steps: 1 << 12, degree: 16 };

/// A polynomial. No coefficient is zero.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Polynomial {
    terms: BTreeMap<Monomial, Rational>,
}

impl Polynomial {
    pub(super) fn constant(value: Rational) -> Polynomial {
        let mut terms = BTreeMap::new();
        if !value.is_zero() {
            terms.insert(Vec::new(), value);
        }
        Polynomial { terms }
    }

    pub(super) fn variable(variable: Variable) -> Polynomial {
        Polynomial { terms: BTreeMap::from([(vec![(variable, 1)], Rational::ONE)]) }
    }

    /// The value, if no variable occurs.
    pub(super) fn as_constant(&self) -> Option<Rational> {
        match self.terms.len() {
            0 => Some(Rational::ZERO),
            1 => self.terms.get(&[][..]).cloned(),
            _ => None,
        }
    }

    /// The term without variables.
    pub(super) fn constant_term(&self) -> Rational {
        self.terms.get(&[][..]).cloned().unwrap_or(Rational::ZERO)
    }

    /// The polynomial without its constant term.
    pub(super) fn without_constant(&self) -> Polynomial {
        let mut rest = self.clone();
        rest.terms.remove(&[][..]);
        rest
    }

    /// The coefficient of the greatest monomial.
    pub(super) fn leading(&self) -> Rational {
        self.terms.last_key_value().map_or(Rational::ZERO, |(_, value)| value.clone())
    }

    pub(super) fn variables(&self) -> BTreeSet<Variable> {
        self.terms.keys().flatten().map(|(variable, _)| *variable).collect()
    }

    pub(super) fn mentions(&self, variable: Variable) -> bool {
        self.terms.keys().flatten().any(|(own, _)| *own == variable)
    }

    /// The monomials, each with its coefficient.
    pub(super) fn parts(&self) -> impl Iterator<Item = (Polynomial, &Rational)> {
        self.terms.iter().map(|(monomial, value)| {
            (Polynomial { terms: BTreeMap::from([(monomial.clone(), Rational::ONE)]) }, value)
        })
    }

    /// The number of terms.
    pub(super) fn size(&self) -> usize {
        self.terms.len()
    }

    pub(super) fn neg(&self) -> Polynomial {
        let terms = self.terms.iter().map(|(monomial, value)| (monomial.clone(), value.neg())).collect();
        Polynomial { terms }
    }

    /// The polynomial times a number.
    pub(super) fn scaled(&self, factor: &Rational) -> Option<Polynomial> {
        let mut terms = BTreeMap::new();
        if !factor.is_zero() {
            for (monomial, value) in &self.terms {
                terms.insert(monomial.clone(), value.mul(factor, &LIMITS).ok()?);
            }
        }
        Some(Polynomial { terms })
    }

    pub(super) fn add(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut sum = self.clone();
        for (monomial, value) in &other.terms {
            sum.add_term(monomial.clone(), value)?;
        }
        sum.checked()
    }

    pub(super) fn sub(&self, other: &Polynomial) -> Option<Polynomial> {
        self.add(&other.neg())
    }

    pub(super) fn mul(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial { terms: BTreeMap::new() };
        for (left, a) in &self.terms {
            for (right, b) in &other.terms {
                product.add_term(times(left, right)?, &a.mul(b, &LIMITS).ok()?)?;
            }
            if product.terms.len() > MAX_TERMS {
                return None;
            }
        }
        Some(product)
    }

    fn add_term(&mut self, monomial: Monomial, value: &Rational) -> Option<()> {
        let sum = match self.terms.get(&monomial) {
            Some(old) => old.add(value, &LIMITS).ok()?,
            None => value.clone(),
        };
        if sum.is_zero() {
            self.terms.remove(&monomial);
        } else {
            self.terms.insert(monomial, sum);
        }
        Some(())
    }

    fn checked(self) -> Option<Polynomial> {
        (self.terms.len() <= MAX_TERMS).then_some(self)
    }

    /// The coefficients of the powers of a variable, from the constant up.
    pub(super) fn coefficients(&self, variable: Variable) -> Vec<Polynomial> {
        let mut found: Vec<Polynomial> = Vec::new();
        for (monomial, value) in &self.terms {
            let power = monomial.iter().find(|(own, _)| *own == variable).map_or(0, |(_, power)| *power);
            let rest: Monomial = monomial.iter().copied().filter(|(own, _)| *own != variable).collect();
            while found.len() <= power as usize {
                found.push(Polynomial { terms: BTreeMap::new() });
            }
            found[power as usize].terms.insert(rest, value.clone());
        }
        if found.is_empty() {
            found.push(Polynomial { terms: BTreeMap::new() });
        }
        found
    }

    /// The polynomial with a variable replaced.
    pub(super) fn substitute(&self, variable: Variable, by: &Polynomial) -> Option<Polynomial> {
        if !self.mentions(variable) {
            return Some(self.clone());
        }
        // Horner's scheme.
        let mut result = Polynomial { terms: BTreeMap::new() };
        for coefficient in self.coefficients(variable).iter().rev() {
            result = result.mul(by)?.add(coefficient)?;
        }
        Some(result)
    }

    /// A positive factor that makes all coefficients integers without a common divisor.
    pub(super) fn integral_factor(&self) -> Option<Rational> {
        let (mut numerators, mut denominators) = (Int::ZERO, Int::ONE);
        for value in self.terms.values() {
            numerators = numerators.gcd(&value.numerator());
            denominators = lcm(&denominators, &value.denominator())?;
        }
        if numerators.is_zero() { Some(Rational::ONE) } else { Rational::new(&denominators, &numerators) }
    }

    /// Whether all coefficients are integers.
    pub(super) fn is_integral(&self) -> bool {
        self.terms.values().all(Rational::is_int)
    }

    /// The greatest common divisor of integer coefficients.
    pub(super) fn content(&self) -> Int {
        self.terms.values().fold(Int::ZERO, |gcd, value| gcd.gcd(&value.numerator()))
    }
}

/// The product of two monomials.
fn times(left: &Monomial, right: &Monomial) -> Option<Monomial> {
    let mut powers: BTreeMap<Variable, u32> = left.iter().copied().collect();
    for (variable, power) in right {
        *powers.entry(*variable).or_insert(0) += power;
    }
    powers.values().all(|&power| power <= MAX_DEGREE).then(|| powers.into_iter().collect())
}

/// The least common multiple of positive integers.
pub(super) fn lcm(a: &Int, b: &Int) -> Option<Int> {
    a.div(&a.gcd(b)).ok()?.mul(b, &LIMITS).ok()
}
