//! Values for holes: from a model, or random.

use super::holes::Hole;
use crate::kit::constants::{boundary, negated, random_pattern};
use crate::kit::evaluation::limits;
use crate::kit::random::Random;
use semantics::{Definitions, NO_DEFINITIONS};
use semantics::{Evaluator, Memory, Model, Value};
use smt::{Arena, Literal, Scope, Sort, Term, parse_term};

/// The size of random integers in bits, without the sign.
const INTEGER_BITS: u32 = 32;
/// The maximum length of random strings.
const STRING_LENGTH: u64 = 12;

/// The value of a hole in a model, as a term. If the model has no value, or one that cannot be written, the seed's constant
/// stays. If the term differs from the model's value, the model is changed, because later evaluations use it.
pub(super) fn of_model(arena: &mut Arena, scope: &mut Scope, model: &mut Model, hole: &Hole) -> Term {
    if !hole.fixed {
        let said = Evaluator::new(arena, model, &NO_DEFINITIONS).evaluate(hole.term).ok();
        let plain = said.as_ref().and_then(|value| written(arena, scope, hole, value));
        if let Some((term, exact)) = plain {
            if !exact {
                set(arena, model, hole, term);
            }
            return term;
        }
    }
    set(arena, model, hole, hole.original);
    hole.original
}

fn set(arena: &Arena, model: &mut Model, hole: &Hole, term: Term) {
    if let Ok(value) = Evaluator::new(arena, model, &NO_DEFINITIONS).evaluate(term) {
        model.set_value(hole.op, value);
    }
}

/// A value as a term of the hole's sort, and whether it is exact. Letters replace characters that need an escape, because
/// releases from before the standard's escapes read them differently.
fn written(arena: &mut Arena, scope: &mut Scope, hole: &Hole, value: &Value) -> Option<(Term, bool)> {
    if matches!(value, Value::Algebraic(_) | Value::Function(_) | Value::Element(..) | Value::RegLan(_)) {
        return None;
    }
    let sort = arena.sort(hole.original);
    let text = value.text(arena, sort);
    let exact = !text.contains('\\');
    let text = if exact { text } else { without_escapes(&text) };
    let term = parse_term(arena, scope, &text).ok()?;
    (arena.sort(term) == sort).then_some((term, exact))
}

/// A text with a letter for each escape in its strings; the same letter for the same escape.
fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\u{") {
        out.push_str(before);
        let (code, after) = after.split_once('}').unwrap_or((after, ""));
        let code = u32::from_str_radix(code, 16).unwrap_or(0);
        out.push(char::from(b'a' + (code % 26) as u8));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The values of Boolean terms in a model; `None` if undetermined.
pub(super) fn truths(
    arena: &Arena,
    model: &Model,
    definitions: &Definitions,
    terms: impl Iterator<Item = Term>,
) -> Vec<Option<bool>> {
    let mut evaluator =
        Evaluator::with_memory(arena, model, definitions, Memory::default()).with_limits(limits());
    let truth = |term: Term| match evaluator.evaluate(term) {
        Ok(Value::Bool(truth)) => Some(truth),
        _ => None,
    };
    terms.map(truth).collect()
}

/// A random value, uniform over the sort as in the paper's baseline: 32 bits and a sign for numbers, any bits for bit-vectors and
/// floating point, printable characters for strings. Other sorts use their boundary values.
pub(super) fn at_random(arena: &mut Arena, sort: Sort, random: &mut Random) -> Option<Term> {
    let signed = |arena: &mut Arena, term: Term, negative: bool| {
        if negative { negated(arena, term) } else { Some(term) }
    };
    match sort {
        Sort::INT => {
            let value = random.bits() >> (64 - INTEGER_BITS);
            let term = arena.literal(Literal::Numeral, &value.to_string(), sort);
            let negative = value > 0 && random.chance(1, 2);
            signed(arena, term, negative)
        }
        Sort::REAL => {
            let (whole, part) = (random.bits() >> (64 - INTEGER_BITS), random.below(1_000_000));
            let term = arena.literal(Literal::Decimal, &format!("{whole}.{part:06}"), sort);
            let negative = random.chance(1, 2);
            signed(arena, term, negative)
        }
        Sort::STRING => {
            let length = random.below(STRING_LENGTH + 1);
            let mut text = String::new();
            for _ in 0..length {
                match random.between(0x20, 0x7e) as u8 {
                    b'"' => text.push_str("\"\""),
                    b'\\' => text.push_str("\\u{5c}"),
                    plain => text.push(char::from(plain)),
                }
            }
            Some(arena.literal(Literal::String, &text, sort))
        }
        _ => random_pattern(arena, sort, random).or_else(|| {
            let values = boundary(arena, sort);
            random.pick(&values).copied()
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::parse_sort;

    #[test]
    fn escapes_give_way_to_letters() {
        let table = [
            ("\"a\"", "\"a\""),
            ("\"\\u{5c}x\\u{0}\"", "\"oxa\""),
            ("(seq.unit \"\\u{1}\")", "(seq.unit \"b\")"),
        ];
        for (text, expected) in table {
            assert_eq!(without_escapes(text), expected);
        }
    }

    #[test]
    fn random_values_have_their_sort_and_read_back() {
        let mut arena = Arena::default();
        let mut scope = Scope::default();
        for text in ["Bool", "Int", "Real", "String", "(_ BitVec 7)", "Float16", "RoundingMode", "(Seq Int)"]
        {
            let sort = parse_sort(&mut arena, &mut scope, text).unwrap();
            let mut random = Random::new(5);
            for _ in 0..40 {
                let term = at_random(&mut arena, sort, &mut random).unwrap();
                let printed = arena.term_text(term);
                assert_eq!(parse_term(&mut arena, &mut scope, &printed), Ok(term), "{printed}");
                assert_eq!(arena.sort(term), sort, "{text}");
            }
        }
    }
}
