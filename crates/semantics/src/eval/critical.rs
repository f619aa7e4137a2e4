//! Quantifiers over one number: where the body only compares terms that are linear in the variable, its truth changes at
//! finitely many points. Those, and one number between any two of them, are all that has to be tried.

use std::collections::BTreeSet;

use smt::{Sort, Term, View};

use super::Evaluator;
use super::rules::Rule;
use crate::data::Value;
use crate::value::integer::Int;
use crate::value::rational::Rational;

/// More points than this are not looked at.
const MOST_POINTS: usize = 2_000;
/// Bodies with more parts are not looked at.
const MOST_PARTS: usize = 2_000;

/// `factor * x + rest`
struct Linear {
    factor: Rational,
    rest: Rational,
}

impl Evaluator<'_> {
    /// All values of a numeric variable that have to be tried to decide a body; nothing if that cannot be told.
    pub(super) fn critical_values(&mut self, variable: Term, body: Term) -> Option<Vec<Value>> {
        let sort = self.arena.sort(variable);
        if sort != Sort::INT && sort != Sort::REAL {
            return None;
        }
        let body = self.without_lets(body)?;
        let mut roots = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut work = vec![body];
        while let Some(term) = work.pop() {
            if !seen.insert(term) || !self.mentions(term, variable) {
                continue;
            }
            if seen.len() > MOST_PARTS || roots.len() > MOST_POINTS {
                return None;
            }
            let View::App(op, args) = self.arena.view(term) else { return None };
            let args = args.to_vec();
            match self.rule(op) {
                Rule::And | Rule::Or | Rule::Implies | Rule::Ite if self.arena.sort(term) == Sort::BOOL => {
                    work.extend(args);
                }
                Rule::Equal | Rule::Distinct if self.arena.sort(args[0]) == Sort::BOOL => work.extend(args),
                rule => match self.arena.op_name(op) {
                    "not" | "xor" => work.extend(args),
                    "<" | "<=" | ">" | ">=" => self.add_roots(&args, variable, &mut roots)?,
                    _ if matches!(rule, Rule::Equal | Rule::Distinct) => {
                        self.add_roots(&args, variable, &mut roots)?;
                    }
                    _ => return None,
                },
            }
        }
        self.steps = self.steps.saturating_sub(seen.len() as u64);
        Some(if sort == Sort::INT { integers(&roots) } else { self.reals(&roots)? })
    }

    fn without_lets(&self, body: Term) -> Option<Term> {
        (!self.arena.has_let(body) && !self.arena.has_binder(body)).then_some(body)
    }

    fn mentions(&self, term: Term, variable: Term) -> bool {
        if self.arena.has_no_locals(term) {
            return false;
        }
        let mut seen = BTreeSet::new();
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            if term == variable {
                return true;
            }
            if !self.arena.has_no_locals(term) && seen.insert(term) {
                work.extend(self.arena.children(term));
            }
        }
        false
    }

    /// The points at which neighbours or any two of the compared terms are equal.
    fn add_roots(&mut self, args: &[Term], variable: Term, roots: &mut BTreeSet<Rational>) -> Option<()> {
        let limits = self.limits.values;
        let forms = args.iter().map(|&arg| self.linear(arg, variable, 0)).collect::<Option<Vec<_>>>()?;
        for (at, one) in forms.iter().enumerate() {
            for other in &forms[..at] {
                let factor = one.factor.sub(&other.factor, &limits).ok()?;
                if !factor.is_zero() {
                    let rest = other.rest.sub(&one.rest, &limits).ok()?;
                    roots.insert(rest.div(&factor, &limits).ok()?);
                }
            }
        }
        Some(())
    }

    /// A numeric term as a linear form of the variable.
    fn linear(&mut self, term: Term, variable: Term, depth: u32) -> Option<Linear> {
        let limits = self.limits.values;
        if term == variable {
            return Some(Linear { factor: Rational::ONE, rest: Rational::ZERO });
        }
        if !self.mentions(term, variable) {
            let rest = match self.run(term).ok()? {
                Value::Int(number) => Rational::from(number),
                Value::Real(number) => number,
                _ => return None,
            };
            return Some(Linear { factor: Rational::ZERO, rest });
        }
        // The forms nest as deeply as the term, and this is a call for each level.
        if depth > 200 {
            return None;
        }
        let View::App(op, args) = self.arena.view(term) else { return None };
        let (name, args) = (self.arena.op_name(op).to_owned(), args.to_vec());
        let mut forms = Vec::new();
        for arg in args {
            forms.push(self.linear(arg, variable, depth + 1)?);
        }
        let (first, rest) = forms.split_first()?;
        let mut result = Linear { factor: first.factor.clone(), rest: first.rest.clone() };
        match (name.as_str(), rest) {
            ("to_real", []) => {}
            ("-", []) => result = Linear { factor: result.factor.neg(), rest: result.rest.neg() },
            ("+", _) => {
                for form in rest {
                    result.factor = result.factor.add(&form.factor, &limits).ok()?;
                    result.rest = result.rest.add(&form.rest, &limits).ok()?;
                }
            }
            ("-", _) => {
                for form in rest {
                    result.factor = result.factor.sub(&form.factor, &limits).ok()?;
                    result.rest = result.rest.sub(&form.rest, &limits).ok()?;
                }
            }
            ("*", _) => {
                for form in rest {
                    if !result.factor.is_zero() && !form.factor.is_zero() {
                        return None;
                    }
                    let one = result.factor.mul(&form.rest, &limits).ok()?;
                    let other = form.factor.mul(&result.rest, &limits).ok()?;
                    result.factor = one.add(&other, &limits).ok()?;
                    result.rest = result.rest.mul(&form.rest, &limits).ok()?;
                }
            }
            ("/", [divisor]) if divisor.factor.is_zero() && !divisor.rest.is_zero() => {
                result.factor = result.factor.div(&divisor.rest, &limits).ok()?;
                result.rest = result.rest.div(&divisor.rest, &limits).ok()?;
            }
            _ => return None,
        }
        Some(result)
    }

    /// The points, and one number in each interval between them and beyond.
    fn reals(&self, roots: &BTreeSet<Rational>) -> Option<Vec<Value>> {
        let limits = &self.limits.values;
        let two = Rational::from(2);
        let (Some(least), Some(greatest)) = (roots.first(), roots.last()) else {
            return Some(vec![Value::Real(Rational::ZERO)]);
        };
        let mut points = vec![least.sub(&Rational::ONE, limits).ok()?];
        let ordered: Vec<&Rational> = roots.iter().collect();
        for pair in ordered.windows(2) {
            points.push(pair[0].add(pair[1], limits).ok()?.div(&two, limits).ok()?);
        }
        points.push(greatest.add(&Rational::ONE, limits).ok()?);
        points.extend(roots.iter().cloned());
        Some(points.into_iter().map(Value::Real).collect())
    }
}

/// The integers at and beside the points: one of each interval between them and beyond.
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
