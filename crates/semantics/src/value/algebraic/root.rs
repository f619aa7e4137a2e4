//! A real root of an integer polynomial, isolated by an interval.

use dashu_base::{Abs, BitTest};
use dashu_int::IBig;
use dashu_ratio::RBig;

use super::polynomial::{Poly, Sturm};
use crate::value::limits::{Budget, Limits, Outcome, Undetermined};

/// An open interval with rational ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) low: RBig,
    pub(super) high: RBig,
}

impl Interval {
    pub(super) fn middle(&self) -> RBig {
        (&self.low + &self.high) / IBig::from(2)
    }

    /// Contains the sums of numbers from both intervals.
    pub(super) fn add(&self, other: &Interval) -> Interval {
        Interval { low: &self.low + &other.low, high: &self.high + &other.high }
    }

    /// Contains the products of numbers from both intervals.
    pub(super) fn mul(&self, other: &Interval) -> Interval {
        let corners = [
            &self.low * &other.low,
            &self.low * &other.high,
            &self.high * &other.low,
            &self.high * &other.high,
        ];
        let low = corners.iter().min().cloned().unwrap_or(RBig::ZERO);
        let high = corners.iter().max().cloned().unwrap_or(RBig::ZERO);
        Interval { low, high }
    }
}

/// The only root of a square-free polynomial in an open interval whose ends are not roots.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) poly: Poly,
    pub(super) interval: Interval,
}

/// A root, or the rational number that it turned out to be.
pub(super) enum Found {
    Rational(RBig),
    Root(Root),
}

/// The most bits of an interval end.
fn check_interval(interval: &Interval, limits: &Limits) -> Outcome<()> {
    let bits = interval.low.denominator().bit_len().max(interval.high.denominator().bit_len());
    limits.check_bits(bits as u64)
}

pub(super) fn check_degree(degree: usize, limits: &Limits) -> Outcome<()> {
    if degree > limits.degree as usize {
        return Err(Undetermined::TooLarge("an algebraic number of higher degree than the limit"));
    }
    Ok(())
}

impl Root {
    /// The `index`-th real root in ascending order, counted from 1. `None` if there are fewer.
    pub(super) fn by_index(poly: &Poly, index: u64, limits: &Limits) -> Outcome<Option<Found>> {
        check_degree(poly.degree(), limits)?;
        let mut budget = Budget::new(limits);
        let poly = poly.square_free(&mut budget)?;
        let sturm = Sturm::new(&poly, &mut budget)?;
        let bound = poly.root_bound();
        let start = -bound.clone();
        let total = sturm.count(&start, &bound, &mut budget)? as u64;
        if index == 0 || index > total {
            return Ok(None);
        }
        let mut interval = Interval { low: start.clone(), high: bound };
        while sturm.count(&interval.low, &interval.high, &mut budget)? > 1 {
            let middle = interval.middle();
            if sturm.count(&start, &middle, &mut budget)? as u64 >= index {
                interval.high = middle;
            } else {
                interval.low = middle;
            }
        }
        Root::isolated(poly, &sturm, interval, limits, &mut budget).map(Some)
    }

    /// The only root in the closed interval. `None` if there is none or more than one.
    pub(super) fn in_interval(poly: &Poly, interval: Interval, limits: &Limits) -> Outcome<Option<Found>> {
        check_degree(poly.degree(), limits)?;
        let mut budget = Budget::new(limits);
        let poly = poly.square_free(&mut budget)?;
        let sturm = Sturm::new(&poly, &mut budget)?;
        let inside = match interval.low <= interval.high {
            true => sturm.count(&interval.low, &interval.high, &mut budget)?,
            false => return Ok(None),
        };
        match (poly.sign_at(&interval.low) == 0, inside) {
            (true, 0) => Ok(Some(Found::Rational(interval.low))),
            (false, 1) => Root::isolated(poly, &sturm, interval, limits, &mut budget).map(Some),
            _ => Ok(None),
        }
    }

    /// The only root in `(low, high]`. Shrinks the interval until its ends are not roots.
    fn isolated(
        poly: Poly,
        sturm: &Sturm,
        mut interval: Interval,
        limits: &Limits,
        budget: &mut Budget,
    ) -> Outcome<Found> {
        loop {
            if poly.sign_at(&interval.high) == 0 {
                return Ok(Found::Rational(interval.high));
            }
            if poly.sign_at(&interval.low) != 0 {
                break;
            }
            check_interval(&interval, limits)?;
            let middle = interval.middle();
            match sturm.count(&interval.low, &middle, budget)? {
                0 => interval.low = middle,
                _ => interval.high = middle,
            }
        }
        match poly.coefficients() {
            // A linear polynomial has a rational root.
            [constant, lead] => Ok(Found::Rational(RBig::from_parts_signed(-constant, lead.clone()))),
            _ => Ok(Found::Root(Root { poly, interval })),
        }
    }

    /// Halves an interval that isolates this root. Both ends are equal if the middle is the root.
    pub(super) fn halve(&self, interval: &mut Interval, limits: &Limits, budget: &mut Budget) -> Outcome<()> {
        check_interval(interval, limits)?;
        // Longer numbers cost more, so that the budget bounds the time.
        let bits = interval.low.denominator().bit_len() as u64;
        budget.spend((self.poly.degree() as u64 + 1) * (1 + bits / 256))?;
        let middle = interval.middle();
        let sign = self.poly.sign_at(&middle);
        if sign == 0 {
            *interval = Interval { low: middle.clone(), high: middle };
        } else if sign == self.poly.sign_at(&interval.low) {
            interval.low = middle;
        } else {
            interval.high = middle;
        }
        Ok(())
    }

    /// Narrows an interval that isolates this root to a width of at most `2^-bits`. Both ends are equal if the root was met.
    ///
    /// This is Abbott's quadratic interval refinement: a straight line between the ends says in which of many parts the root is. If that
    /// is right, the next step has the square of this number of parts; if not, its root. So the number of right bits mostly doubles.
    pub(super) fn narrow(
        &self,
        interval: &mut Interval,
        bits: u64,
        limits: &Limits,
        budget: &mut Budget,
    ) -> Outcome<()> {
        // The ends as quotients with a common denominator.
        let (one, other) = (interval.low.denominator(), interval.high.denominator());
        let mut denominator = one * other;
        let mut low = interval.low.numerator() * other;
        let mut high = interval.high.numerator() * one;
        let mut power = 1;
        loop {
            let width = &high - &low;
            let missing = (width.bit_len() as u64 + bits).saturating_sub(denominator.bit_len() as u64 - 1);
            if missing == 0 || width.is_zero() {
                break;
            }
            let size = denominator.bit_len() as u64;
            limits.check_bits(size)?;
            // There are four values, and longer numbers cost more, so that the budget bounds the time.
            budget.spend(4 * (self.poly.degree() as u64 + 1) * (1 + size / 256))?;
            let part_bits = power.min(missing as usize);
            let parts = IBig::ONE << part_bits;
            let (left, right) =
                (self.poly.scaled_value(&low, &denominator), self.poly.scaled_value(&high, &denominator));
            let below = left.sign();
            let (left, right) = (left.abs(), right.abs());
            // The number of the nearest end of a part.
            let nearest = (((&left * &parts) << 1) + &left + &right) / ((left + right) << 1);
            denominator <<= part_bits;
            low <<= part_bits;
            high <<= part_bits;
            let end = |number: &IBig| &low + number * &width;
            let at = end(&nearest);
            let value = self.poly.scaled_value(&at, &denominator);
            if value.is_zero() {
                (low, high) = (at.clone(), at);
                break;
            }
            let is_right = value.sign() == below;
            let next = if is_right { &at + &width } else { &at - &width };
            let value = self.poly.scaled_value(&next, &denominator);
            if value.is_zero() {
                (low, high) = (next.clone(), next);
                break;
            }
            let is_between = (value.sign() == below) != is_right;
            match (is_right, is_between) {
                (true, true) => (low, high) = (at, next),
                (false, true) => (low, high) = (next, at),
                (true, false) => low = next,
                (false, false) => high = next,
            }
            power = if is_between { 2 * power } else { (power / 2).max(1) };
        }
        let end = |numerator: IBig| RBig::from_parts(numerator, denominator.clone());
        *interval = Interval { low: end(low), high: end(high) };
        Ok(())
    }

    /// Whether the root is also a root of another polynomial.
    pub(super) fn is_root_of(&self, other: &Poly, budget: &mut Budget) -> Outcome<bool> {
        let shared = self.poly.gcd(other, budget)?;
        // The divisor has at most this one, simple root in the interval, so its sign changes there.
        let Interval { low, high } = &self.interval;
        Ok(shared.degree() > 0 && shared.sign_at(low) != shared.sign_at(high))
    }

    /// Whether both are the same number.
    pub(super) fn same(&self, other: &Root, budget: &mut Budget) -> Outcome<bool> {
        let low = (&self.interval.low).max(&other.interval.low);
        let high = (&self.interval.high).min(&other.interval.high);
        if low >= high {
            return Ok(false);
        }
        let shared = self.poly.gcd(&other.poly, budget)?;
        Ok(shared.degree() > 0 && shared.sign_at(low) != shared.sign_at(high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_int::UBig;

    #[test]
    fn narrow_intervals_contain_the_root_and_cost_little() {
        let cases: [(&[i64], u64); 6] = [
            (&[-2, 0, 1], 2),
            (&[-2, 0, 1], 1),
            (&[-3, 0, 0, 1], 1),
            (&[1, -1_000_000, 0, 0, 0, 1], 2),
            (&[-1, 0, 0, 0, 0, 0, 0, 0, 0, 1_000_003], 1),
            // Two roots that differ by less than 10⁻⁹: x² (10⁹ x - 1)² = 2 / 10⁹, times 10⁹.
            (&[-2, 0, 1_000_000_000, -2_000_000_000_000_000_000, 1_000_000_000_000_000_000], 2),
        ];
        // Halving alone would take 3000 times as many steps as the degree of the polynomial.
        let limits = Limits { steps: 6000, ..Limits::default() };
        for (coefficients, index) in cases {
            let poly = Poly::new(coefficients.iter().map(|&c| IBig::from(c)).collect());
            let found = Root::by_index(&poly, index, &Limits::default()).unwrap().unwrap();
            let Found::Root(root) = found else { panic!("{coefficients:?} has rational roots") };
            for bits in [0, 1, 10, 64, 3000] {
                let mut interval = root.interval.clone();
                root.narrow(&mut interval, bits, &limits, &mut Budget::new(&limits)).unwrap();
                let Interval { low, high } = &interval;
                assert!(root.interval.low <= *low && *high <= root.interval.high, "{coefficients:?} {bits}");
                assert_ne!(poly.sign_at(low), poly.sign_at(high), "{coefficients:?} {bits}");
                let width = RBig::from_parts(IBig::ONE, UBig::ONE << bits as usize);
                assert!(high - low <= width, "{coefficients:?} {bits}");
            }
        }
    }

    #[test]
    fn a_rational_root_is_met() {
        // x³ - x/4 has the roots -1/2, 0 and 1/2.
        let poly = Poly::new([0, -1, 0, 4].map(IBig::from).to_vec());
        let root = Root {
            poly,
            interval: Interval { low: RBig::from_parts(1.into(), 3u8.into()), high: RBig::from(2) },
        };
        let mut interval = root.interval.clone();
        let limits = Limits::default();
        root.narrow(&mut interval, 100, &limits, &mut Budget::new(&limits)).unwrap();
        let half = RBig::from_parts(1.into(), 2u8.into());
        assert!(interval.low <= half && half <= interval.high);
    }
}
