//! Polynomials with integer coefficients: greatest common divisors, square-free parts, counting of real roots.

use dashu_base::{Abs, BitTest, DivRem, Gcd, Signed};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::value::limits::{Budget, Outcome};

/// A polynomial by its coefficients, lowest degree first. The last is not zero; the zero polynomial has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Poly(Vec<IBig>);

impl Poly {
    pub(super) fn new(mut coefficients: Vec<IBig>) -> Poly {
        while coefficients.last().is_some_and(IBig::is_zero) {
            coefficients.pop();
        }
        Poly(coefficients)
    }

    /// The polynomial with the same roots as one with rational coefficients.
    pub(super) fn from_rationals(coefficients: &[RBig]) -> Poly {
        let mut common = UBig::ONE;
        for c in coefficients {
            let shared = (&common).gcd(c.denominator());
            common *= c.denominator() / shared;
        }
        let scaled = coefficients.iter().map(|c| c.numerator() * (&common / c.denominator()));
        Poly::new(scaled.collect()).primitive()
    }

    pub(super) fn coefficients(&self) -> &[IBig] {
        &self.0
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The degree; 0 for the zero polynomial.
    pub(super) fn degree(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    fn lead(&self) -> IBig {
        self.0.last().cloned().unwrap_or(IBig::ZERO)
    }

    /// The cost of one pass over the coefficients.
    fn weight(&self) -> u64 {
        self.0.iter().map(|c| 1 + c.bit_len() as u64 / 256).sum::<u64>() + 1
    }

    /// Divides by the greatest common divisor of the coefficients. Keeps signs.
    pub(super) fn primitive(mut self) -> Poly {
        let mut content = UBig::ZERO;
        for c in &self.0 {
            let magnitude = c.clone().abs().into_parts().1;
            content = if content.is_zero() {
                magnitude
            } else if magnitude.is_zero() {
                content
            } else {
                content.gcd(magnitude)
            };
            if content.is_one() {
                return self;
            }
        }
        if !content.is_zero() {
            for c in &mut self.0 {
                *c = &*c / &content;
            }
        }
        self
    }

    /// The polynomial with a positive leading coefficient.
    fn with_positive_lead(self) -> Poly {
        if self.lead().is_negative() { self.negated() } else { self }
    }

    fn negated(self) -> Poly {
        Poly(self.0.into_iter().map(|c| -c).collect())
    }

    pub(super) fn derivative(&self) -> Poly {
        Poly::new(self.0.iter().enumerate().skip(1).map(|(i, c)| c * IBig::from(i)).collect())
    }

    /// -1, 0 or 1: the sign of the value at a rational number.
    pub(super) fn sign_at(&self, x: &RBig) -> i32 {
        sign(&self.scaled_value(x.numerator(), x.denominator()))
    }

    /// The value at a quotient, times the degree's power of the denominator.
    pub(super) fn scaled_value(&self, numerator: &IBig, denominator: &UBig) -> IBig {
        let mut value = IBig::ZERO;
        let mut scale = UBig::ONE;
        for c in self.0.iter().rev() {
            value = value * numerator + c * &scale;
            scale *= denominator;
        }
        value
    }

    /// The remainder of the division by another polynomial, up to a positive factor.
    fn remainder(&self, divisor: &Poly, budget: &mut Budget) -> Outcome<Poly> {
        let lead = divisor.lead();
        let mut rest = self.0.clone();
        while rest.len() >= divisor.0.len() {
            let top = rest.last().cloned().unwrap_or(IBig::ZERO);
            if !top.is_zero() {
                let shift = rest.len() - divisor.0.len();
                let factor = if lead.is_negative() { -&top } else { top };
                let scale = lead.clone().abs();
                for c in &mut rest {
                    *c *= &scale;
                }
                for (i, c) in divisor.0.iter().enumerate() {
                    rest[shift + i] -= c * &factor;
                }
            }
            rest.pop();
            rest = Poly(rest).primitive().0;
            budget.spend(rest.iter().map(|c| 1 + c.bit_len() as u64 / 256).sum())?;
        }
        Ok(Poly::new(rest).primitive())
    }

    /// The greatest common divisor, primitive and with a positive leading coefficient.
    pub(super) fn gcd(&self, other: &Poly, budget: &mut Budget) -> Outcome<Poly> {
        let (mut a, mut b) = (self.clone().primitive(), other.clone().primitive());
        while !b.is_zero() {
            let rest = a.remainder(&b, budget)?;
            a = b;
            b = rest;
        }
        Ok(a.with_positive_lead())
    }

    /// The quotient by a primitive polynomial that divides this one.
    pub(super) fn exact_quotient(&self, divisor: &Poly) -> Poly {
        let mut rest = self.0.clone();
        let mut quotient = Vec::new();
        let lead = divisor.lead();
        while rest.len() >= divisor.0.len() {
            let top = rest.last().cloned().unwrap_or(IBig::ZERO);
            let factor = top.div_rem(&lead).0;
            let shift = rest.len() - divisor.0.len();
            for (i, c) in divisor.0.iter().enumerate() {
                rest[shift + i] -= c * &factor;
            }
            rest.pop();
            quotient.push(factor);
        }
        quotient.reverse();
        Poly::new(quotient).primitive().with_positive_lead()
    }

    /// The primitive square-free polynomial with the same roots.
    pub(super) fn square_free(&self, budget: &mut Budget) -> Outcome<Poly> {
        let primitive = self.clone().primitive().with_positive_lead();
        let shared = primitive.gcd(&primitive.derivative(), budget)?;
        Ok(if shared.degree() == 0 { primitive } else { primitive.exact_quotient(&shared) })
    }

    /// The exponent of a power of two above the magnitude of every root.
    pub(super) fn root_bound(&self) -> RBig {
        let lead_bits = self.lead().bit_len();
        let most = self.0.iter().map(BitTest::bit_len).max().unwrap_or(0);
        // Cauchy: 1 + max |c| / |lead| < 1 + 2^(most - lead_bits + 1)
        RBig::from(IBig::ONE << (most.saturating_sub(lead_bits) + 2))
    }
}

pub(super) fn sign(value: &IBig) -> i32 {
    if value.is_zero() {
        0
    } else if value.is_negative() {
        -1
    } else {
        1
    }
}

/// Sturm's chain of a square-free polynomial, which counts its roots in intervals.
pub(super) struct Sturm(Vec<Poly>);

impl Sturm {
    pub(super) fn new(poly: &Poly, budget: &mut Budget) -> Outcome<Sturm> {
        let mut chain = vec![poly.clone(), poly.derivative().primitive()];
        while let [.., a, b] = &chain[..] {
            if b.is_zero() {
                chain.pop();
                break;
            }
            let rest = a.remainder(b, budget)?.negated();
            chain.push(rest);
        }
        Ok(Sturm(chain))
    }

    /// The number of roots in `(low, high]`.
    pub(super) fn count(&self, low: &RBig, high: &RBig, budget: &mut Budget) -> Outcome<usize> {
        budget.spend(self.0.iter().map(Poly::weight).sum::<u64>())?;
        Ok(self.changes(low).saturating_sub(self.changes(high)))
    }

    fn changes(&self, x: &RBig) -> usize {
        let mut last = 0;
        let mut changes = 0;
        for poly in &self.0 {
            let sign = poly.sign_at(x);
            if sign != 0 {
                changes += usize::from(last != 0 && sign != last);
                last = sign;
            }
        }
        changes
    }
}
