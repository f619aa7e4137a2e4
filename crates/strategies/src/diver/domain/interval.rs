//! Intervals of integers or reals. A bound may be missing; a bound that is present is inclusive.

use super::WIDE;
use semantics::Value;
use semantics::value::integer::Int;
use semantics::value::limits::Limits;
use semantics::value::rational::Rational;
use semantics::value::real::Real;

/// The numbers between two inclusive bounds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// The lower bound; `None` if unbounded.
    pub low: Option<Real>,
    /// The upper bound; `None` if unbounded.
    pub high: Option<Real>,
}

/// The number of a value of sort Int or Real.
pub fn number(value: &Value) -> Option<Real> {
    match value {
        Value::Int(value) => Some(Real::Rational(Rational::from(value.clone()))),
        Value::Real(value) => Some(Real::Rational(value.clone())),
        Value::Algebraic(value) => Some((**value).clone()),
        _ => None,
    }
}

/// The step across a strict bound between reals.
fn step() -> Real {
    let step = Rational::new(&Int::from(1), &Int::from(1_000_000));
    Real::Rational(step.unwrap_or_else(|| Rational::from(1)))
}

impl Interval {
    /// One number.
    pub fn point(number: Real) -> Interval {
        Interval { low: Some(number.clone()), high: Some(number) }
    }

    /// The numbers from `low` upwards.
    pub fn from(low: Real) -> Interval {
        Interval { low: Some(low), high: None }
    }

    /// The numbers up to `high`.
    pub fn up_to(high: Real) -> Interval {
        Interval { low: None, high: Some(high) }
    }

    /// The numbers above `bound`, including `now`. Integers start at the next one. Reals start a small step above the bound, or
    /// at `now` if that is closer.
    pub fn above(bound: &Real, now: &Real, integers: bool, limits: &Limits) -> Option<Interval> {
        if integers {
            let next = bound.floor().add(&Int::from(1));
            return Some(Interval::from(Real::Rational(Rational::from(next))));
        }
        let low = bound.add(&step(), limits).ok()?;
        Some(Interval::from(if *now < low { now.clone() } else { low }))
    }

    /// The numbers below `bound`; see [`Interval::above`].
    pub fn below(bound: &Real, now: &Real, integers: bool, limits: &Limits) -> Option<Interval> {
        Some(Interval::above(&bound.neg(), &now.neg(), integers, limits)?.neg())
    }

    /// Whether neither bound is present.
    pub fn is_unbounded(&self) -> bool {
        self.low.is_none() && self.high.is_none()
    }

    /// Whether a number is in the interval.
    pub fn contains(&self, number: &Real) -> bool {
        self.low.as_ref().is_none_or(|low| low <= number)
            && self.high.as_ref().is_none_or(|high| number <= high)
    }

    /// The intersection.
    pub fn and(&self, other: &Interval) -> Interval {
        let low = match (&self.low, &other.low) {
            (Some(a), Some(b)) => Some(a.max(b).clone()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        let high = match (&self.high, &other.high) {
            (Some(a), Some(b)) => Some(a.min(b).clone()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        Interval { low, high }
    }

    /// The negations of its numbers.
    pub fn neg(&self) -> Interval {
        Interval { low: self.high.as_ref().map(Real::neg), high: self.low.as_ref().map(Real::neg) }
    }

    /// The interval shifted by a number.
    pub fn shifted(&self, by: &Real, limits: &Limits) -> Option<Interval> {
        self.mapped(|end| end.add(by, limits).ok())
    }

    /// The interval multiplied by a number other than zero.
    pub fn times(&self, factor: &Real, limits: &Limits) -> Option<Interval> {
        let product = self.mapped(|end| end.mul(factor, limits).ok())?;
        Some(if factor.signum() < 0 { Interval { low: product.high, high: product.low } } else { product })
    }

    fn mapped(&self, change: impl Fn(&Real) -> Option<Real>) -> Option<Interval> {
        let end = |end: &Option<Real>| match end {
            Some(end) => change(end).map(Some),
            None => Some(None),
        };
        Some(Interval { low: end(&self.low)?, high: end(&self.high)? })
    }

    /// The interval with its bounds rounded inwards to integers.
    pub fn integers(&self) -> Interval {
        let whole = |value: Int| Real::Rational(Rational::from(value));
        Interval {
            low: self.low.as_ref().map(|low| whole(low.neg().floor().neg())),
            high: self.high.as_ref().map(|high| whole(high.floor())),
        }
    }

    /// The paper's score. Wide intervals score like unbounded ones.
    pub fn score(&self) -> f64 {
        let (Some(low), Some(high)) = (&self.low, &self.high) else { return 1.0 };
        let wide = Real::Rational(Rational::from(i64::from(WIDE)));
        match high.sub(low, &Limits::default()) {
            Ok(width) if width < wide => {
                // Only the magnitude matters, so thousandths are precise enough.
                let thousand = Real::Rational(Rational::from(1000));
                let scaled = width.mul(&thousand, &Limits::default()).ok();
                let scaled = scaled.and_then(|scaled| scaled.floor().to_i64()).unwrap_or(0);
                (scaled as f64 / 1000.0 + 1.0) / f64::from(WIDE)
            }
            _ => 1.0,
        }
    }
}
