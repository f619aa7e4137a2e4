//! The core theory, and Z3's cardinality constraints.

use crate::data::{Value, equal};
use crate::reason::{Outcome, Reason};
use crate::theory::args::boolean;
use crate::theory::{Context, Rule, Theory};

/// The semantics of the core theory.
pub(super) static THEORY: Theory = Theory { rules: RULES, ..Theory::new("Core") };

const RULES: &[(&str, u8, Rule)] = &[
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
    ("at-most", 1, |cx, a| Ok(Value::Bool(count_true(a)? <= cx.index(0)?))),
    ("at-least", 1, |cx, a| Ok(Value::Bool(count_true(a)? >= cx.index(0)?))),
    ("pble", 1, |cx, a| compare_weighted_sum(cx, a, |sum, bound| sum <= bound)),
    ("pbge", 1, |cx, a| compare_weighted_sum(cx, a, |sum, bound| sum >= bound)),
    ("pbeq", 1, |cx, a| compare_weighted_sum(cx, a, |sum, bound| sum == bound)),
];

/// `(= a b …)`. One pair that differs outweighs undetermined pairs.
pub(crate) fn equal_all(cx: &Context, args: &[Value]) -> Outcome<Value> {
    let mut result = Ok(Value::Bool(true));
    for pair in args.windows(2) {
        match equal(&pair[0], &pair[1], cx.limits) {
            Ok(true) => {}
            Ok(false) => return Ok(Value::Bool(false)),
            Err(reason) => result = Err(reason.into()),
        }
    }
    result
}

/// `(distinct a b …)`. One pair that is equal outweighs undetermined pairs.
pub(crate) fn distinct(cx: &Context, args: &[Value]) -> Outcome<Value> {
    if let [a, b] = args {
        return Ok(Value::Bool(!equal(a, b, cx.limits)?));
    }
    // A set over all elements of a small sort is an array that is true almost everywhere.
    let is_mixed = || {
        let (mut sets, mut arrays) = (false, false);
        args.iter().for_each(|arg| {
            sets |= matches!(arg, Value::Set(_));
            arrays |= matches!(arg, Value::Array(_));
        });
        sets && arrays
    };
    if args.iter().all(Value::is_canonical) && !is_mixed() {
        let different: std::collections::BTreeSet<&Value> = args.iter().collect();
        return Ok(Value::Bool(different.len() == args.len()));
    }
    let mut result = Ok(Value::Bool(true));
    for (at, a) in args.iter().enumerate() {
        for b in &args[..at] {
            match equal(a, b, cx.limits) {
                Ok(false) => {}
                Ok(true) => return Ok(Value::Bool(false)),
                Err(reason) => result = Err(Reason::from(reason)),
            }
        }
    }
    result
}

fn count_true(args: &[Value]) -> Outcome<u64> {
    args.iter().try_fold(0, |count, arg| Ok(count + u64::from(boolean(arg)?)))
}

/// Compares the weighted sum of the true arguments with a bound. The first index is the bound, the others are the weights.
fn compare_weighted_sum(cx: &Context, args: &[Value], holds: fn(u128, u128) -> bool) -> Outcome<Value> {
    let indices = cx.indices()?;
    let [bound, weights @ ..] = &indices[..] else { return Err(Reason::BadArguments(None)) };
    let mut sum = 0u128;
    for (arg, &weight) in args.iter().zip(weights) {
        sum += if boolean(arg)? { u128::from(weight) } else { 0 };
    }
    Ok(Value::Bool(holds(sum, u128::from(*bound))))
}
