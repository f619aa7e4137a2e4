//! Real algebraic numbers, as solvers print them in models of non-linear arithmetic.
//!
//! A number is a polynomial in one root, so that everything computed from one irrational stays in its field at no
//! growth of degree. Numbers from different roots meet through the polynomial of their sum or product, whose
//! coefficients come from sums of powers. Every step is exact; a budget of steps and a bound on the degree turn what
//! is too costly into "undetermined".

mod field;
mod polynomial;
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
use field::Element;
use polynomial::{Poly, Sturm};
use root::{Found, Interval, Root, check_degree};

/// The binary places up to which the floor of a number is kept.
const KEY_BITS: usize = 20;

/// What bounds nothing; for comparisons that must have an answer.
const UNLIMITED: Limits = Limits { bits: u64::MAX, chars: u64::MAX, steps: u64::MAX, degree: u32::MAX };

/// A real algebraic number. One that is an integer multiple of `2^-20` is always a [`Rational`] instead.
#[derive(Clone)]
pub struct Algebraic {
    root: Arc<Root>,
    /// The number as a polynomial in the root.
    element: Arc<[RBig]>,
    /// The floor of the number times `2^KEY_BITS`: decides most comparisons, and is the same for equal numbers.
    key: Int,
}

/// The operation that joins two numbers of different fields.
#[derive(Clone, Copy)]
enum Join {
    Sum,
    Product,
}

impl Algebraic {
    /// Z3's `(root-obj p k)`: the `index`-th real root of the polynomial, counted from 1, or nothing if it has fewer.
    ///
    /// Coefficients are given from the constant one on.
    pub fn root_by_index(coefficients: &[Rational], index: u64, limits: &Limits) -> Outcome<Option<Real>> {
        let poly = polynomial_of(coefficients);
        if poly.degree() == 0 {
            return Ok(None);
        }
        Root::by_index(&poly, index, limits)?.map(|found| real_of(found, limits)).transpose()
    }

    /// `root-of-with-interval`: the root of the polynomial between two numbers, or nothing if there is not exactly one.
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

    /// The number of an element, rational if that shows.
    fn make(root: &Arc<Root>, element: &[RBig], limits: &Limits, budget: &mut Budget) -> Outcome<Real> {
        let element = field::reduce(element, &root.poly);
        field::check_size(&element, limits, budget)?;
        match &element[..] {
            [] => return Ok(Real::Rational(Rational::ZERO)),
            [only] => return Ok(Real::Rational(Rational::from_big(only.clone()))),
            _ => {}
        }
        let unit = RBig::from(IBig::ONE << KEY_BITS);
        let (key, exact) = floor(root, &field::scale(&element, &unit), limits, budget)?;
        if exact {
            return Ok(Real::Rational(Rational::from_big(RBig::from(key) / unit)));
        }
        Ok(Real::Algebraic(Algebraic {
            root: root.clone(),
            element: element.into(),
            key: Int::from_big(key),
        }))
    }

    /// -1 or 1; zero is rational.
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
            root: self.root.clone(),
            element: self.element.iter().map(|c| -c.clone()).collect(),
            // The scaled number is no integer, so its floor goes one further down.
            key: self.key.neg().sub(&Int::ONE),
        }
    }

    pub(super) fn add_rational(&self, other: &Rational, limits: &Limits) -> Outcome<Real> {
        let element = field::add(&self.element, &[other.to_big()]);
        Algebraic::make(&self.root, &element, limits, &mut Budget::new(limits))
    }

    pub(super) fn mul_rational(&self, other: &Rational, limits: &Limits) -> Outcome<Real> {
        let element = field::scale(&self.element, &other.to_big());
        Algebraic::make(&self.root, &element, limits, &mut Budget::new(limits))
    }

    /// The sum.
    pub fn add(&self, other: &Algebraic, limits: &Limits) -> Outcome<Real> {
        let mut budget = Budget::new(limits);
        if self.shares_root(other, &mut budget)? {
            let sum = field::add(&self.element, &other.element);
            return Algebraic::make(&self.root, &sum, limits, &mut budget);
        }
        self.join(other, Join::Sum, limits, &mut budget)
    }

    /// The product.
    pub fn mul(&self, other: &Algebraic, limits: &Limits) -> Outcome<Real> {
        let mut budget = Budget::new(limits);
        if self.shares_root(other, &mut budget)? {
            let product = field::mul(&self.element, &other.element);
            return Algebraic::make(&self.root, &product, limits, &mut budget);
        }
        self.join(other, Join::Product, limits, &mut budget)
    }

    /// One divided by the number, which is not zero.
    pub fn inverse(&self, limits: &Limits) -> Outcome<Real> {
        let mut budget = Budget::new(limits);
        let shared = self.root.poly.gcd(&Poly::from_rationals(&self.element), &mut budget)?;
        // A common factor does not vanish at the root, since the number is not zero: it can be left out.
        let root = if shared.degree() == 0 {
            self.root.clone()
        } else {
            let poly = self.root.poly.exact_quotient(&shared);
            Arc::new(Root { poly, interval: self.root.interval.clone() })
        };
        let element = field::reduce(&self.element, &root.poly);
        let inverse = field::inverse(&element, &root.poly, limits, &mut budget)?;
        Algebraic::make(&root, &inverse, limits, &mut budget)
    }

    /// The order of two numbers.
    pub fn compare(&self, other: &Algebraic, limits: &Limits) -> Outcome<Ordering> {
        let by_key = self.key.cmp(&other.key);
        if by_key.is_ne() {
            return Ok(by_key);
        }
        let mut budget = Budget::new(limits);
        if self.shares_root(other, &mut budget)? {
            let minus = field::scale(&other.element, &RBig::from(IBig::from(-1)));
            let difference = field::add(&self.element, &minus);
            return Ok(sign(&self.root, &difference, limits, &mut budget)?.cmp(&0));
        }
        match (self.defining(limits, &mut budget)?, other.defining(limits, &mut budget)?) {
            (Found::Rational(a), Found::Rational(b)) => Ok(a.cmp(&b)),
            (Found::Rational(a), Found::Root(_)) => {
                Ok(other.compare_rational(&Rational::from_big(a), limits)?.reverse())
            }
            (Found::Root(_), Found::Rational(b)) => self.compare_rational(&Rational::from_big(b), limits),
            (Found::Root(a), Found::Root(b)) => compare_roots(&a, &b, limits, &mut budget),
        }
    }

    /// The order of the number and a rational one.
    pub fn compare_rational(&self, other: &Rational, limits: &Limits) -> Outcome<Ordering> {
        let by_key = self.key.cmp(&rational_key(other));
        if by_key.is_ne() {
            return Ok(by_key);
        }
        let mut budget = Budget::new(limits);
        let difference = field::add(&self.element, &[-other.to_big()]);
        Ok(sign(&self.root, &difference, limits, &mut budget)?.cmp(&0))
    }

    /// Gives ever closer bounds to a function until it has an answer.
    pub(super) fn narrow<T>(
        &self,
        limits: &Limits,
        mut answer: impl FnMut(&RBig, &RBig) -> Option<T>,
    ) -> Outcome<T> {
        let mut budget = Budget::new(limits);
        let mut interval = self.root.interval.clone();
        loop {
            let bounds = field::enclose(&self.element, &interval);
            if let Some(answer) = answer(&bounds.low, &bounds.high) {
                return Ok(answer);
            }
            self.root.halve(&mut interval, limits, &mut budget)?;
        }
    }

    /// Whether both numbers are given in the field of the same root.
    fn shares_root(&self, other: &Algebraic, budget: &mut Budget) -> Outcome<bool> {
        if Arc::ptr_eq(&self.root, &other.root) {
            return Ok(true);
        }
        Ok(self.root.poly == other.root.poly && self.root.same(&other.root, budget)?)
    }

    /// The sum or product of numbers of different fields, as a root of its own.
    fn join(&self, other: &Algebraic, how: Join, limits: &Limits, budget: &mut Budget) -> Outcome<Real> {
        let degree = self.root.poly.degree() * other.root.poly.degree();
        check_degree(degree, limits)?;
        let sums_of = |n: &Algebraic, budget: &mut Budget| {
            field::conjugate_power_sums(&n.element, &n.root.poly, degree + 1, limits, budget)
        };
        let (a, b) = (sums_of(self, budget)?, sums_of(other, budget)?);
        let sums: Vec<RBig> = match how {
            Join::Sum => (0..=degree).map(|k| binomial_convolution(&a, &b, k)).collect(),
            Join::Product => a.iter().zip(&b).map(|(x, y)| x * y).collect(),
        };
        let poly = field::from_power_sums(&sums, limits, budget)?.square_free(budget)?;
        let (mut mine, mut theirs) = (self.root.interval.clone(), other.root.interval.clone());
        let found = pin(poly, budget, |budget| {
            self.root.halve(&mut mine, limits, budget)?;
            other.root.halve(&mut theirs, limits, budget)?;
            let (x, y) = (field::enclose(&self.element, &mine), field::enclose(&other.element, &theirs));
            Ok(match how {
                Join::Sum => x.add(&y),
                Join::Product => x.mul(&y),
            })
        })?;
        real_of(found, limits)
    }

    /// The number as a root of its own polynomial.
    fn defining(&self, limits: &Limits, budget: &mut Budget) -> Outcome<Found> {
        if let [zero, one] = &self.element[..]
            && zero.is_zero()
            && one.is_one()
        {
            return Ok(Found::Root((*self.root).clone()));
        }
        let count = self.root.poly.degree() + 1;
        let sums = field::conjugate_power_sums(&self.element, &self.root.poly, count, limits, budget)?;
        let poly = field::from_power_sums(&sums, limits, budget)?.square_free(budget)?;
        let mut interval = self.root.interval.clone();
        pin(poly, budget, |budget| {
            self.root.halve(&mut interval, limits, budget)?;
            Ok(field::enclose(&self.element, &interval))
        })
    }

    /// The order of two numbers, whatever it costs.
    pub(super) fn compare_fully(&self, other: &Algebraic) -> Ordering {
        self.compare(other, &UNLIMITED).unwrap_or(Ordering::Equal)
    }

    /// The order of the number and a rational one, whatever it costs.
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
            // A narrow interval now saves halvings in every later operation.
            let mut interval = root.interval.clone();
            for _ in 0..HALVINGS_AT_FIRST {
                root.halve(&mut interval, limits, &mut budget)?;
                if interval.low == interval.high {
                    return Ok(Real::Rational(Rational::from_big(interval.low)));
                }
            }
            root.interval = interval;
            let itself: Element = vec![RBig::ZERO, RBig::ONE];
            Algebraic::make(&Arc::new(root), &itself, limits, &mut budget)
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

/// The sum over all `l` of `k` over `l` times `a[l]` times `b[k - l]`.
fn binomial_convolution(a: &[RBig], b: &[RBig], k: usize) -> RBig {
    let mut binomial = IBig::ONE;
    let mut total = RBig::ZERO;
    for l in 0..=k {
        total += &a[l] * &b[k - l] * &binomial;
        binomial = binomial * IBig::from(k - l) / IBig::from(l + 1);
    }
    total
}

/// The root of a square-free polynomial that ever closer intervals surround.
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

/// Whether an element is zero at the root.
fn is_zero(root: &Root, element: &[RBig], budget: &mut Budget) -> Outcome<bool> {
    match element {
        [] => Ok(true),
        [_] => Ok(false),
        _ => root.is_root_of(&Poly::from_rationals(element), budget),
    }
}

/// How often an interval is halved before the exact and dearer test for zero.
const HALVINGS_BEFORE_EXACT: u32 = 6;

/// -1, 0 or 1: the sign of an element at the root.
fn sign(root: &Root, element: &[RBig], limits: &Limits, budget: &mut Budget) -> Outcome<i32> {
    let mut interval = root.interval.clone();
    let mut halvings = 0;
    loop {
        let bounds = field::enclose(element, &interval);
        if bounds.low > RBig::ZERO {
            return Ok(1);
        }
        if bounds.high < RBig::ZERO {
            return Ok(-1);
        }
        if bounds.low == bounds.high || (halvings == HALVINGS_BEFORE_EXACT && is_zero(root, element, budget)?)
        {
            return Ok(0);
        }
        root.halve(&mut interval, limits, budget)?;
        halvings += 1;
    }
}

/// The floor of an element at the root, and whether it is an integer.
fn floor(root: &Root, element: &[RBig], limits: &Limits, budget: &mut Budget) -> Outcome<(IBig, bool)> {
    let mut interval = root.interval.clone();
    let mut refuted: Option<IBig> = None;
    let mut waited = 0;
    loop {
        let bounds = field::enclose(element, &interval);
        let (low, high) = (bounds.low.floor(), bounds.high.floor());
        // The only integer that the bounds leave possible, if there is just one or none.
        let candidate = if bounds.low.is_int() { low.clone() } else { high.clone() };
        if low == high && !bounds.low.is_int() {
            return Ok((low, false));
        }
        let span = &high - &low;
        if span <= IBig::ONE && refuted.as_ref() != Some(&candidate) {
            waited += 1;
            if waited > HALVINGS_BEFORE_EXACT || bounds.low == bounds.high {
                let difference = field::add(element, &[-RBig::from(candidate.clone())]);
                if is_zero(root, &difference, budget)? {
                    return Ok((candidate, true));
                }
                refuted = Some(candidate);
            }
        }
        root.halve(&mut interval, limits, budget)?;
    }
}

/// The order of two roots.
fn compare_roots(a: &Root, b: &Root, limits: &Limits, budget: &mut Budget) -> Outcome<Ordering> {
    if a.same(b, budget)? {
        return Ok(Ordering::Equal);
    }
    let (mut x, mut y) = (a.interval.clone(), b.interval.clone());
    loop {
        // Distinct numbers, so intervals that only touch are in order.
        if x.high <= y.low {
            return Ok(Ordering::Less);
        }
        if y.high <= x.low {
            return Ok(Ordering::Greater);
        }
        a.halve(&mut x, limits, budget)?;
        b.halve(&mut y, limits, budget)?;
    }
}

impl fmt::Display for Algebraic {
    /// Writes Z3's term, as `(root-obj (+ (^ x 2) (- 2)) 2)`.
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
