//! Floating point.

use super::arithmetic::real;
use crate::data::Value;
use crate::reason::{Outcome, Reason};
use crate::theory::args::{bitvec, float, int, rounding_mode};
use crate::theory::{Context, Rule, Theory};
use crate::value::float::{Float, Format, RoundingMode};
use crate::value::real::Real;

/// A rule from a method with a rounding mode and two operands.
macro_rules! rounded {
    ($method:ident) => {
        |_, a| Ok(Value::float(float(&a[1])?.$method(rounding_mode(&a[0])?, float(&a[2])?)))
    };
}

/// A rule from a predicate on one number.
macro_rules! class {
    ($method:ident) => {
        |_, a| Ok(Value::Bool(float(&a[0])?.$method()))
    };
}

/// A rule from a comparison of two numbers.
macro_rules! compared {
    ($method:ident) => {
        |_, a| Ok(Value::Bool(float(&a[0])?.$method(float(&a[1])?)))
    };
}

/// The semantics of floating point.
pub(super) static THEORY: Theory = Theory { rules: RULES, ..Theory::new("FloatingPoint") };

const RULES: &[(&str, u8, Rule)] = &[
    ("roundNearestTiesToEven", 0, |_, _| Ok(Value::RoundingMode(RoundingMode::NearestEven))),
    ("roundNearestTiesToAway", 0, |_, _| Ok(Value::RoundingMode(RoundingMode::NearestAway))),
    ("roundTowardPositive", 0, |_, _| Ok(Value::RoundingMode(RoundingMode::Positive))),
    ("roundTowardNegative", 0, |_, _| Ok(Value::RoundingMode(RoundingMode::Negative))),
    ("roundTowardZero", 0, |_, _| Ok(Value::RoundingMode(RoundingMode::Zero))),
    ("fp", 3, |cx, a| parts(cx, a)),
    ("+oo", 0, |cx, _| Ok(Value::float(Float::infinity(format(cx)?, false)))),
    ("-oo", 0, |cx, _| Ok(Value::float(Float::infinity(format(cx)?, true)))),
    ("+zero", 0, |cx, _| Ok(Value::float(Float::zero(format(cx)?, false)))),
    ("-zero", 0, |cx, _| Ok(Value::float(Float::zero(format(cx)?, true)))),
    ("NaN", 0, |cx, _| Ok(Value::float(Float::nan(format(cx)?)))),
    ("fp.abs", 1, |_, a| Ok(Value::float(float(&a[0])?.abs()))),
    ("fp.neg", 1, |_, a| Ok(Value::float(float(&a[0])?.neg()))),
    ("fp.add", 3, rounded!(add)),
    ("fp.sub", 3, rounded!(sub)),
    ("fp.mul", 3, rounded!(mul)),
    ("fp.div", 3, rounded!(div)),
    ("fp.fma", 4, |_, a| {
        Ok(Value::float(float(&a[1])?.fma(rounding_mode(&a[0])?, float(&a[2])?, float(&a[3])?)))
    }),
    ("fp.sqrt", 2, |_, a| Ok(Value::float(float(&a[1])?.sqrt(rounding_mode(&a[0])?)))),
    ("fp.roundToIntegral", 2, |_, a| {
        Ok(Value::float(float(&a[1])?.round_to_integral(rounding_mode(&a[0])?)?))
    }),
    ("fp.rem", 2, |_, a| Ok(Value::float(float(&a[0])?.rem(float(&a[1])?)))),
    ("fp.min", 2, |_, a| Ok(Value::float(float(&a[0])?.ieee_min(float(&a[1])?)?))),
    ("fp.max", 2, |_, a| Ok(Value::float(float(&a[0])?.ieee_max(float(&a[1])?)?))),
    ("fp.leq", 2, compared!(ieee_leq)),
    ("fp.lt", 2, compared!(ieee_lt)),
    ("fp.geq", 2, compared!(ieee_geq)),
    ("fp.gt", 2, compared!(ieee_gt)),
    ("fp.eq", 2, compared!(ieee_eq)),
    ("fp.isNormal", 1, class!(is_normal)),
    ("fp.isSubnormal", 1, class!(is_subnormal)),
    ("fp.isZero", 1, class!(is_zero)),
    ("fp.isInfinite", 1, class!(is_infinite)),
    ("fp.isNaN", 1, class!(is_nan)),
    ("fp.isNegative", 1, class!(is_negative)),
    ("fp.isPositive", 1, class!(is_positive)),
    ("to_fp", 1, |cx, a| match a {
        [_] => from_bits(cx, a),
        [_, Value::Float(_)] => from_float(cx, a),
        [_, Value::BitVec(_)] => from_signed(cx, a),
        [_, _] => from_real(cx, a),
        [_, _, Value::BitVec(_)] => parts(cx, a),
        _ => Err(Reason::BadArguments(None)),
    }),
    ("to_fp_bv", 1, from_bits),
    ("to_fp_fp", 2, from_float),
    ("to_fp_real", 2, from_real),
    ("to_fp_signed", 2, from_signed),
    ("to_fp_unsigned", 2, |cx, a| match &a[1] {
        Value::Int(_) => from_real(cx, a),
        value => Ok(Value::float(Float::from_unsigned(format(cx)?, rounding_mode(&a[0])?, bitvec(value)?))),
    }),
    ("fp.to_ubv", 2, |cx, a| {
        let width = cx.bit_index(0)?;
        Ok(Value::BitVec(float(&a[1])?.to_unsigned(rounding_mode(&a[0])?, width, cx.limits)?))
    }),
    ("fp.to_sbv", 2, |cx, a| {
        let width = cx.bit_index(0)?;
        Ok(Value::BitVec(float(&a[1])?.to_signed(rounding_mode(&a[0])?, width, cx.limits)?))
    }),
    ("fp.to_real", 1, |cx, a| Ok(Value::Real(float(&a[0])?.to_real(cx.limits)?))),
    ("fp.to_ieee_bv", 1, |_, a| Ok(Value::BitVec(float(&a[0])?.to_bits()?))),
];

/// The format that the operator's indices name.
fn format(cx: &Context) -> Outcome<Format> {
    Ok(Format::new(cx.index(0)?, cx.index(1)?, cx.limits)?)
}

fn parts(cx: &Context, a: &[Value]) -> Outcome<Value> {
    Ok(Value::float(Float::from_parts(bitvec(&a[0])?, bitvec(&a[1])?, bitvec(&a[2])?, cx.limits)?))
}

fn from_bits(cx: &Context, a: &[Value]) -> Outcome<Value> {
    Ok(Value::float(Float::from_bits(format(cx)?, bitvec(&a[0])?)))
}

fn from_float(cx: &Context, a: &[Value]) -> Outcome<Value> {
    Ok(Value::float(float(&a[1])?.to_format(format(cx)?, rounding_mode(&a[0])?)))
}

fn from_signed(cx: &Context, a: &[Value]) -> Outcome<Value> {
    Ok(Value::float(Float::from_signed(format(cx)?, rounding_mode(&a[0])?, bitvec(&a[1])?)))
}

/// From a real number or an integer.
fn from_real(cx: &Context, a: &[Value]) -> Outcome<Value> {
    let (format, mode) = (format(cx)?, rounding_mode(&a[0])?);
    match &a[1] {
        Value::Int(_) => Ok(Value::float(Float::from_int(format, mode, int(&a[1])?))),
        value => {
            let value: Real = real(value)?;
            Ok(Value::float(Float::from_real(format, mode, &value, cx.limits)?))
        }
    }
}
