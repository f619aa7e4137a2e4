//! Quantifiers over numbers: if a body only compares terms that are linear in the variable, its truth value changes at finitely
//! many critical points. It suffices to try those points and one number between each two of them.
//!
//! Inner quantifiers over reals are handled by projection: if the inner comparisons change at `y = 2x` and `y = x + 1`, then their
//! order, and with it the truth of the inner quantifier, changes at `x = 1`.

use std::collections::{BTreeMap, BTreeSet};

use smt::{Binder, Sort, Term, View};

use super::Evaluator;
use super::rule::Rule;
use crate::data::Value;
use crate::value::integer::Int;
use crate::value::limits::Limits;
use crate::value::rational::Rational;

/// The most comparisons or critical points to consider.
const MAX_POINTS: usize = 2_000;
/// The most subterms of a body to consider.
const MAX_SUBTERMS: usize = 2_000;
/// The deepest numeric term to consider: the walk over it is recursive.
const MAX_DEPTH: u32 = 200;

/// A linear combination of variables, plus a constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Linear {
    factors: BTreeMap<Term, Rational>,
    rest: Rational,
}

impl Linear {
    fn constant(rest: Rational) -> Linear {
        Linear { factors: BTreeMap::new(), rest }
    }

    /// `self + factor * other`
    fn plus(&self, other: &Linear, factor: &Rational, limits: &Limits) -> Option<Linear> {
        let mut sum = self.clone();
        for (variable, value) in &other.factors {
            let slot = sum.factors.entry(*variable).or_insert(Rational::ZERO);
            *slot = slot.add(&value.mul(factor, limits).ok()?, limits).ok()?;
        }
        sum.factors.retain(|_, value| !value.is_zero());
        sum.rest = sum.rest.add(&other.rest.mul(factor, limits).ok()?, limits).ok()?;
        Some(sum)
    }

    fn times(&self, factor: &Rational, limits: &Limits) -> Option<Linear> {
        Linear::constant(Rational::ZERO).plus(self, factor, limits)
    }
}

/// The comparisons of a body, each as a linear form whose sign decides it, and their variables from the outermost in.
struct Comparisons {
    variables: Vec<Term>,
    forms: BTreeSet<Linear>,
}

impl Evaluator<'_> {
    /// All values of a numeric variable that must be tried to decide a body. `None` if the body is not linear in it.
    pub(super) fn critical_values(&mut self, variable: Term, body: Term) -> Option<Vec<Value>> {
        let sort = self.arena.sort(variable);
        if (sort != Sort::INT && sort != Sort::REAL) || self.arena.has_let(body) {
            return None;
        }
        let limits = self.limits.values;
        let found = self.comparisons(variable, body)?;
        let forms = project(found, &limits)?;
        let mut roots = BTreeSet::new();
        for form in &forms {
            if let Some(factor) = form.factors.get(&variable) {
                roots.insert(form.rest.neg().div(factor, &limits).ok()?);
            }
        }
        if sort == Sort::INT { Some(integers(&roots)) } else { reals(&roots, &limits) }
    }

    fn comparisons(&mut self, variable: Term, body: Term) -> Option<Comparisons> {
        let mut found = Comparisons { variables: vec![variable], forms: BTreeSet::new() };
        let mut seen = BTreeSet::new();
        let mut work = vec![body];
        while let Some(term) = work.pop() {
            if !seen.insert(term) || !self.mentions(term, &found.variables) {
                continue;
            }
            if seen.len() > MAX_SUBTERMS || found.forms.len() > MAX_POINTS {
                return None;
            }
            match self.arena.view(term) {
                View::App(op, args) => {
                    let args = args.to_vec();
                    let boolean = args.iter().all(|&arg| self.arena.sort(arg) == Sort::BOOL);
                    match (self.rule(op), self.arena.op_name(op)) {
                        (
                            Rule::And | Rule::Or | Rule::Implies | Rule::Ite | Rule::Equal | Rule::Distinct,
                            _,
                        )
                        | (_, "not" | "xor")
                            if boolean =>
                        {
                            work.extend(args);
                        }
                        (Rule::Equal | Rule::Distinct, _) | (_, "<" | "<=" | ">" | ">=") => {
                            self.compare(&args, &mut found)?;
                        }
                        _ => return None,
                    }
                }
                View::Binder { kind: Binder::Forall | Binder::Exists, variables, bodies } => {
                    for &inner in variables {
                        let real = |term: Term| self.arena.sort(term) == Sort::REAL;
                        if !real(inner) || !real(variable) || found.variables.contains(&inner) {
                            return None;
                        }
                        found.variables.push(inner);
                    }
                    work.push(bodies[0]);
                }
                _ => return None,
            }
        }
        self.steps = self.steps.saturating_sub(seen.len() as u64);
        Some(found)
    }

    fn mentions(&self, term: Term, variables: &[Term]) -> bool {
        let mut seen = BTreeSet::new();
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            if variables.contains(&term) {
                return true;
            }
            if !self.arena.has_no_locals(term) && seen.insert(term) {
                work.extend(self.arena.children(term));
            }
        }
        false
    }

    /// Adds the differences of the compared terms.
    fn compare(&mut self, args: &[Term], found: &mut Comparisons) -> Option<()> {
        let limits = self.limits.values;
        let mut forms = Vec::new();
        for &arg in args {
            forms.push(self.linear(arg, &found.variables, 0)?);
        }
        for (at, one) in forms.iter().enumerate() {
            for other in &forms[..at] {
                found.forms.insert(one.plus(other, &Rational::from(-1), &limits)?);
            }
        }
        Some(())
    }

    /// A numeric term as a linear form of the variables.
    fn linear(&mut self, term: Term, variables: &[Term], depth: u32) -> Option<Linear> {
        let limits = self.limits.values;
        if variables.contains(&term) {
            let factors = BTreeMap::from([(term, Rational::ONE)]);
            return Some(Linear { factors, rest: Rational::ZERO });
        }
        if !self.mentions(term, variables) {
            return match self.run(term).ok()? {
                Value::Int(number) => Some(Linear::constant(Rational::from(number))),
                Value::Real(number) => Some(Linear::constant(number)),
                _ => None,
            };
        }
        let View::App(op, args) = self.arena.view(term) else { return None };
        let name = self.arena.op_name(op);
        let mut forms = Vec::new();
        for &arg in args {
            if depth >= MAX_DEPTH {
                return None;
            }
            forms.push(self.linear(arg, variables, depth + 1)?);
        }
        let (first, rest) = forms.split_first()?;
        let sign = Rational::from(if name == "-" { -1 } else { 1 });
        let mut result = first.clone();
        match (name, rest) {
            ("to_real", []) => {}
            ("-", []) => result = result.times(&sign, &limits)?,
            ("+" | "-", _) => {
                for form in rest {
                    result = result.plus(form, &sign, &limits)?;
                }
            }
            ("*", _) => {
                for form in rest {
                    result = match (result.factors.is_empty(), form.factors.is_empty()) {
                        (_, true) => result.times(&form.rest, &limits)?,
                        (true, false) => form.times(&result.rest, &limits)?,
                        (false, false) => return None,
                    };
                }
            }
            ("/", [divisor]) if divisor.factors.is_empty() && !divisor.rest.is_zero() => {
                result = result.times(&divisor.rest.inverse().ok()?, &limits)?;
            }
            _ => return None,
        }
        Some(result)
    }
}

/// Eliminates the inner variables, innermost first. The remaining forms change sign wherever two critical points of an inner
/// variable coincide.
fn project(found: Comparisons, limits: &Limits) -> Option<BTreeSet<Linear>> {
    let Comparisons { variables, mut forms } = found;
    for variable in variables[1..].iter().rev() {
        let mut roots: BTreeSet<Linear> = BTreeSet::new();
        let mut left = BTreeSet::new();
        for form in forms {
            match form.factors.get(variable) {
                Some(factor) => {
                    roots.insert(form.times(&factor.inverse().ok()?, limits)?);
                }
                None => {
                    left.insert(form);
                }
            }
        }
        let roots: Vec<Linear> = roots.into_iter().collect();
        for (at, one) in roots.iter().enumerate() {
            for other in &roots[..at] {
                left.insert(one.plus(other, &Rational::from(-1), limits)?);
            }
            if left.len() > MAX_POINTS {
                return None;
            }
        }
        forms = left;
    }
    Some(forms)
}

/// The points, and one number in each interval between and outside them.
fn reals(roots: &BTreeSet<Rational>, limits: &Limits) -> Option<Vec<Value>> {
    let (Some(least), Some(greatest)) = (roots.first(), roots.last()) else {
        return Some(vec![Value::Real(Rational::ZERO)]);
    };
    let two = Rational::from(2);
    let mut points = vec![least.sub(&Rational::ONE, limits).ok()?];
    let ordered: Vec<&Rational> = roots.iter().collect();
    for pair in ordered.windows(2) {
        points.push(pair[0].add(pair[1], limits).ok()?.div(&two, limits).ok()?);
    }
    points.push(greatest.add(&Rational::ONE, limits).ok()?);
    points.extend(roots.iter().cloned());
    Some(points.into_iter().map(Value::Real).collect())
}

/// The integers at and next to the points: at least one in each interval between and outside them.
fn integers(roots: &BTreeSet<Rational>) -> Vec<Value> {
    let mut points = BTreeSet::from([Int::ZERO]);
    for root in roots {
        let floor = root.floor();
        points.insert(floor.add(&Int::ONE));
        points.insert(floor.sub(&Int::ONE));
        points.insert(floor);
    }
    points.into_iter().map(Value::Int).collect()
}
