//! Real algebraic numbers, as solvers print them in models of non-linear arithmetic.
//!
//! A number is a polynomial in a few roots, so that all results computed from the roots of a model stay in one ring and their
//! size does not grow with the number of operations. Signs come from intervals. A common divisor (one root) or a lower bound on
//! non-zero magnitudes (several roots) proves that a number is zero. Every step is exact. A budget of steps and a bound on the
//! degree make costly operations undetermined.

mod field;
mod polynomial;
mod ring;
mod root;

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use dashu_base::Abs;
use dashu_int::IBig;
use dashu_ratio::RBig;

use super::integer::Int;
use super::limits::{Budget, Limits, Outcome};
use super::rational::Rational;
use super::real::Real;
use polynomial::{Poly, Sturm};
use ring::Bases;
use root::{Found, Interval, Root, check_degree};

/// The number of fractional bits of the stored floor.
const KEY_BITS: usize = 20;

/// No limits, for comparisons that must succeed.
const UNLIMITED: Limits = Limits { bits: u64::MAX, chars: u64::MAX, steps: u64::MAX, degree: u32::MAX };

/// A real algebraic number. One that is an integer multiple of `2^-20` is always a [`Rational`] instead.
#[derive(Clone)]
pub struct Algebraic {
    bases: Arc<[Arc<Root>]>,
    /// The number as a polynomial in the roots.
    element: Arc<[RBig]>,
    /// The floor of the number times `2^KEY_BITS`. Decides most comparisons, and is equal for equal numbers.
    key: Int,
}

impl Algebraic {
    /// Z3's `(root-obj p k)`: the `index`-th real root of the polynomial, counted from 1. `None` if it has fewer.
    ///
    /// Coefficients are listed lowest degree first.
    pub fn root_by_index(coefficients: &[Rational], index: u64, limits: &Limits) -> Outcome<Option<Real>> {
        let poly = polynomial_of(coefficients);
        if poly.degree() == 0 {
            return Ok(None);
        }
        Root::by_index(&poly, index, limits)?.map(|found| real_of(found, limits)).transpose()
    }

    /// `root-of-with-interval`: the root of the polynomial between two numbers. `None` unless there is exactly one.
    pub fn root_in_interval(
        coefficients: &[Rational],
        low: &Rational,
        high: &Rational,
        limits: &Limits,
    ) -> Outcome<Option<Real>> {
        let poly = polynomial_of(coefficients);
        if poly.degree() == 0 {
            return Ok(None);
        }
        let interval = Interval { low: low.to_big(), high: high.to_big() };
        Root::in_interval(&poly, interval, limits)?.map(|found| real_of(found, limits)).transpose()
    }

    /// The number of an element, as a rational if it is recognized as one.
    fn make(bases: Bases, element: Vec<RBig>, limits: &Limits, budget: &mut Budget) -> Outcome<Real> {
        field::check_size(&element, limits, budget)?;
        let (element, bases) = ring::simplify(element, bases);
        if bases.is_empty() {
            return Ok(Real::Rational(Rational::from_big(element[0].clone())));
        }
        let unit = RBig::from(IBig::ONE << KEY_BITS);
        let scaled: Vec<RBig> = element.iter().map(|c| c * &unit).collect();
        let (key, exact) = floor(&bases, &scaled, limits, budget)?;
        if exact {
            return Ok(Real::Rational(Rational::from_big(RBig::from(key) / unit)));
        }
        Ok(Real::Algebraic(Algebraic {
            bases: bases.into(),
            element: element.into(),
            key: Int::from_big(key),
        }))
    }

    /// -1 or 1. Zero is always rational.
    pub fn signum(&self) -> i32 {
        if self.key.is_negative() { -1 } else { 1 }
    }

    /// The greatest integer below the number.
    pub fn floor(&self) -> Int {
        Int::from_big(self.key.to_big() >> KEY_BITS)
    }

    pub(super) fn key(&self) -> &Int {
        &self.key
    }

    /// The negation.
    pub fn neg(&self) -> Algebraic {
        Algebraic {
            bases: self.bases.clone(),
            element: self.element.iter().map(|c| -c.clone()).collect(),
            // The scaled number is not an integer, so its floor is one less.
            key: self.key.neg().sub(&Int::ONE),
        }
    }

    pub(super) fn add_rational(&self, other: &Rational, limits: &Limits) -> Outcome<Real> {
        let element = plus(&self.element, &other.to_big());
        Algebraic::make(self.bases.to_vec(), element, limits, &mut Budget::new(limits))
    }

    pub(super) fn mul_rational(&self, other: &Rational, limits: &Limits) -> Outcome<Real> {
        let factor = other.to_big();
        let element = self.element.iter().map(|c| c * &factor).collect();
        Algebraic::make(self.bases.to_vec(), element, limits, &mut Budget::new(limits))
    }

    /// The sum.
    pub fn add(&self, other: &Algebraic, limits: &Limits) -> Outcome<Real> {
        let mut budget = Budget::new(limits);
        let (bases, a, b) = self.together(other, limits, &mut budget)?;
        let sum = a.iter().zip(&b).map(|(x, y)| x + y).collect();
        Algebraic::make(bases, sum, limits, &mut budget)
    }

    /// The product.
    pub fn mul(&self, other: &Algebraic, limits: &Limits) -> Outcome<Real> {
        let mut budget = Budget::new(limits);
        let (bases, a, b) = self.together(other, limits, &mut budget)?;
        let product = ring::mul(&a, &b, &bases);
        Algebraic::make(bases, product, limits, &mut budget)
    }

    /// One divided by the number, which is not zero.
    pub fn inverse(&self, limits: &Limits) -> Outcome<Real> {
        let mut budget = Budget::new(limits);
        let [root] = &self.bases[..] else { return self.inverse_in_ring(limits, &mut budget) };
        let element = field::trimmed(self.element.to_vec());
        let shared = root.poly.gcd(&Poly::from_rationals(&element), &mut budget)?;
        // A common factor does not vanish at the root, since the number is not zero, and can be divided out.
        let root = if shared.degree() == 0 {
            root.clone()
        } else {
            let poly = root.poly.exact_quotient(&shared);
            Arc::new(Root { poly, interval: root.interval.clone() })
        };
        let element = field::reduce(&element, &root.poly);
        let mut inverse = field::inverse(&element, &root.poly, limits, &mut budget)?;
        inverse.resize(root.poly.degree(), RBig::ZERO);
        Algebraic::make(vec![root], inverse, limits, &mut budget)
    }

    /// The inverse over several roots, from the characteristic polynomial.
    fn inverse_in_ring(&self, limits: &Limits, budget: &mut Budget) -> Outcome<Real> {
        let (powers, poly) = self.characteristic(limits, budget)?;
        let (constant, others) = match poly.coefficients() {
            [constant, others @ ..] if !constant.is_zero() => (constant, others),
            // Some conjugate is zero, so the ring has no inverse. Represents the number by a root of its own first.
            _ => {
                return match real_of(self.defining(limits, budget)?, limits)? {
                    Real::Rational(value) => value.inverse().map(Real::Rational),
                    Real::Algebraic(value) => value.inverse(limits),
                };
            }
        };
        let mut inverse = vec![RBig::ZERO; self.element.len()];
        for (c, power) in others.iter().zip(&powers) {
            let factor = -RBig::from_parts_signed(c.clone(), constant.clone());
            for (sum, term) in inverse.iter_mut().zip(power) {
                *sum += term * &factor;
            }
        }
        Algebraic::make(self.bases.to_vec(), inverse, limits, budget)
    }

    /// The order of two numbers.
    pub fn compare(&self, other: &Algebraic, limits: &Limits) -> Outcome<Ordering> {
        let by_key = self.key.cmp(&other.key);
        if by_key.is_ne() {
            return Ok(by_key);
        }
        let mut budget = Budget::new(limits);
        let (bases, a, b) = self.together(other, limits, &mut budget)?;
        let difference: Vec<RBig> = a.iter().zip(&b).map(|(x, y)| x - y).collect();
        Ok(sign(&bases, &difference, limits, &mut budget)?.cmp(&0))
    }

    /// The order of the number and a rational number.
    pub(crate) fn compare_rational(&self, other: &Rational, limits: &Limits) -> Outcome<Ordering> {
        let by_key = self.key.cmp(&rational_key(other));
        if by_key.is_ne() {
            return Ok(by_key);
        }
        let mut budget = Budget::new(limits);
        let difference = plus(&self.element, &-other.to_big());
        Ok(sign(&self.bases, &difference, limits, &mut budget)?.cmp(&0))
    }

    /// Calls a function with ever tighter bounds until it returns an answer.
    pub(super) fn narrow<T>(
        &self,
        limits: &Limits,
        mut answer: impl FnMut(&RBig, &RBig) -> Option<T>,
    ) -> Outcome<T> {
        let mut budget = Budget::new(limits);
        let mut intervals = ring::intervals(&self.bases);
        loop {
            let bounds = ring::enclose(&self.element, &self.bases, &intervals);
            if let Some(answer) = answer(&bounds.low, &bounds.high) {
                return Ok(answer);
            }
            ring::halve(&self.bases, &mut intervals, limits, &mut budget)?;
        }
    }

    /// Both numbers as elements over a common list of roots.
    fn together(
        &self,
        other: &Algebraic,
        limits: &Limits,
        budget: &mut Budget,
    ) -> Outcome<(Bases, Vec<RBig>, Vec<RBig>)> {
        if Arc::ptr_eq(&self.bases, &other.bases) {
            return Ok((self.bases.to_vec(), self.element.to_vec(), other.element.to_vec()));
        }
        let mut bases = self.bases.to_vec();
        let mut positions = Vec::with_capacity(other.bases.len());
        for root in other.bases.iter() {
            let mut position = bases.len();
            for (at, known) in bases.iter().enumerate() {
                if Arc::ptr_eq(known, root) || (known.poly == root.poly && known.same(root, budget)?) {
                    position = at;
                    break;
                }
            }
            if position == bases.len() {
                bases.push(root.clone());
            }
            positions.push(position);
        }
        check_degree(ring::size(&bases), limits)?;
        let own: Vec<usize> = (0..self.bases.len()).collect();
        let a = ring::embed(&self.element, &self.bases, &own, &bases);
        let b = ring::embed(&other.element, &other.bases, &positions, &bases);
        Ok((bases, a, b))
    }

    /// The powers of the number, from the zeroth, and a polynomial whose roots are its conjugates.
    ///
    /// The coefficients come from the power sums of the conjugates.
    fn characteristic(&self, limits: &Limits, budget: &mut Budget) -> Outcome<(Vec<Vec<RBig>>, Poly)> {
        let traces = ring::traces(&self.bases);
        let mut power = vec![RBig::ZERO; self.element.len()];
        power[0] = RBig::ONE;
        let mut powers = vec![power];
        let mut sums = Vec::with_capacity(self.element.len() + 1);
        for k in 0..=self.element.len() {
            sums.push(powers[k].iter().zip(&traces).fold(RBig::ZERO, |sum, (c, t)| sum + c * t));
            let next = ring::mul(&powers[k], &self.element, &self.bases);
            field::check_size(&next, limits, budget)?;
            powers.push(next);
        }
        Ok((powers, field::from_power_sums(&sums, limits, budget)?))
    }

    /// The number as a root of its own polynomial.
    fn defining(&self, limits: &Limits, budget: &mut Budget) -> Outcome<Found> {
        if let ([root], [zero, one, rest @ ..]) = (&self.bases[..], &self.element[..])
            && zero.is_zero()
            && one.is_one()
            && rest.iter().all(RBig::is_zero)
        {
            return Ok(Found::Root((**root).clone()));
        }
        let poly = self.characteristic(limits, budget)?.1.square_free(budget)?;
        let mut intervals = ring::intervals(&self.bases);
        pin(poly, budget, |budget| {
            ring::halve(&self.bases, &mut intervals, limits, budget)?;
            Ok(ring::enclose(&self.element, &self.bases, &intervals))
        })
    }

    /// The order of two numbers, without limits.
    pub(super) fn compare_fully(&self, other: &Algebraic) -> Ordering {
        self.compare(other, &UNLIMITED).unwrap_or(Ordering::Equal)
    }

    /// The order of the number and a rational number, without limits.
    pub(super) fn compare_rational_fully(&self, other: &Rational) -> Ordering {
        self.compare_rational(other, &UNLIMITED).unwrap_or(Ordering::Equal)
    }
}

fn polynomial_of(coefficients: &[Rational]) -> Poly {
    let coefficients: Vec<RBig> = coefficients.iter().map(Rational::to_big).collect();
    Poly::from_rationals(&coefficients)
}

fn real_of(found: Found, limits: &Limits) -> Outcome<Real> {
    match found {
        Found::Rational(value) => Ok(Real::Rational(Rational::from_big(value))),
        Found::Root(mut root) => {
            let mut budget = Budget::new(limits);
            // A narrow interval saves halvings in later operations.
            let mut interval = root.interval.clone();
            for _ in 0..HALVINGS_AT_FIRST {
                root.halve(&mut interval, limits, &mut budget)?;
                if interval.low == interval.high {
                    return Ok(Real::Rational(Rational::from_big(interval.low)));
                }
            }
            root.interval = interval;
            let mut itself = vec![RBig::ZERO; root.poly.degree()];
            itself[1] = RBig::ONE;
            Algebraic::make(vec![Arc::new(root)], itself, limits, &mut budget)
        }
    }
}

/// How often the interval of a new root is halved.
const HALVINGS_AT_FIRST: u32 = 48;

/// The key that an equal algebraic number would have.
pub(super) fn rational_key(value: &Rational) -> Int {
    if let Some(whole) = value.to_integer() {
        return Int::from_big(whole.to_big() << KEY_BITS);
    }
    Int::from_big((value.to_big() * RBig::from(IBig::ONE << KEY_BITS)).floor())
}

/// The element with a rational number added.
fn plus(element: &[RBig], number: &RBig) -> Vec<RBig> {
    let mut sum = element.to_vec();
    sum[0] += number;
    sum
}

/// The root of a square-free polynomial that a sequence of shrinking intervals contains.
fn pin(
    poly: Poly,
    budget: &mut Budget,
    mut closer: impl FnMut(&mut Budget) -> Outcome<Interval>,
) -> Outcome<Found> {
    let sturm = Sturm::new(&poly, budget)?;
    loop {
        let interval = closer(budget)?;
        let Interval { low, high } = &interval;
        if low == high {
            return Ok(Found::Rational(low.clone()));
        }
        if poly.sign_at(low) != 0 && poly.sign_at(high) != 0 && sturm.count(low, high, budget)? == 1 {
            return Ok(Found::Root(Root { poly, interval }));
        }
    }
}

/// Whether an element is zero.
fn is_zero(bases: &[Arc<Root>], element: &[RBig], limits: &Limits, budget: &mut Budget) -> Outcome<bool> {
    if element.iter().all(RBig::is_zero) {
        return Ok(true);
    }
    if let [root] = bases {
        return root.is_root_of(&Poly::from_rationals(element), budget);
    }
    let zero_bits = ring::zero_bits(element, bases, limits)?;
    let bound = RBig::ONE / (IBig::ONE << zero_bits as usize);
    let mut intervals = ring::intervals(bases);
    let mut bits = FIRST_BITS;
    loop {
        let Interval { low, high } = ring::enclose(element, bases, &intervals);
        if low > RBig::ZERO || high < RBig::ZERO {
            return Ok(false);
        }
        if high < bound && low > -bound.clone() {
            return Ok(true);
        }
        ring::narrow(bases, &mut intervals, bits, limits, budget)?;
        // The enclosure is wider than the intervals.
        bits = if bits < zero_bits { (2 * bits).min(zero_bits + FIRST_BITS) } else { 2 * bits };
    }
}

/// The bits behind the point to which roots are computed at first.
const FIRST_BITS: u64 = 64;

/// How often an interval is halved before the exact and more expensive test for zero.
const HALVINGS_BEFORE_EXACT: u32 = 6;

/// -1, 0 or 1: the sign of an element.
fn sign(bases: &[Arc<Root>], element: &[RBig], limits: &Limits, budget: &mut Budget) -> Outcome<i32> {
    let mut intervals = ring::intervals(bases);
    let (mut halvings, mut bits) = (0, FIRST_BITS);
    loop {
        let bounds = ring::enclose(element, bases, &intervals);
        if bounds.low > RBig::ZERO {
            return Ok(1);
        }
        if bounds.high < RBig::ZERO {
            return Ok(-1);
        }
        if bounds.low == bounds.high {
            return Ok(0);
        }
        if halvings < HALVINGS_BEFORE_EXACT {
            ring::halve(bases, &mut intervals, limits, budget)?;
            halvings += 1;
            continue;
        }
        if bits == FIRST_BITS && is_zero(bases, element, limits, budget)? {
            return Ok(0);
        }
        ring::narrow(bases, &mut intervals, bits, limits, budget)?;
        bits *= 2;
    }
}

/// The floor of an element, and whether it is an integer.
fn floor(
    bases: &[Arc<Root>],
    element: &[RBig],
    limits: &Limits,
    budget: &mut Budget,
) -> Outcome<(IBig, bool)> {
    let mut intervals = ring::intervals(bases);
    let mut refuted: Option<IBig> = None;
    let (mut waited, mut bits) = (0, FIRST_BITS);
    loop {
        let bounds = ring::enclose(element, bases, &intervals);
        let (low, high) = (bounds.low.floor(), bounds.high.floor());
        // The only integer between the bounds, if there is at most one.
        let candidate = if bounds.low.is_int() { low.clone() } else { high.clone() };
        if low == high && !bounds.low.is_int() {
            return Ok((low, false));
        }
        let span = &high - &low;
        if span <= IBig::ONE && refuted.as_ref() != Some(&candidate) {
            waited += 1;
            if waited > HALVINGS_BEFORE_EXACT || bounds.low == bounds.high {
                let difference = plus(element, &-RBig::from(candidate.clone()));
                if is_zero(bases, &difference, limits, budget)? {
                    return Ok((candidate, true));
                }
                refuted = Some(candidate);
            }
        }
        if refuted.is_some() {
            ring::narrow(bases, &mut intervals, bits, limits, budget)?;
            bits *= 2;
            continue;
        }
        ring::halve(bases, &mut intervals, limits, budget)?;
    }
}

impl fmt::Display for Algebraic {
    /// Writes Z3's term, such as `(root-obj (+ (^ x 2) (- 2)) 2)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut budget = Budget::new(&UNLIMITED);
        match self.defining(&UNLIMITED, &mut budget) {
            Ok(Found::Rational(value)) => write!(f, "{}", Rational::from_big(value)),
            Ok(Found::Root(root)) => {
                let start = -root.poly.root_bound();
                let index = Sturm::new(&root.poly, &mut budget)
                    .and_then(|sturm| sturm.count(&start, &root.interval.high, &mut budget))
                    .unwrap_or(0);
                f.write_str("(root-obj (+")?;
                for (power, c) in root.poly.coefficients().iter().enumerate().rev() {
                    write_monomial(f, power, c)?;
                }
                write!(f, ") {index})")
            }
            Err(reason) => write!(f, "<an algebraic number: {reason}>"),
        }
    }
}

fn write_monomial(f: &mut fmt::Formatter<'_>, power: usize, coefficient: &IBig) -> fmt::Result {
    if coefficient.is_zero() {
        return Ok(());
    }
    let variable = match power {
        0 => return write!(f, " {}", Int::from_big(coefficient.clone())),
        1 => "x".to_string(),
        _ => format!("(^ x {power})"),
    };
    if coefficient.is_one() {
        write!(f, " {variable}")
    } else if coefficient.clone().abs().is_one() {
        write!(f, " (- {variable})")
    } else {
        write!(f, " (* {} {variable})", Int::from_big(coefficient.clone()))
    }
}

impl fmt::Debug for Algebraic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
