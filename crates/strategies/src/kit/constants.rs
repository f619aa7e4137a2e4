//! New constants: boundary values of a sort, values near those of the formula, and random values.

use crate::kit::random::Random;
use smt::{Arena, FixedState, Index, Literal, Sort, Term, View, reserved};
use std::collections::HashMap;

/// Integers at which some solver changes its behaviour.
const INTEGERS: [&str; 20] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "8",
    "10",
    "16",
    "31",
    "32",
    "64",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775808",
];
/// Reals, besides the integers.
const REALS: [&str; 8] = ["0.0", "1.0", "2.0", "0.5", "0.1", "0.25", "10.0", "1000000.0"];
/// Strings, as they are written in literals.
const STRINGS: [&str; 18] = [
    "",
    "a",
    "b",
    "A",
    "0",
    "1",
    "9",
    "-1",
    "00",
    "01",
    "ab",
    "ba",
    "aa",
    "10",
    "\\u{0}",
    "\\u{7f}",
    "\\u{ff}",
    "\\u{2ffff}",
];
/// Characters of random strings.
const CHARACTERS: &[u8] = b"aabbcAZ0019-+ .";
/// Wider bit-vectors are not written as literals.
const MAX_WIDTH: u64 = 4096;

/// The floating-point formats that every solver with floating point supports.
pub(crate) const COMMON_FORMATS: [(u64, u64); 2] = [(8, 24), (11, 53)];

/// The constants of a seed's sorts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constants {
    boundary: HashMap<Sort, Vec<Term>, FixedState>,
}

impl Constants {
    /// The boundary values of each of these sorts.
    pub fn new(arena: &mut Arena, sorts: &[Sort]) -> Self {
        let mut constants = Constants::default();
        for &sort in sorts {
            let values = boundary(arena, sort);
            if !values.is_empty() {
                constants.boundary.insert(sort, values);
            }
        }
        constants
    }

    /// The boundary values of a sort.
    pub fn boundary(&self, sort: Sort) -> &[Term] {
        self.boundary.get(&sort).map_or(&[], Vec::as_slice)
    }

    /// A constant of a sort: a boundary value or a random one.
    pub fn pick(&self, arena: &mut Arena, sort: Sort, random: &mut Random) -> Option<Term> {
        let boundary = self.boundary.get(&sort)?;
        if random.chance(1, 3)
            && let Some(term) = at_random(arena, sort, random)
        {
            return Some(term);
        }
        random.pick(boundary).copied()
    }
}

/// A numeral near a numeral of the formula.
pub(crate) fn near(arena: &mut Arena, literal: Term, random: &mut Random) -> Option<Term> {
    let sort = arena.sort(literal);
    let View::Literal(Literal::Numeral, text) = arena.view(literal) else { return None };
    let value: u64 = arena.name(text).parse().ok()?;
    let value = match random.below(4) {
        0 => value.checked_add(1)?,
        1 => value.checked_sub(1)?,
        2 => value.checked_mul(2)?,
        _ => value / 2,
    };
    Some(arena.literal(Literal::Numeral, &value.to_string(), sort))
}

/// The negation of a number.
pub(crate) fn negated(arena: &mut Arena, term: Term) -> Option<Term> {
    arena.apply("-", &[term]).ok()
}

/// The boundary values of a sort, the simplest first; empty if none are known.
pub(crate) fn boundary(arena: &mut Arena, sort: Sort) -> Vec<Term> {
    let mut values = Vec::new();
    match sort {
        Sort::BOOL => values.extend(["true", "false"].iter().filter_map(|name| arena.apply(name, &[]).ok())),
        Sort::INT => {
            let positive: Vec<Term> =
                INTEGERS.iter().map(|text| arena.literal(Literal::Numeral, text, sort)).collect();
            values.extend_from_slice(&positive);
            values.extend(positive.iter().skip(1).filter_map(|&term| negated(arena, term)));
        }
        Sort::REAL => {
            let positive: Vec<Term> =
                REALS.iter().map(|text| arena.literal(Literal::Decimal, text, sort)).collect();
            values.extend_from_slice(&positive);
            values.extend(positive.iter().skip(1).filter_map(|&term| negated(arena, term)));
            let three = arena.literal(Literal::Decimal, "3.0", sort);
            values.extend(arena.apply("/", &[positive[1], three]).ok());
        }
        Sort::STRING => {
            values.extend(STRINGS.iter().map(|text| arena.literal(Literal::String, text, sort)));
        }
        Sort::REGLAN => {
            values.extend(
                ["re.none", "re.all", "re.allchar"].iter().filter_map(|name| arena.apply(name, &[]).ok()),
            );
            for text in ["", "a", "ab", "0"] {
                let text = arena.literal(Literal::String, text, Sort::STRING);
                values.extend(arena.apply("str.to_re", &[text]).ok());
            }
        }
        Sort::ROUNDING_MODE => {
            let modes = ["RNE", "RNA", "RTP", "RTN", "RTZ"];
            values.extend(modes.iter().filter_map(|name| arena.apply(name, &[]).ok()));
        }
        _ => structured(arena, sort, &mut values),
    }
    values
}

/// Boundary values of sorts with widths, elements or constructors.
fn structured(arena: &mut Arena, sort: Sort, values: &mut Vec<Term>) {
    if let Some(width) = arena.bitvec_width(sort) {
        if width <= MAX_WIDTH {
            for bits in boundary_bits(width as usize) {
                values.push(bit_vector(arena, &bits));
            }
        }
    } else if let Some((exponent, significand)) = arena.float_format(sort) {
        if exponent + significand <= MAX_WIDTH {
            floats(arena, exponent as usize, significand as usize, values);
        }
    } else if arena.sort_node(sort).head == reserved::FINITE_FIELD {
        if let [Index::Num(order)] = *arena.sort_node(sort).indices {
            for value in [0, 1, 2 % order.max(1), order.saturating_sub(1)] {
                values.push(arena.literal(Literal::Field, &format!("ff{value}"), sort));
            }
        }
    } else {
        let empty = match arena.sort_head(sort) {
            "Seq" => "seq.empty",
            "Set" => "set.empty",
            "Bag" => "bag.empty",
            _ => return,
        };
        let name = arena.symbol(empty);
        let head = smt::Head { name, indices: &[], ascription: Some(sort) };
        values.extend(arena.apply_head(head, &[]).ok().filter(|&term| arena.sort(term) == sort));
    }
}

/// All zeros, one, all ones, the least and the greatest signed value, and alternating bits; most significant bit first.
fn boundary_bits(width: usize) -> Vec<String> {
    let zeros = "0".repeat(width);
    let ones = "1".repeat(width);
    let mut one = "0".repeat(width - 1);
    one.push('1');
    let least = format!("1{}", "0".repeat(width - 1));
    let greatest = format!("0{}", "1".repeat(width - 1));
    let alternating: String = (0..width).map(|at| if at % 2 == 0 { '1' } else { '0' }).collect();
    let mut all = vec![zeros, one, ones, least, greatest, alternating];
    all.dedup();
    all
}

/// A bit-vector literal, in hexadecimal if the width allows it.
fn bit_vector(arena: &mut Arena, bits: &str) -> Term {
    let sort = arena.bitvec_sort(bits.len() as u64);
    if !bits.len().is_multiple_of(4) {
        return arena.literal(Literal::Binary, &format!("#b{bits}"), sort);
    }
    let digits: String = bits
        .as_bytes()
        .chunks(4)
        .filter_map(|four| {
            let value = four.iter().fold(0, |value, &bit| value * 2 + u32::from(bit == b'1'));
            char::from_digit(value, 16)
        })
        .collect();
    arena.literal(Literal::Hex, &format!("#x{digits}"), sort)
}

fn floats(arena: &mut Arena, exponent: usize, significand: usize, values: &mut Vec<Term>) {
    let indices = [Index::Num(exponent as u64), Index::Num(significand as u64)];
    for name in ["+zero", "-zero", "+oo", "-oo", "NaN"] {
        let name = arena.symbol(name);
        let head = smt::Head { name, indices: &indices, ascription: None };
        values.extend(arena.apply_head(head, &[]).ok());
    }
    let fraction = significand - 1;
    let bias = format!("0{}", "1".repeat(exponent - 1));
    let largest = format!("{}0", "1".repeat(exponent - 1));
    let mut tiny = "0".repeat(fraction - 1);
    tiny.push('1');
    let (no, all) = ("0".repeat(fraction), "1".repeat(fraction));
    let parts = [
        ("0", bias.clone(), no.clone()),
        ("1", bias, no.clone()),
        ("0", "0".repeat(exponent), tiny),
        ("1", "0".repeat(exponent), all.clone()),
        ("0", largest, all),
        ("0", format!("{}1", "0".repeat(exponent - 1)), no),
    ];
    for (sign, exponent, fraction) in parts {
        values.extend(float(arena, sign, &exponent, &fraction));
    }
}

fn float(arena: &mut Arena, sign: &str, exponent: &str, fraction: &str) -> Option<Term> {
    let parts = [bit_vector(arena, sign), bit_vector(arena, exponent), bit_vector(arena, fraction)];
    arena.apply("fp", &parts).ok()
}

fn random_bits(width: usize, random: &mut Random) -> String {
    let mut bits = String::with_capacity(width);
    let mut word = 0;
    for at in 0..width {
        if at % 64 == 0 {
            word = random.bits();
        }
        bits.push(if word >> (at % 64) & 1 == 1 { '1' } else { '0' });
    }
    bits
}

fn at_random(arena: &mut Arena, sort: Sort, random: &mut Random) -> Option<Term> {
    match sort {
        Sort::INT => {
            let value =
                if random.chance(3, 4) { random.below(20) } else { random.bits() >> random.below(64) };
            let term = arena.literal(Literal::Numeral, &value.to_string(), sort);
            if value > 0 && random.chance(1, 3) { negated(arena, term) } else { Some(term) }
        }
        Sort::REAL => {
            let (whole, part) = (random.below(100), random.below(1000));
            let term = arena.literal(Literal::Decimal, &format!("{whole}.{part:03}"), sort);
            if random.chance(1, 3) { negated(arena, term) } else { Some(term) }
        }
        Sort::STRING => {
            let length = random.below(6);
            let text: String =
                (0..length).map(|_| char::from(CHARACTERS[random.index(CHARACTERS.len())])).collect();
            Some(arena.literal(Literal::String, &text, sort))
        }
        _ => random_pattern(arena, sort, random),
    }
}

/// A random bit-vector or floating-point number; all bit patterns are equally likely.
pub(crate) fn random_pattern(arena: &mut Arena, sort: Sort, random: &mut Random) -> Option<Term> {
    if let Some(width) = arena.bitvec_width(sort) {
        let bits = random_bits(width as usize, random);
        return Some(bit_vector(arena, &bits));
    }
    let (exponent, significand) = arena.float_format(sort)?;
    let bits = random_bits((exponent + significand) as usize, random);
    let (sign, rest) = bits.split_at(1);
    let (exponent, fraction) = rest.split_at(exponent as usize);
    float(arena, sign, exponent, fraction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::parse_sort;

    #[test]
    fn constants_have_their_sort_and_parse_again() {
        let mut arena = Arena::default();
        let mut scope = smt::Scope::default();
        let table = [
            "Bool",
            "Int",
            "Real",
            "String",
            "RegLan",
            "RoundingMode",
            "(_ BitVec 1)",
            "(_ BitVec 8)",
            "(_ BitVec 13)",
            "(_ BitVec 100)",
            "Float32",
            "(_ FloatingPoint 2 2)",
            "(_ FloatingPoint 5 11)",
            "(Seq Int)",
            "(Set Int)",
            "(Bag String)",
            "(_ FiniteField 7)",
        ];
        for text in table {
            let sort = parse_sort(&mut arena, &mut scope, text).unwrap();
            let constants = Constants::new(&mut arena, &[sort]);
            let mut random = Random::new(3);
            for _ in 0..50 {
                let term = constants.pick(&mut arena, sort, &mut random).unwrap();
                assert_eq!(arena.sort(term), sort, "{text}");
                let printed = arena.term_text(term);
                assert_eq!(smt::parse_term(&mut arena, &mut scope, &printed), Ok(term), "{printed}");
            }
        }
        let sort = arena.make_sort("Array", &[], &[Sort::INT, Sort::INT]);
        let constants = Constants::new(&mut arena, &[sort]);
        assert_eq!(constants.pick(&mut arena, sort, &mut Random::new(3)), None);
    }
}
