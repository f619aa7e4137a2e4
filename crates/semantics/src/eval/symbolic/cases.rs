//! Symbolic values: a list of cases, each with the condition under which it applies.

use std::collections::BTreeSet;

use super::formula::{FALSE, Formula, Kinds, Relation, TRUE};
use super::polynomial::{Polynomial, Variable};
use crate::data::{Value, equal};
use crate::value::limits::Limits;
use crate::value::rational::Rational;

/// The most cases of a value.
pub(super) const MAX_CASES: usize = 64;

/// A quotient of polynomials. The condition of its case implies that the denominator is not zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quotient {
    pub(super) numerator: Polynomial,
    pub(super) denominator: Polynomial,
    /// Whether the sort is Int.
    pub(super) integer: bool,
}

impl Quotient {
    pub(super) fn whole(numerator: Polynomial, integer: bool) -> Quotient {
        Quotient { numerator, denominator: Polynomial::constant(Rational::ONE), integer }
    }

    /// The number, if it is a constant.
    pub(super) fn as_constant(&self) -> Option<Rational> {
        let (numerator, denominator) = (self.numerator.as_constant()?, self.denominator.as_constant()?);
        numerator.div(&denominator, &super::polynomial::LIMITS).ok()
    }

    /// A polynomial with the same sign.
    pub(super) fn same_sign(&self) -> Option<Polynomial> {
        match self.denominator.as_constant() {
            Some(denominator) if denominator.signum() > 0 => Some(self.numerator.clone()),
            Some(_) => Some(self.numerator.neg()),
            None => self.numerator.mul(&self.denominator),
        }
    }

    pub(super) fn add(&self, other: &Quotient) -> Option<Quotient> {
        let left = self.numerator.mul(&other.denominator)?;
        let right = other.numerator.mul(&self.denominator)?;
        let sum = if self.denominator == other.denominator {
            (self.numerator.add(&other.numerator)?, self.denominator.clone())
        } else {
            (left.add(&right)?, self.denominator.mul(&other.denominator)?)
        };
        Some(Quotient { numerator: sum.0, denominator: sum.1, integer: self.integer && other.integer })
    }

    pub(super) fn neg(&self) -> Quotient {
        Quotient { numerator: self.numerator.neg(), ..self.clone() }
    }

    pub(super) fn mul(&self, other: &Quotient) -> Option<Quotient> {
        Some(Quotient {
            numerator: self.numerator.mul(&other.numerator)?,
            denominator: self.denominator.mul(&other.denominator)?,
            integer: self.integer && other.integer,
        })
    }

    /// The quotient of two numbers, the second of which is not zero.
    pub(super) fn div(&self, other: &Quotient) -> Option<Quotient> {
        let numerator = self.numerator.mul(&other.denominator)?;
        let denominator = self.denominator.mul(&other.numerator)?;
        match denominator.as_constant() {
            Some(number) => Some(Quotient::whole(numerator.scaled(&number.inverse().ok()?)?, false)),
            None => Some(Quotient { numerator, denominator, integer: false }),
        }
    }
}

/// The value of a case.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Leaf {
    /// A value of any sort.
    Ground(Value),
    /// A number that depends on variables.
    Number(Quotient),
    /// A value of a large sort, of which only equality matters: an integer variable numbers the values.
    Coded(Variable),
    /// A string or sequence of which only the length matters: the variable is the length.
    Text(Variable),
}

impl Leaf {
    /// The leaf as a number. `None` if it is none, or not rational.
    pub(super) fn number(&self) -> Option<Quotient> {
        match self {
            Leaf::Number(number) => Some(number.clone()),
            Leaf::Ground(Value::Int(number)) => {
                Some(Quotient::whole(Polynomial::constant(Rational::from(number.clone())), true))
            }
            Leaf::Ground(Value::Real(number)) => {
                Some(Quotient::whole(Polynomial::constant(number.clone()), false))
            }
            Leaf::Ground(_) | Leaf::Coded(_) | Leaf::Text(_) => None,
        }
    }

    /// Whether two values are equal.
    pub(super) fn equal(&self, other: &Leaf, kinds: &Kinds, limits: &Limits) -> Option<Formula> {
        if let (Leaf::Ground(a), Leaf::Ground(b)) = (self, other) {
            return equal(a, b, limits).ok().map(Formula::Constant);
        }
        self.compare(Relation::Equal, other, kinds)
    }

    /// Whether the difference of two numbers is in a relation to zero.
    pub(super) fn compare(&self, relation: Relation, other: &Leaf, kinds: &Kinds) -> Option<Formula> {
        let difference = self.number()?.add(&other.number()?.neg())?;
        Formula::sign(kinds, relation, difference.same_sign()?)
    }
}

/// A value under a condition.
///
/// The conditions of a value's cases exclude each other, and one of them always holds. A condition may define variables, such as
/// the quotient of a `div`: it holds for exactly one choice of them, or for none.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) guard: Formula,
    /// The variables that the guard defines.
    pub(super) defined: BTreeSet<Variable>,
    pub(super) leaf: Leaf,
}

impl Case {
    pub(super) fn always(leaf: Leaf) -> Case {
        Case::when(TRUE, leaf)
    }

    /// A case under a condition that defines no variables.
    pub(super) fn when(guard: Formula, leaf: Leaf) -> Case {
        Case { guard, defined: BTreeSet::new(), leaf }
    }
}

/// A combination of cases of several values.
pub(super) struct Combination {
    pub(super) guard: Formula,
    pub(super) defined: BTreeSet<Variable>,
    pub(super) leaves: Vec<Leaf>,
}

impl Combination {
    pub(super) fn with(&self, leaf: Leaf) -> Case {
        Case { guard: self.guard.clone(), defined: self.defined.clone(), leaf }
    }

    /// A case under the condition of this combination.
    pub(super) fn under(&self, case: Case) -> Case {
        Case {
            guard: self.guard.clone().and(case.guard),
            defined: self.defined.union(&case.defined).copied().collect(),
            leaf: case.leaf,
        }
    }

    /// The leaves as values; `None` if one depends on variables.
    pub(super) fn values(&self) -> Option<Vec<Value>> {
        let value = |leaf: &Leaf| match leaf {
            Leaf::Ground(value) => Some(value.clone()),
            _ => None,
        };
        self.leaves.iter().map(value).collect()
    }

    /// A formula under the condition of this combination.
    pub(super) fn formula(&self, formula: Formula) -> Formula {
        let whole = self.guard.clone().and(formula);
        self.defined.iter().fold(whole, |whole, &variable| whole.exists(variable))
    }
}

/// All combinations of the cases of several values that can hold. `None` if there are too many.
pub(super) fn combinations(values: &[Vec<Case>]) -> Option<Vec<Combination>> {
    let mut all = vec![Combination { guard: TRUE, defined: BTreeSet::new(), leaves: Vec::new() }];
    for cases in values {
        let mut longer = Vec::new();
        for prefix in &all {
            for case in cases {
                let guard = prefix.guard.clone().and(case.guard.clone());
                if guard == FALSE {
                    continue;
                }
                let defined = prefix.defined.union(&case.defined).copied().collect();
                let mut leaves = prefix.leaves.clone();
                leaves.push(case.leaf.clone());
                longer.push(Combination { guard, defined, leaves });
            }
            if longer.len() > MAX_CASES {
                return None;
            }
        }
        all = longer;
    }
    Some(all)
}

/// Joins cases with equal values.
pub(super) fn merged(cases: Vec<Case>) -> Option<Vec<Case>> {
    let mut found: Vec<Case> = Vec::new();
    for case in cases {
        if case.guard == FALSE {
            continue;
        }
        let same = |other: &&mut Case| {
            other.defined.is_empty() && case.defined.is_empty() && other.leaf == case.leaf
        };
        match found.iter_mut().find(same) {
            Some(other) => other.guard = other.guard.clone().or(case.guard),
            None => found.push(case),
        }
    }
    (found.len() <= MAX_CASES).then_some(found)
}
