//! The values of literals.

use smt::{Arena, Literal, Term, View};

use crate::data::Value;
use crate::reason::{Outcome, Reason};
use crate::theories;
use crate::value::bitvec::BitVec;
use crate::value::integer::Int;
use crate::value::limits::{Limits, Undetermined};
use crate::value::rational::Rational;
use crate::value::string::Str;

/// The value of a literal.
pub(crate) fn value(arena: &Arena, term: Term, limits: &Limits) -> Outcome<Value> {
    let View::Literal(literal, symbol) = arena.view(term) else { return Err(Reason::Literal(term)) };
    let text = arena.name(symbol);
    // Parsing takes time quadratic in the number of digits.
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
        Literal::Field => theories::constant(arena, arena.sort(term), text),
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
