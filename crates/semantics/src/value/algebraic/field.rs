//! Arithmetic in the field of one root: polynomials in the root, modulo its defining polynomial.

use dashu_base::BitTest;
use dashu_int::IBig;
use dashu_ratio::RBig;

use super::polynomial::Poly;
use crate::value::limits::{Budget, Limits, Outcome};

/// A polynomial in the root with rational coefficients, lowest degree first, without trailing zeros.
pub(super) type Element = Vec<RBig>;

pub(super) fn trimmed(mut element: Element) -> Element {
    while element.last().is_some_and(RBig::is_zero) {
        element.pop();
    }
    element
}

/// Fails if a coefficient is too large.
pub(super) fn check_size(element: &[RBig], limits: &Limits, budget: &mut Budget) -> Outcome<()> {
    for c in element {
        let bits = c.numerator().bit_len().max(c.denominator().bit_len()) as u64;
        limits.check_bits(bits)?;
        budget.spend(1 + bits / 256)?;
    }
    Ok(())
}

pub(super) fn add(a: &[RBig], b: &[RBig]) -> Element {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let mut sum = long.to_vec();
    for (x, y) in sum.iter_mut().zip(short) {
        *x += y;
    }
    trimmed(sum)
}

pub(super) fn scale(a: &[RBig], factor: &RBig) -> Element {
    trimmed(a.iter().map(|c| c * factor).collect())
}

pub(super) fn mul(a: &[RBig], b: &[RBig]) -> Element {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let mut product = vec![RBig::ZERO; a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            product[i + j] += x * y;
        }
    }
    trimmed(product)
}

/// Quotient and remainder. The divisor is not zero.
fn div_rem(a: &[RBig], divisor: &[RBig]) -> (Element, Element) {
    let Some(lead) = divisor.last() else { return (Vec::new(), a.to_vec()) };
    let mut rest = trimmed(a.to_vec());
    let mut quotient = vec![RBig::ZERO; (rest.len() + 1).saturating_sub(divisor.len())];
    while rest.len() >= divisor.len() {
        let Some(top) = rest.last() else { break };
        let factor = top / lead;
        let shift = rest.len() - divisor.len();
        for (i, c) in divisor.iter().enumerate() {
            rest[shift + i] -= c * &factor;
        }
        quotient[shift] = factor;
        rest.pop();
        rest = trimmed(rest);
    }
    (trimmed(quotient), rest)
}

/// The remainder modulo the polynomial of the root.
pub(super) fn reduce(a: &[RBig], modulus: &Poly) -> Element {
    if a.len() <= modulus.degree() {
        return trimmed(a.to_vec());
    }
    div_rem(a, &rational(modulus)).1
}

/// The coefficients as rational numbers.
pub(super) fn rational(poly: &Poly) -> Element {
    poly.coefficients().iter().cloned().map(RBig::from).collect()
}

/// The inverse modulo a polynomial that is coprime with the element.
pub(super) fn inverse(a: &[RBig], modulus: &Poly, limits: &Limits, budget: &mut Budget) -> Outcome<Element> {
    // Euclid's algorithm. Invariant of both rows: `coefficient * a = rest` modulo the polynomial.
    let (mut old_rest, mut rest) = (rational(modulus), a.to_vec());
    let (mut old_coefficient, mut coefficient): (Element, Element) = (Vec::new(), vec![RBig::ONE]);
    while rest.len() > 1 {
        let (quotient, next_rest) = div_rem(&old_rest, &rest);
        let step = scale(&mul(&quotient, &coefficient), &RBig::from(IBig::from(-1)));
        let next_coefficient = add(&old_coefficient, &step);
        check_size(&next_coefficient, limits, budget)?;
        (old_rest, rest) = (rest, next_rest);
        (old_coefficient, coefficient) = (coefficient, next_coefficient);
    }
    match rest.first() {
        Some(unit) => Ok(scale(&coefficient, &(RBig::ONE / unit))),
        None => Ok(old_coefficient),
    }
}

/// The sums of the `k`-th powers of all complex roots, for `k` from 0 to `count - 1` (Newton's identities).
pub(super) fn power_sums(poly: &Poly, count: usize) -> Vec<RBig> {
    let degree = poly.degree();
    let coefficients = rational(poly);
    let lead = &coefficients[degree];
    let mut sums: Vec<RBig> = vec![RBig::from(IBig::from(degree))];
    for k in 1..count {
        let mut total = RBig::ZERO;
        for i in 1..=k.min(degree) {
            let c = &coefficients[degree - i] / lead;
            // For k <= degree, the last term of the identity is k times the coefficient.
            let factor = if i == k { RBig::from(IBig::from(k)) } else { sums[k - i].clone() };
            total -= c * factor;
        }
        sums.push(total);
    }
    sums
}

/// The monic polynomial whose roots have these power sums. The first sum is its degree.
pub(super) fn from_power_sums(sums: &[RBig], limits: &Limits, budget: &mut Budget) -> Outcome<Poly> {
    let degree = sums.len() - 1;
    // coefficients[i] belongs to x^(degree - i).
    let mut coefficients = vec![RBig::ONE];
    for k in 1..=degree {
        let mut total = sums[k].clone();
        for i in 1..k {
            total += &coefficients[i] * &sums[k - i];
        }
        let next = -total / IBig::from(k);
        check_size(std::slice::from_ref(&next), limits, budget)?;
        coefficients.push(next);
    }
    coefficients.reverse();
    Ok(Poly::from_rationals(&coefficients))
}
