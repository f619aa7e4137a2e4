//! Integers and reals. In a mix of both, integers are converted to reals.

use std::cmp::Ordering;

use crate::data::Value;
use crate::reason::{Outcome, Reason};
use crate::theory::args::int;
use crate::theory::{Context, Rule, Theory};
use crate::value::integer::Int;
use crate::value::limits::{Limits, Undetermined};
use crate::value::rational::Rational;
use crate::value::real::Real;

/// The semantics of integer and real arithmetic.
pub(super) static THEORY: Theory = Theory { rules: RULES, ..Theory::new("Reals_Ints") };

const RULES: &[(&str, u8, Rule)] = &[
    ("+", 2, |cx, a| match (&a[0], &a[1]) {
        (Value::Int(x), Value::Int(y)) => {
            cx.limits.check_bits(x.bit_len().max(y.bit_len()))?;
            Ok(Value::Int(x.add(y)))
        }
        (Value::Real(x), Value::Real(y)) => Ok(Value::Real(x.add(y, cx.limits)?)),
        (x, y) => Ok(Value::real(real(x)?.add(&real(y)?, cx.limits)?)),
    }),
    ("-", 1, |cx, a| match a {
        [Value::Int(x)] => Ok(Value::Int(x.neg())),
        [Value::Real(x)] => Ok(Value::Real(x.neg())),
        [x] => Ok(Value::real(real(x)?.neg())),
        [Value::Int(x), Value::Int(y)] => Ok(Value::Int(x.sub(y))),
        [Value::Real(x), Value::Real(y)] => Ok(Value::Real(x.sub(y, cx.limits)?)),
        [x, y] => Ok(Value::real(real(x)?.sub(&real(y)?, cx.limits)?)),
        _ => Err(Reason::BadArguments(None)),
    }),
    ("/", 2, |cx, a| match (&a[0], &a[1]) {
        (Value::Real(x), Value::Real(y)) => Ok(Value::Real(x.div(y, cx.limits)?)),
        (x, y) => Ok(Value::real(real(x)?.div(&real(y)?, cx.limits)?)),
    }),
    ("div", 2, |_, a| Ok(Value::Int(int(&a[0])?.div(int(&a[1])?)?))),
    ("mod", 2, |_, a| Ok(Value::Int(int(&a[0])?.modulo(int(&a[1])?)?))),
    ("rem", 2, |_, a| Ok(Value::Int(int(&a[0])?.rem(int(&a[1])?)?))),
    ("abs", 1, |_, a| match &a[0] {
        Value::Int(x) => Ok(Value::Int(x.abs())),
        x => Ok(Value::real(real(x)?.abs())),
    }),
    ("<=", 2, |cx, a| Ok(Value::Bool(compare(&a[0], &a[1], cx.limits)?.is_le()))),
    ("<", 2, |cx, a| Ok(Value::Bool(compare(&a[0], &a[1], cx.limits)?.is_lt()))),
    (">=", 2, |cx, a| Ok(Value::Bool(compare(&a[0], &a[1], cx.limits)?.is_ge()))),
    (">", 2, |cx, a| Ok(Value::Bool(compare(&a[0], &a[1], cx.limits)?.is_gt()))),
    ("to_real", 1, |_, a| Ok(Value::real(real(&a[0])?))),
    ("to_int", 1, |_, a| match &a[0] {
        Value::Int(x) => Ok(Value::Int(x.clone())),
        x => Ok(Value::Int(real(x)?.floor())),
    }),
    ("is_int", 1, |cx, a| match &a[0] {
        Value::Int(_) => Ok(Value::Bool(true)),
        x => {
            let number = real(x)?;
            let floor = Real::Rational(Rational::from(number.floor()));
            Ok(Value::Bool(number.compare(&floor, cx.limits)?.is_eq()))
        }
    }),
    ("divisible", 1, |cx, a| Ok(Value::Bool(int(&a[0])?.divisible(&Int::from(cx.index(0)?))))),
    ("^", 2, |cx, a| match (&a[0], &a[1]) {
        (Value::Int(x), Value::Int(y)) => Ok(Value::Int(x.pow(y, cx.limits)?)),
        (x, y) => power(&real(x)?, y, cx.limits),
    }),
    ("iand", 2, |cx, a| Ok(Value::Int(int(&a[0])?.iand(int(&a[1])?, cx.index(0)?, cx.limits)?))),
    ("piand", 3, |cx, a| {
        let width = int(&a[0])?;
        if width.signum() <= 0 {
            return Ok(Value::Int(Int::ZERO));
        }
        let width = width.to_u64().ok_or(Reason::TooLarge("a width that does not fit 64 bits"))?;
        Ok(Value::Int(int(&a[1])?.iand(int(&a[2])?, width, cx.limits)?))
    }),
    ("int.pow2", 1, |cx, a| Ok(Value::Int(int(&a[0])?.pow2(cx.limits)?))),
    ("int.log2", 1, |_, a| Ok(Value::Int(int(&a[0])?.log2()))),
    ("int.ispow2", 1, |_, a| Ok(Value::Bool(int(&a[0])?.is_pow2()))),
];

/// `(* a b …)`
pub(crate) fn times(cx: &Context, args: &[Value]) -> Outcome<Value> {
    let [first, rest @ ..] = args else { return Err(Reason::BadArguments(None)) };
    let mut product = first.clone();
    for factor in rest {
        product = match (&product, factor) {
            (Value::Int(x), Value::Int(y)) => Value::Int(x.mul(y, cx.limits)?),
            (Value::Real(x), Value::Real(y)) => Value::Real(x.mul(y, cx.limits)?),
            (x, y) => Value::real(real(x)?.mul(&real(y)?, cx.limits)?),
        };
    }
    Ok(product)
}

/// A number as a real.
pub(super) fn real(value: &Value) -> Outcome<Real> {
    match value {
        Value::Int(value) => Ok(Real::Rational(Rational::from(value.clone()))),
        value => value.as_real().ok_or(Reason::BadArguments(None)),
    }
}

fn compare(a: &Value, b: &Value, limits: &Limits) -> Outcome<Ordering> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Ok(x.cmp(y)),
        (Value::Real(x), Value::Real(y)) => Ok(x.cmp(y)),
        (x, y) => Ok(real(x)?.compare(&real(y)?, limits)?),
    }
}

fn power(base: &Real, exponent: &Value, limits: &Limits) -> Outcome<Value> {
    let exponent = match exponent {
        Value::Int(exponent) => Some(exponent.clone()),
        Value::Real(exponent) => exponent.to_integer(),
        _ => None,
    };
    match exponent {
        Some(exponent) => Ok(Value::real(base.pow(&exponent, limits)?)),
        None => Err(Undetermined::TooLarge("a power with a non-integer exponent").into()),
    }
}
