//! Finite fields of prime order.

use std::sync::Arc;

use super::{Rules, Site};
use crate::data::{FieldElement, Value};
use crate::eval::reason::{Outcome, Reason};
use crate::value::integer::Int;

pub(super) const RULES: Rules = &[
    ("ff.add", 2, |_, a| {
        let (x, y) = (element(&a[0])?, element(&a[1])?);
        reduced(x.value.add(&y.value), &x.order)
    }),
    ("ff.mul", 2, |site, a| {
        let (x, y) = (element(&a[0])?, element(&a[1])?);
        reduced(x.value.mul(&y.value, site.limits)?, &x.order)
    }),
    ("ff.neg", 1, |_, a| {
        let x = element(&a[0])?;
        reduced(x.value.neg(), &x.order)
    }),
    ("ff.bitsum", 1, bit_sum),
];

fn element(value: &Value) -> Outcome<&FieldElement> {
    match value {
        Value::Field(element) => Ok(element),
        _ => Err(Reason::Kind(None)),
    }
}

fn reduced(value: Int, order: &Int) -> Outcome<Value> {
    let value = value.modulo(order)?;
    Ok(Value::Field(Arc::new(FieldElement { value, order: order.clone() })))
}

/// The first argument once, the second twice, the third four times, and so on.
fn bit_sum(site: &Site, a: &[Value]) -> Outcome<Value> {
    let order = element(&a[0])?.order.clone();
    let (mut sum, mut weight) = (Int::ZERO, Int::ONE);
    for arg in a {
        sum = sum.add(&element(arg)?.value.mul(&weight, site.limits)?).modulo(&order)?;
        weight = weight.add(&weight).modulo(&order)?;
    }
    reduced(sum, &order)
}
