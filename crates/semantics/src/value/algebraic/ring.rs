//! Arithmetic with several roots: polynomials in all of them, modulo the defining polynomial of each.
//!
//! An element is a list of coefficients. The exponent of the first root varies fastest.

use std::sync::Arc;

use dashu_base::{Abs, BitTest, Gcd};
use dashu_int::UBig;
use dashu_ratio::RBig;

use super::field;
use super::root::{Interval, Root};
use crate::value::limits::{Budget, Limits, Outcome};

/// The roots of an element.
pub(super) type Bases = Vec<Arc<Root>>;

/// The number of coefficients of an element.
pub(super) fn size(bases: &[Arc<Root>]) -> usize {
    bases.iter().map(|root| root.poly.degree()).product()
}

/// The product. Recursive in the number of roots, which the degree limit keeps small.
pub(super) fn mul(a: &[RBig], b: &[RBig], bases: &[Arc<Root>]) -> Vec<RBig> {
    let Some((last, rest)) = bases.split_last() else { return vec![&a[0] * &b[0]] };
    let (degree, block) = (last.poly.degree(), size(rest));
    let mut blocks = vec![vec![RBig::ZERO; block]; 2 * degree - 1];
    let zero = |part: &[RBig]| part.iter().all(RBig::is_zero);
    for (i, x) in a.chunks(block).enumerate().filter(|(_, x)| !zero(x)) {
        for (j, y) in b.chunks(block).enumerate().filter(|(_, y)| !zero(y)) {
            for (sum, term) in blocks[i + j].iter_mut().zip(mul(x, y, rest)) {
                *sum += term;
            }
        }
    }
    // Reduces x^n by the polynomial of the root.
    let coefficients = field::rational(&last.poly);
    while blocks.len() > degree {
        let Some(top) = blocks.pop() else { break };
        let shift = blocks.len() - degree;
        for (k, c) in coefficients[..degree].iter().enumerate().filter(|(_, c)| !c.is_zero()) {
            let factor = c / &coefficients[degree];
            for (low, high) in blocks[shift + k].iter_mut().zip(&top) {
                *low -= &factor * high;
            }
        }
    }
    blocks.concat()
}

/// An interval that contains the value of the element for all roots in their intervals.
pub(super) fn enclose(a: &[RBig], bases: &[Arc<Root>], intervals: &[Interval]) -> Interval {
    let (Some((_, rest)), Some((interval, others))) = (bases.split_last(), intervals.split_last()) else {
        return Interval { low: a[0].clone(), high: a[0].clone() };
    };
    let mut value = Interval { low: RBig::ZERO, high: RBig::ZERO };
    for part in a.chunks(size(rest)).rev() {
        value = value.mul(interval).add(&enclose(part, rest, others));
    }
    value
}

/// The exponents of each root at a position of the coefficient list.
fn exponents(mut position: usize, bases: &[Arc<Root>]) -> Vec<usize> {
    let mut result = Vec::with_capacity(bases.len());
    for root in bases {
        result.push(position % root.poly.degree());
        position /= root.poly.degree();
    }
    result
}

/// The same element over other roots. `positions` maps each old root to its position among the new ones.
pub(super) fn embed(a: &[RBig], from: &[Arc<Root>], positions: &[usize], to: &[Arc<Root>]) -> Vec<RBig> {
    let mut strides = vec![1; to.len()];
    for i in 1..to.len() {
        strides[i] = strides[i - 1] * to[i - 1].poly.degree();
    }
    let mut result = vec![RBig::ZERO; size(to)];
    for (position, c) in a.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
        let target: usize = exponents(position, from)
            .iter()
            .zip(positions)
            .map(|(e, &at)| if *e == 0 { 0 } else { e * strides[at] })
            .sum();
        result[target] = c.clone();
    }
    result
}

/// Removes the roots that the element does not mention.
pub(super) fn simplify(a: Vec<RBig>, bases: Bases) -> (Vec<RBig>, Bases) {
    let mut used = vec![false; bases.len()];
    for (position, _) in a.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
        for (at, e) in exponents(position, &bases).into_iter().enumerate() {
            used[at] |= e > 0;
        }
    }
    if used.iter().all(|&u| u) {
        return (a, bases);
    }
    let kept: Bases = bases.iter().zip(&used).filter(|(_, u)| **u).map(|(root, _)| root.clone()).collect();
    let mut next = 0;
    let positions: Vec<usize> = used
        .iter()
        .map(|&u| {
            let at = next;
            next += usize::from(u);
            at
        })
        .collect();
    (embed(&a, &bases, &positions, &kept), kept)
}

/// For every product of powers of the roots, the sum over all conjugates, in the order of coefficients.
pub(super) fn traces(bases: &[Arc<Root>]) -> Vec<RBig> {
    let mut result = vec![RBig::ONE];
    for root in bases {
        let sums = field::power_sums(&root.poly, root.poly.degree());
        result = sums.iter().flat_map(|s| result.iter().map(move |r| r * s)).collect();
    }
    result
}

/// A number of bits `b` such that the element is zero if its magnitude is below `2^-b`.
///
/// A multiple of the element by a known integer is an algebraic integer. If it is not zero, the product of its conjugates
/// (the roots of its minimal polynomial) is a non-zero integer, and each is below a known bound.
pub(super) fn zero_bits(a: &[RBig], bases: &[Arc<Root>], limits: &Limits) -> Outcome<u64> {
    let mut multiple = UBig::ONE;
    for c in a {
        let shared = (&multiple).gcd(c.denominator());
        multiple *= c.denominator() / shared;
    }
    let mut multiple_bits = multiple.bit_len() as u64;
    let mut bounds = Vec::with_capacity(bases.len());
    for root in bases {
        let lead = root.poly.coefficients().last().map_or(1, BitTest::bit_len) as u64;
        multiple_bits += lead * (root.poly.degree() as u64 - 1);
        bounds.push(root.poly.root_bound().numerator().bit_len() as u64);
    }
    let mut largest = 0u64;
    for (position, c) in a.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
        let powers: u64 = exponents(position, bases).iter().zip(&bounds).map(|(e, b)| *e as u64 * b).sum();
        let whole = c.clone().abs().ceil();
        largest = largest.max(whole.bit_len() as u64 + powers);
    }
    // The sum has at most this many bits more than its largest term.
    let conjugate_bits = multiple_bits + largest + u64::from(usize::BITS - a.len().leading_zeros());
    let bits = conjugate_bits.saturating_mul(a.len() as u64);
    limits.check_bits(bits)?;
    Ok(bits)
}

/// Halves the intervals of all roots.
pub(super) fn halve(
    bases: &[Arc<Root>],
    intervals: &mut [Interval],
    limits: &Limits,
    budget: &mut Budget,
) -> Outcome<()> {
    for (root, interval) in bases.iter().zip(intervals) {
        root.halve(interval, limits, budget)?;
    }
    Ok(())
}

/// Narrows the intervals of all roots to a width of at most `2^-bits`.
pub(super) fn narrow(
    bases: &[Arc<Root>],
    intervals: &mut [Interval],
    bits: u64,
    limits: &Limits,
    budget: &mut Budget,
) -> Outcome<()> {
    for (root, interval) in bases.iter().zip(intervals) {
        root.narrow(interval, bits, limits, budget)?;
    }
    Ok(())
}

/// The isolating intervals of all roots.
pub(super) fn intervals(bases: &[Arc<Root>]) -> Vec<Interval> {
    bases.iter().map(|root| root.interval.clone()).collect()
}
