//! Eliminates the quantifiers of a formula, innermost first.

use std::collections::BTreeSet;

use super::formula::{Formula, Kinds, Relation};
use super::polynomial::{Polynomial, Variable};
use super::{integers, reals, univariate};

/// Eliminates quantifiers within a budget of steps.
pub(super) struct Elimination<'k> {
    pub(super) kinds: &'k Kinds,
    pub(super) budget: u64,
}

/// How to eliminate a variable; the cheapest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Method {
    /// It is linear with constant coefficients.
    Linear,
    /// It is the only variable left.
    Alone,
    /// A real variable is linear with other variables in its coefficients.
    Parametric,
}

impl Elimination<'_> {
    fn spend(&mut self, steps: u64) -> Option<()> {
        self.budget = self.budget.checked_sub(steps)?;
        Some(())
    }

    /// An equivalent formula without quantifiers. `None` if the methods do not apply or the budget is used up.
    pub(super) fn run(&mut self, formula: &Formula) -> Option<Formula> {
        self.spend(1)?;
        match formula {
            Formula::And(parts) | Formula::Or(parts) => {
                let conjunction = matches!(formula, Formula::And(_));
                // A part that fails does not matter if another one decides.
                let (mut done, mut failed) = (Vec::new(), false);
                for part in parts.iter() {
                    match self.run(part) {
                        Some(part) if part == Formula::Constant(!conjunction) => return Some(part),
                        Some(part) => done.push(part),
                        None => failed = true,
                    }
                }
                self.spend(done.iter().map(Formula::size).sum())?;
                let joined = Formula::join(conjunction, done);
                (!failed || joined == Formula::Constant(!conjunction)).then_some(joined)
            }
            Formula::Quantified { exists, .. } => {
                let (mut variables, mut inner) = (BTreeSet::new(), formula);
                while let Formula::Quantified { exists: same, variable, body } = inner
                    && same == exists
                {
                    variables.insert(*variable);
                    inner = body;
                }
                let body = self.run(inner)?;
                if *exists {
                    self.exists(&variables, &body)
                } else {
                    Some(self.exists(&variables, &body.not(self.kinds))?.not(self.kinds))
                }
            }
            atom => Some(atom.clone()),
        }
    }

    /// `(exists (variables) formula)` without the quantifier, for a formula without quantifiers.
    fn exists(&mut self, variables: &BTreeSet<Variable>, formula: &Formula) -> Option<Formula> {
        self.spend(1)?;
        let mentioned: BTreeSet<Variable> =
            variables.iter().copied().filter(|&variable| formula.mentions(variable)).collect();
        if mentioned.is_empty() {
            return Some(formula.clone());
        }
        match formula {
            Formula::Or(parts) => {
                let (mut done, mut failed) = (Vec::new(), false);
                for part in parts.iter() {
                    match self.exists(&mentioned, part) {
                        Some(Formula::Constant(true)) => return Some(Formula::Constant(true)),
                        Some(part) => done.push(part),
                        None => failed = true,
                    }
                }
                self.spend(done.iter().map(Formula::size).sum())?;
                (!failed).then(|| Formula::join(false, done))
            }
            Formula::And(parts) => {
                self.spend(formula.size())?;
                let bound = |part: &&Formula| mentioned.iter().any(|&variable| part.mentions(variable));
                let (inside, outside): (Vec<&Formula>, Vec<&Formula>) = parts.iter().partition(bound);
                let outside = Formula::join(true, outside.into_iter().cloned());
                let inside = Formula::join(true, inside.into_iter().cloned());
                if outside != Formula::Constant(true) {
                    return Some(self.exists(&mentioned, &inside)?.and(outside));
                }
                if let Some((variable, substituted)) = self.solve(&mentioned, &inside) {
                    self.spend(inside.size())?;
                    let mut left = mentioned;
                    left.remove(&variable);
                    return self.exists(&left, &substituted);
                }
                self.one_of(&mentioned, &inside)
            }
            atom => self.one_of(&mentioned, atom),
        }
    }

    /// Solves an equation of a conjunction for a variable and substitutes the solution.
    fn solve(&self, variables: &BTreeSet<Variable>, formula: &Formula) -> Option<(Variable, Formula)> {
        let Formula::And(parts) = formula else { return None };
        for part in parts.iter() {
            let Formula::Sign(Relation::Equal, of) = part else { continue };
            for &variable in variables {
                let coefficients = of.coefficients(variable);
                let [rest, factor] = &coefficients[..] else { continue };
                let Some(factor) = factor.as_constant() else { continue };
                let Some(solution) = factor.inverse().ok().and_then(|inverse| rest.scaled(&inverse.neg()))
                else {
                    continue;
                };
                let integer = self.kinds.is_integer(variable);
                let integers = |of: &Polynomial| {
                    of.is_integral() && of.variables().iter().all(|&other| self.kinds.is_integer(other))
                };
                if (!integer || integers(&solution))
                    && let Some(substituted) = formula.substitute(self.kinds, variable, &solution)
                {
                    return Some((variable, substituted));
                }
            }
        }
        None
    }

    /// False if a formula with integer variables holds for no real numbers either.
    fn relaxed(&mut self, variables: &BTreeSet<Variable>, formula: &Formula) -> Option<Formula> {
        if !variables.iter().any(|&variable| self.kinds.is_integer(variable)) {
            return None;
        }
        let reals = Kinds::default();
        let weaker = formula.map_atoms(&mut |atom| match atom {
            Formula::Divides(..) => Some(Formula::Constant(true)),
            Formula::Sign(relation, of) => Formula::sign(&reals, *relation, of.clone()),
            atom => Some(atom.clone()),
        })?;
        let mut elimination = Elimination { kinds: &reals, budget: self.budget };
        let found = elimination.exists(variables, &weaker);
        self.budget = elimination.budget;
        found.filter(|found| *found == Formula::Constant(false))
    }

    /// Eliminates one variable, then the others.
    fn one_of(&mut self, variables: &BTreeSet<Variable>, formula: &Formula) -> Option<Formula> {
        let method = |&variable: &Variable| {
            let integer = self.kinds.is_integer(variable);
            let alone = || formula.variables().len() == 1;
            if integer && integers::is_linear(self.kinds, formula, variable) {
                return Some((Method::Linear, variable));
            }
            match (!integer).then(|| reals::is_linear(formula, variable)).flatten() {
                Some(true) => Some((Method::Linear, variable)),
                _ if alone() => Some((Method::Alone, variable)),
                Some(false) => Some((Method::Parametric, variable)),
                None => None,
            }
        };
        let mut ways: Vec<(Method, Variable)> = variables.iter().filter_map(method).collect();
        ways.sort();
        let Some(&(method, variable)) = ways.first() else { return self.relaxed(variables, formula) };
        let mut left = variables.clone();
        left.remove(&variable);
        let mut budget = self.budget;
        let mut spend = |steps: u64| {
            budget = budget.checked_sub(steps)?;
            Some(())
        };
        let alone = formula.variables().len() == 1;
        let integer = self.kinds.is_integer(variable);
        let done = match method {
            // Trying points is cheaper than building formulas.
            _ if alone => univariate::decide(variable, integer, formula, &mut spend).map(Formula::Constant),
            Method::Linear if integer => integers::eliminate(self.kinds, variable, formula, &mut spend),
            Method::Linear | Method::Parametric => {
                reals::eliminate(self.kinds, variable, formula, &mut spend)
            }
            Method::Alone => None,
        };
        self.budget = budget;
        let done = done?;
        self.spend(done.size())?;
        self.exists(&left, &done)
    }
}

impl Formula {
    fn variables(&self) -> BTreeSet<Variable> {
        let mut found = BTreeSet::new();
        self.for_each_atom(&mut |atom| {
            if let Formula::Sign(_, of) | Formula::Divides(_, _, of) = atom {
                found.extend(of.variables());
            }
        });
        found
    }
}
