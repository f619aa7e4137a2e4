//! The values of literals.

use std::sync::Arc;

use smt::{Arena, Literal, Term, View};

use super::reason::{Outcome, Reason};
use crate::data::{FieldElement, Value};
use crate::domain;
use crate::value::bitvec::BitVec;
use crate::value::integer::Int;
use crate::value::limits::{Limits, Undetermined};
use crate::value::rational::Rational;
use crate::value::string::Str;

/// The value of a literal.
pub(crate) fn value(arena: &Arena, term: Term, limits: &Limits) -> Outcome<Value> {
    let View::Literal(literal, symbol) = arena.view(term) else { return Err(Reason::Literal(term)) };
    let text = arena.name(symbol);
    // Reading digits takes time that grows with the square of their number.
    if !matches!(literal, Literal::String) && text.len() as u64 > limits.bits {
        return Err(Reason::TooLarge("a literal with more digits than the limit"));
    }
    let value = match literal {
        Literal::Numeral => Int::parse_numeral(text).map(Value::Int),
        Literal::Decimal => Rational::parse_decimal(text).map(Value::Real),
        Literal::Binary => BitVec::parse_binary(&text[2..], limits)?.map(Value::BitVec),
        Literal::Hex => BitVec::parse_hex(&text[2..], limits)?.map(Value::BitVec),
        Literal::BvDecimal => decimal_vector(arena, term, text, limits)?,
        Literal::String => Str::parse_literal(text).map(Value::Str),
        Literal::Char => u32::from_str_radix(text.trim_start_matches("#x"), 16)
            .ok()
            .and_then(|code| Str::new(vec![code]))
            .map(Value::Str),
        Literal::Field => field_element(arena, term, text)?,
    };
    value.ok_or(Reason::Literal(term))
}

fn decimal_vector(
    arena: &Arena,
    term: Term,
    text: &str,
    limits: &Limits,
) -> Result<Option<Value>, Undetermined> {
    let width = arena.bitvec_width(arena.sort(term)).unwrap_or(0);
    limits.check_bits(width)?;
    let Some(number) = text.strip_prefix("bv").and_then(Int::parse_numeral) else { return Ok(None) };
    BitVec::from_int(width as u32, &number, limits).map(|value| Some(Value::BitVec(value)))
}

/// `ff3`, `ff-3` of a sort, or `#f3m5`.
fn field_element(arena: &Arena, term: Term, text: &str) -> Result<Option<Value>, Undetermined> {
    let digits = text.strip_prefix("ff").or_else(|| text.strip_prefix("#f")).unwrap_or("");
    let digits = digits.split_once('m').map_or(digits, |(value, _)| value);
    let (negative, digits) = digits.strip_prefix('-').map_or((false, digits), |digits| (true, digits));
    let (Some(value), Some(order)) = (Int::parse_numeral(digits), domain::order(arena, arena.sort(term)))
    else {
        return Ok(None);
    };
    let value = if negative { value.neg() } else { value };
    let value = value.modulo(&order)?;
    Ok(Some(Value::Field(Arc::new(FieldElement { value, order }))))
}
