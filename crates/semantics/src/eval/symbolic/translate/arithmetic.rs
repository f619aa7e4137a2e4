//! Operators of arithmetic on numbers that depend on variables.

use smt::Sort;

use super::{Call, Meant, Translation};
use crate::data::Value;
use crate::eval::rule::canonical_name;
use crate::eval::symbolic::cases::{Case, Combination, Leaf, Quotient, merged};
use crate::eval::symbolic::formula::{FALSE, Formula, Relation};
use crate::eval::symbolic::polynomial::{Polynomial, Variable};
use crate::value::integer::Int;
use crate::value::rational::Rational;

/// The highest power to multiply out.
const MAX_POWER: u64 = 8;

/// A division under translation.
struct Division<'c> {
    call: Call,
    combination: &'c Combination,
    dividend: &'c Quotient,
    divisor: &'c Quotient,
}

impl Translation<'_, '_> {
    /// Applies an operator of arithmetic.
    pub(super) fn arithmetic(
        &mut self,
        call: Call,
        name: &str,
        combination: &Combination,
    ) -> Option<Vec<Case>> {
        let numbers: Option<Vec<Quotient>> = combination.leaves.iter().map(Leaf::number).collect();
        let numbers = numbers?;
        let one = |number: Quotient| Some(vec![combination.with(Leaf::Number(number))]);
        match (name, &numbers[..]) {
            ("+", [first, rest @ ..]) => one(rest.iter().try_fold(first.clone(), |sum, x| sum.add(x))?),
            ("-", [only]) => one(only.neg()),
            ("-", [first, rest @ ..]) => {
                one(rest.iter().try_fold(first.clone(), |sum, x| sum.add(&x.neg()))?)
            }
            ("*", [first, rest @ ..]) => {
                one(rest.iter().try_fold(first.clone(), |product, x| product.mul(x))?)
            }
            ("to_real", [only]) => one(Quotient { integer: false, ..only.clone() }),
            ("abs", [only]) => {
                let sign = only.same_sign()?;
                let negative = Formula::sign(&self.kinds, Relation::Less, sign)?;
                let mut found = Vec::new();
                for (guard, number) in [(negative.not(&self.kinds), only.clone()), (negative, only.neg())] {
                    let case = Case::when(guard, Leaf::Number(number));
                    found.push(combination.under(case));
                }
                Some(found)
            }
            ("^", [base, exponent]) => {
                let power = exponent.as_constant()?.to_integer()?.to_u64()?;
                if power == 0 || power > MAX_POWER {
                    return None;
                }
                one((1..power).try_fold(base.clone(), |product, _| product.mul(base))?)
            }
            ("/", [dividend, divisor]) => self.quotient(&Division { call, combination, dividend, divisor }),
            ("to_int", [only]) if only.integer => one(only.clone()),
            ("to_int", [only]) => Some(vec![self.floor(combination, only)?]),
            ("div" | "mod", [dividend, divisor]) => {
                self.divide(&Division { call, combination, dividend, divisor })
            }
            _ => None,
        }
    }

    /// `(/ a b)`, with a case for `b = 0`.
    fn quotient(&mut self, division: &Division<'_>) -> Option<Vec<Case>> {
        let &Division { combination, dividend, divisor, .. } = division;
        let mut found = self.by_zero(division)?;
        let guard = Formula::sign(&self.kinds, Relation::Distinct, divisor.numerator.clone())?;
        if guard != FALSE {
            let leaf = Leaf::Number(dividend.div(divisor)?);
            found.push(combination.under(Case::when(guard, leaf)));
        }
        merged(found)
    }

    /// The cases of a division where the divisor is zero: as the model defines it, or else a free choice.
    fn by_zero(&mut self, division: &Division<'_>) -> Option<Vec<Case>> {
        let &Division { call, combination, dividend, divisor } = division;
        let zero = Formula::sign(&self.kinds, Relation::Equal, divisor.numerator.clone())?;
        let guard = combination.guard.clone().and(zero);
        if guard == FALSE {
            return Some(Vec::new());
        }
        let whole = Combination { guard, defined: combination.defined.clone(), leaves: Vec::new() };
        let value = |number: Rational, integer: bool| match number.to_integer().filter(|_| integer) {
            Some(number) => Value::Int(number),
            None => Value::Real(number),
        };
        let zero = value(Rational::ZERO, divisor.integer);
        if let Some(number) = dividend.as_constant() {
            return self.apply_to_ground(call, &whole, &[value(number, dividend.integer), zero]);
        }
        let model = self.evaluator.model;
        if model.has_points(call.op) {
            return None;
        }
        let leaf = Leaf::Number(dividend.clone());
        let name = canonical_name(self.evaluator.arena, call.op);
        if let Some(defined) = model.open_definition(name) {
            let args = [leaf, Leaf::Ground(zero)];
            let bound = |arg: &Leaf| Meant::Cases(vec![Case::always(arg.clone())]);
            let new = defined.params.iter().copied().zip(args.iter().map(bound)).collect();
            let cases = self.with(new, |this| this.cases(defined.body, call.depth + 1))?;
            return Some(cases.into_iter().map(|case| whole.under(case)).collect());
        }
        let number = self.evaluator.choices().and_then(|choices| choices.convention)?;
        if name == "mod" && number == 0 {
            return Some(vec![whole.with(leaf)]);
        }
        let number = Rational::from(number);
        Some(vec![whole.with(Leaf::Ground(value(number, self.sort(call.term) == Sort::INT)))])
    }

    /// The greatest integer that is not greater: a new variable `k` with `k <= number < k + 1`.
    pub(super) fn floor(&mut self, combination: &Combination, number: &Quotient) -> Option<Case> {
        let variable = self.kinds.fresh(true);
        let floor = Quotient::whole(Polynomial::variable(variable), true);
        self.defining(combination, variable, floor, number, &Int::ONE)
    }

    /// A case that defines a variable by `value <= number < value + step`.
    fn defining(
        &mut self,
        combination: &Combination,
        variable: Variable,
        value: Quotient,
        number: &Quotient,
        step: &Int,
    ) -> Option<Case> {
        let step = Quotient::whole(Polynomial::constant(Rational::from(step.clone())), true);
        let (low, number) = (Leaf::Number(value.clone()), Leaf::Number(number.clone()));
        let high = Leaf::Number(value.add(&step)?);
        let bounds = low.compare(Relation::AtMost, &number, &self.kinds)?.and(number.compare(
            Relation::Less,
            &high,
            &self.kinds,
        )?);
        let mut defined = combination.defined.clone();
        defined.insert(variable);
        Some(Case { guard: combination.guard.clone().and(bounds), defined, leaf: low })
    }

    /// `(div a b)` or `(mod a b)`, where `b` is a number or `a` is zero.
    fn divide(&mut self, division: &Division<'_>) -> Option<Vec<Case>> {
        let &Division { combination, dividend, divisor, .. } = division;
        if !dividend.integer || !divisor.integer {
            return None;
        }
        let Some(number) = divisor.as_constant().and_then(|number| number.to_integer()) else {
            // Zero divided by anything else is zero, and so is the remainder.
            dividend.as_constant().filter(Rational::is_zero)?;
            let mut found = self.by_zero(division)?;
            let guard = Formula::sign(&self.kinds, Relation::Distinct, divisor.numerator.clone())?;
            let leaf = Leaf::Ground(Value::Int(Int::ZERO));
            found.push(combination.under(Case::when(guard, leaf)));
            return merged(found);
        };
        if number.is_zero() {
            return self.by_zero(division);
        }
        let remainder = canonical_name(self.evaluator.arena, division.call.op) == "mod";
        let variable = self.kinds.fresh(true);
        let quotient = Quotient::whole(Polynomial::variable(variable), true);
        let size = number.abs();
        let factor = Quotient::whole(Polynomial::constant(Rational::from(size.clone())), true);
        let multiple = quotient.mul(&factor)?;
        let case = self.defining(combination, variable, multiple.clone(), dividend, &size)?;
        let leaf = match (remainder, number.is_negative()) {
            (true, _) => dividend.add(&multiple.neg())?,
            (false, true) => quotient.neg(),
            (false, false) => quotient,
        };
        Some(vec![Case { leaf: Leaf::Number(leaf), ..case }])
    }
}
