//! A real root of an integer polynomial, isolated by an interval.

use dashu_base::BitTest;
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
