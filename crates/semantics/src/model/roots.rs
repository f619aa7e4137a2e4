//! Real algebraic numbers as solvers print them.

use smt::sexpr::{Sexpr, read_all};

use crate::value::algebraic::Algebraic;
use crate::value::integer::Int;
use crate::value::limits::Limits;
use crate::value::rational::Rational;
use crate::value::real::Real;

/// The highest degree of a polynomial.
const MAX_DEGREE: u64 = 256;

/// Reads `(root-obj POLYNOMIAL INDEX)` or `(root-of-with-interval (coeffs C …) LOW HIGH)`.
pub(super) fn read_term(text: &str, limits: &Limits) -> Option<Real> {
    let all = read_all(text).ok()?;
    let [term] = &all[..] else { return None };
    match term.list()? {
        [head, polynomial, index] if head.atom() == Some("root-obj") => {
            let coefficients = polynomial_of(polynomial, limits)?;
            Algebraic::root_by_index(&coefficients, index.atom()?.parse().ok()?, limits).ok()?
        }
        [head, coefficients, low, high] if head.atom() == Some("root-of-with-interval") => {
            let coefficients = coefficients.list()?;
            let named = coefficients.first().and_then(Sexpr::atom) == Some("coeffs");
            let coefficients: Option<Vec<Rational>> = coefficients[usize::from(named)..]
                .iter()
                .map(|coefficient| number(coefficient, limits))
                .collect();
            Algebraic::root_in_interval(&coefficients?, &number(low, limits)?, &number(high, limits)?, limits)
                .ok()?
        }
        _ => None,
    }
}

/// Reads the text between the angle brackets of cvc5's `(_ real_algebraic_number <…>)`: `1*x^2 + (-2), (5/4, 3/2)`.
pub(super) fn read_bracketed(text: &str, limits: &Limits) -> Option<Real> {
    let (polynomial, interval) = text.split_once(',')?;
    let mut coefficients: Vec<Rational> = Vec::new();
    for part in polynomial.split('+') {
        let part = part.trim();
        let part = part.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(part);
        let (coefficient, power) = match part.split_once('*') {
            Some((coefficient, power)) => (coefficient, power.trim()),
            None if part.contains('x') => ("1", part),
            None => (part, ""),
        };
        let degree: u64 = match power {
            "" => 0,
            "x" => 1,
            power => power.strip_prefix("x^")?.parse().ok()?,
        };
        add_term(&mut coefficients, degree, &fraction(coefficient)?, limits)?;
    }
    let interval = interval.trim().trim_start_matches(['(', '[']).trim_end_matches([')', ']']);
    let (low, high) = interval.split_once(',')?;
    Algebraic::root_in_interval(&coefficients, &fraction(low)?, &fraction(high)?, limits).ok()?
}

/// `5`, `-5`, `(-5)`, `5/4`.
fn fraction(text: &str) -> Option<Rational> {
    let text = text.trim().trim_start_matches('(').trim_end_matches(')').trim();
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text.trim()));
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let value =
        Rational::new(&Int::parse_numeral(numerator.trim())?, &Int::parse_numeral(denominator.trim())?)?;
    Some(if negative { value.neg() } else { value })
}

fn add_term(coefficients: &mut Vec<Rational>, degree: u64, value: &Rational, limits: &Limits) -> Option<()> {
    if degree > MAX_DEGREE {
        return None;
    }
    let degree = degree as usize;
    if coefficients.len() <= degree {
        coefficients.resize(degree + 1, Rational::ZERO);
    }
    coefficients[degree] = coefficients[degree].add(value, limits).ok()?;
    Some(())
}

/// A rational number as a term: `5`, `1.5`, `(- 5)`, `(/ 1 3)`.
fn number(term: &Sexpr, limits: &Limits) -> Option<Rational> {
    match term {
        Sexpr::Atom(_, text, _) => match text.contains('.') {
            true => Rational::parse_decimal(text),
            false => fraction(text),
        },
        Sexpr::List(items, _) => match &items[..] {
            [head, value] if head.atom() == Some("-") => Some(number(value, limits)?.neg()),
            [head, a, b] if head.atom() == Some("/") => {
                number(a, limits)?.div(&number(b, limits)?, limits).ok()
            }
            _ => None,
        },
    }
}

/// The coefficients of a polynomial in one variable, lowest degree first. The s-expression reader bounds the depth.
fn polynomial_of(term: &Sexpr, limits: &Limits) -> Option<Vec<Rational>> {
    if let Some(constant) = number(term, limits) {
        return Some(vec![constant]);
    }
    let items = match term {
        Sexpr::Atom(..) => return Some(vec![Rational::ZERO, Rational::ONE]),
        Sexpr::List(items, _) => items,
    };
    let (head, args) = items.split_first()?;
    if let ("^", [base, exponent]) = (head.atom()?, args) {
        let base = polynomial_of(base, limits)?;
        let exponent: u64 = exponent.atom()?.parse().ok().filter(|&exponent| exponent <= MAX_DEGREE)?;
        let mut result = vec![Rational::ONE];
        for _ in 0..exponent {
            result = product(&result, &base, limits)?;
        }
        return Some(result);
    }
    let parts: Vec<Vec<Rational>> =
        args.iter().map(|arg| polynomial_of(arg, limits)).collect::<Option<_>>()?;
    let (first, rest) = parts.split_first()?;
    let negated = |part: &[Rational]| part.iter().map(Rational::neg).collect::<Vec<_>>();
    match head.atom()? {
        "-" if rest.is_empty() => Some(negated(first)),
        "+" => rest.iter().try_fold(first.clone(), |sum, part| plus(&sum, part, limits)),
        "-" => rest.iter().try_fold(first.clone(), |sum, part| plus(&sum, &negated(part), limits)),
        "*" => rest.iter().try_fold(first.clone(), |result, part| product(&result, part, limits)),
        _ => None,
    }
}

fn plus(a: &[Rational], b: &[Rational], limits: &Limits) -> Option<Vec<Rational>> {
    let mut sum = a.to_vec();
    for (degree, value) in b.iter().enumerate() {
        add_term(&mut sum, degree as u64, value, limits)?;
    }
    Some(sum)
}

fn product(a: &[Rational], b: &[Rational], limits: &Limits) -> Option<Vec<Rational>> {
    let mut result = Vec::new();
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            add_term(&mut result, (i + j) as u64, &x.mul(y, limits).ok()?, limits)?;
        }
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_gives_the_square_root_of_two() {
        let limits = Limits::default();
        let forms = [
            read_term("(root-obj (+ (^ x 2) (- 2)) 2)", &limits),
            read_term("(root-of-with-interval (coeffs (- 2) 0 1) 1 (/ 3 2))", &limits),
            read_bracketed("1*x^2 + (-2), (5/4, 3/2)", &limits),
        ];
        for form in forms {
            let root = form.expect("a readable root");
            let square = root.mul(&root, &limits).expect("within the limits");
            assert_eq!(square, Real::Rational(Rational::from(2)));
            assert_eq!(root.signum(), 1);
        }
    }

    #[test]
    fn malformed_roots_are_rejected() {
        let limits = Limits::default();
        for text in ["(root-obj (+ (^ x 2) 2) 1)", "(root-obj x)", "root-obj", "(root-obj (^ x 99999) 1)"] {
            assert!(read_term(text, &limits).is_none(), "{text}");
        }
        assert!(read_bracketed("x^2", &limits).is_none());
    }
}
