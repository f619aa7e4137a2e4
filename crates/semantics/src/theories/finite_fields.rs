//! Finite fields of prime order.

use smt::{Arena, Index, Sort};

use crate::data::{Cardinality, Value, ValueKind};
use crate::reason::{Outcome, Reason};
use crate::theory::{Context, Rule, SortSemantics, Theory};
use crate::value::integer::Int;
use crate::value::limits::Undetermined;

/// The semantics of finite fields.
pub(super) static THEORY: Theory = Theory { rules: RULES, sorts: SORTS, ..Theory::new("FiniteFields") };

/// An element: its representative, at least zero and below the order, and the order.
static ELEMENT: ValueKind = ValueKind {
    name: "FiniteField",
    print: |parts, arena, sort| match parts {
        [Value::Int(representative), _] => format!("(as ff{representative} {})", arena.sort_text(sort)),
        _ => unreachable!("an element has a representative and an order"),
    },
};

const SORTS: &[SortSemantics] = &[SortSemantics {
    name: "FiniteField",
    size: |domain, sort| match order(domain.arena, sort).and_then(|order| order.to_u64()) {
        Some(order) => Cardinality::Finite(order),
        None => Cardinality::Infinite,
    },
    values: |domain, sort| {
        let order = order(domain.arena, sort)?;
        (0..order.to_u64()?).map(|value| element(Int::from(value), &order).ok()).collect()
    },
    constant,
}];

const RULES: &[(&str, u8, Rule)] = &[
    ("ff.add", 2, |_, a| {
        let ((x, order), (y, _)) = (parts(&a[0])?, parts(&a[1])?);
        Ok(element(x.add(y), order)?)
    }),
    ("ff.mul", 2, |cx, a| {
        let ((x, order), (y, _)) = (parts(&a[0])?, parts(&a[1])?);
        Ok(element(x.mul(y, cx.limits)?, order)?)
    }),
    ("ff.neg", 1, |_, a| {
        let (x, order) = parts(&a[0])?;
        Ok(element(x.neg(), order)?)
    }),
    ("ff.bitsum", 1, bit_sum),
];

/// The representative and the order of an element.
fn parts(value: &Value) -> Outcome<(&Int, &Int)> {
    match value.parts_of(&ELEMENT) {
        Some([Value::Int(representative), Value::Int(order)]) => Ok((representative, order)),
        _ => Err(Reason::BadArguments(None)),
    }
}

/// The element that an integer represents.
fn element(value: Int, order: &Int) -> Result<Value, Undetermined> {
    Value::theory(&ELEMENT, vec![Value::Int(value.modulo(order)?), Value::Int(order.clone())])
}

/// The order of a finite field.
fn order(arena: &Arena, sort: Sort) -> Option<Int> {
    match *arena.sort_node(sort).indices {
        [Index::Num(order)] => Some(Int::from(order)),
        [Index::Sym(order)] => Int::parse_numeral(arena.name(order)),
        _ => None,
    }
}

/// Reads `ff3` or `ff-3` in `(as ff3 SORT)`, and `#f3m5`.
fn constant(arena: &Arena, sort: Sort, text: &str) -> Option<Value> {
    let digits = text.strip_prefix("ff").or_else(|| text.strip_prefix("#f"))?;
    let digits = digits.split_once('m').map_or(digits, |(value, _)| value);
    let (negative, digits) = digits.strip_prefix('-').map_or((false, digits), |digits| (true, digits));
    let value = Int::parse_numeral(digits)?;
    let value = if negative { value.neg() } else { value };
    element(value, &order(arena, sort)?).ok()
}

/// The first argument once, the second twice, the third four times, and so on.
fn bit_sum(cx: &Context, args: &[Value]) -> Outcome<Value> {
    let (_, order) = parts(&args[0])?;
    let (mut sum, mut weight) = (Int::ZERO, Int::ONE);
    for arg in args {
        sum = sum.add(&parts(arg)?.0.mul(&weight, cx.limits)?).modulo(order)?;
        weight = weight.add(&weight).modulo(order)?;
    }
    Ok(element(sum, order)?)
}
