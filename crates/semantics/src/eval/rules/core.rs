//! Core, and Z3's cardinality constraints.

use super::{Rules, Site, boolean};
use crate::data::{Value, equal};
use crate::eval::reason::{Outcome, Reason};

pub(super) const RULES: Rules = &[
    ("true", 0, |_, _| Ok(Value::Bool(true))),
    ("false", 0, |_, _| Ok(Value::Bool(false))),
    ("not", 1, |_, a| Ok(Value::Bool(!boolean(&a[0])?))),
    ("xor", 1, |_, a| {
        let mut odd = false;
        for value in a {
            odd ^= boolean(value)?;
        }
        Ok(Value::Bool(odd))
    }),
    ("at-most", 1, |site, a| Ok(Value::Bool(how_many(a)? <= site.index(0)?))),
    ("at-least", 1, |site, a| Ok(Value::Bool(how_many(a)? >= site.index(0)?))),
    ("pble", 1, |site, a| weighed(site, a, |sum, bound| sum <= bound)),
    ("pbge", 1, |site, a| weighed(site, a, |sum, bound| sum >= bound)),
    ("pbeq", 1, |site, a| weighed(site, a, |sum, bound| sum == bound)),
];

/// `(= a b …)`; one pair that differs outweighs what is undetermined.
pub(in crate::eval) fn equal_all(site: &Site, args: &[Value]) -> Outcome<Value> {
    let mut result = Ok(Value::Bool(true));
    for pair in args.windows(2) {
        match equal(&pair[0], &pair[1], site.limits) {
            Ok(true) => {}
            Ok(false) => return Ok(Value::Bool(false)),
            Err(reason) => result = Err(reason.into()),
        }
    }
    result
}

/// `(distinct a b …)`; one pair that is equal outweighs what is undetermined.
pub(in crate::eval) fn distinct(site: &Site, args: &[Value]) -> Outcome<Value> {
    if let [a, b] = args {
        return Ok(Value::Bool(!equal(a, b, site.limits)?));
    }
    if args.iter().all(Value::is_plain) {
        let different: std::collections::BTreeSet<&Value> = args.iter().collect();
        return Ok(Value::Bool(different.len() == args.len()));
    }
    let mut result = Ok(Value::Bool(true));
    for (at, a) in args.iter().enumerate() {
        for b in &args[..at] {
            match equal(a, b, site.limits) {
                Ok(false) => {}
                Ok(true) => return Ok(Value::Bool(false)),
                Err(reason) => result = Err(Reason::from(reason)),
            }
        }
    }
    result
}

fn how_many(args: &[Value]) -> Outcome<u64> {
    args.iter().try_fold(0, |count, arg| Ok(count + u64::from(boolean(arg)?)))
}

/// The first index is the bound, the others are the weights of the arguments.
fn weighed(site: &Site, args: &[Value], holds: fn(u128, u128) -> bool) -> Outcome<Value> {
    let indices = site.indices()?;
    let [bound, weights @ ..] = &indices[..] else { return Err(Reason::Kind(None)) };
    let mut sum = 0u128;
    for (arg, &weight) in args.iter().zip(weights) {
        sum += if boolean(arg)? { u128::from(weight) } else { 0 };
    }
    Ok(Value::Bool(holds(sum, u128::from(*bound))))
}
