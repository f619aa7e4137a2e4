//! Constants of every sort, as text: boundary values and random values.

use super::Context;
use crate::kit::random::Random;
use smt::{Arena, Index, Sort};

/// Integers at which some implementation changes its behaviour.
const INTEGERS: [&str; 18] = [
    "0",
    "1",
    "2",
    "3",
    "5",
    "7",
    "8",
    "10",
    "31",
    "48",
    "57",
    "97",
    "255",
    "256",
    "2147483648",
    "196607",
    "18446744073709551616",
    "340282366920938463463374607431768211457",
];
const DECIMALS: [&str; 12] = [
    "0.0",
    "1.0",
    "0.5",
    "2.0",
    "0.1",
    "1.5",
    "2.5",
    "0.0009765625",
    "65519.99",
    "1000000.0",
    "340282356779733661637539395458142568448.0",
    "0.00000000000000000000000000000000000000000000070064923216240854",
];
const STRINGS: [&str; 24] = [
    "",
    "a",
    "b",
    "A",
    "Z",
    "0",
    "9",
    "10",
    "007",
    "-1",
    "ab",
    "ba",
    "aab",
    "aba",
    "abab",
    "aaaa",
    "0a",
    " ",
    "\"\"",
    "\\u{0}",
    "\\u{7f}",
    "\\u{e9}",
    "\\u{2ffff}",
    "ab\\u{10000}c",
];
/// Characters of random strings: few, so that substrings recur.
const CHARACTERS: &[u8] = b"aaabbc01AZ ";
const MODES: [&str; 5] = ["RNE", "RNA", "RTP", "RTN", "RTZ"];

/// A constant of a sort; `None` if the sort has none that can be written.
pub(super) fn constant(
    arena: &mut Arena,
    sort: Sort,
    context: &mut Context,
    random: &mut Random,
) -> Option<String> {
    Some(match sort {
        Sort::BOOL => (if random.chance(1, 2) { "true" } else { "false" }).to_owned(),
        Sort::INT => integer(context, random),
        Sort::REAL => real(context, random),
        Sort::STRING => string(random),
        Sort::REGLAN => language(random),
        Sort::ROUNDING_MODE => MODES[random.index(MODES.len())].to_owned(),
        _ => return structured(arena, sort, context, random),
    })
}

/// Negates a number, sometimes. A negated number in a script is not a value for cvc5.
fn signed(text: String, context: &Context, random: &mut Random) -> String {
    let zero = text.bytes().all(|byte| byte == b'0' || byte == b'.');
    if !zero && !context.values_only && random.chance(1, 3) { format!("(- {text})") } else { text }
}

fn integer(context: &Context, random: &mut Random) -> String {
    let text = match random.below(4) {
        0 => INTEGERS[random.index(INTEGERS.len())].to_owned(),
        1 => (random.bits() >> random.below(64)).to_string(),
        2 => random.below(12).to_string(),
        _ => random.below(4).to_string(),
    };
    signed(text, context, random)
}

fn real(context: &Context, random: &mut Random) -> String {
    let text = match random.below(4) {
        _ if context.values_only => format!("{}.0", random.below(20)),
        0 => DECIMALS[random.index(DECIMALS.len())].to_owned(),
        1 => {
            let (above, below) = (random.below(50), random.below(20) + 1);
            format!("(/ {above}.0 {below}.0)")
        }
        2 => format!("{}.{:03}", random.bits() >> random.below(64), random.below(1000)),
        _ => format!("{}.{}", random.below(20), random.below(10)),
    };
    if text.starts_with('(') { text } else { signed(text, context, random) }
}

fn string(random: &mut Random) -> String {
    if random.chance(1, 3) {
        return format!("\"{}\"", STRINGS[random.index(STRINGS.len())]);
    }
    let length = random.below(7);
    let text: String = (0..length).map(|_| char::from(CHARACTERS[random.index(CHARACTERS.len())])).collect();
    format!("\"{text}\"")
}

fn language(random: &mut Random) -> String {
    match random.below(7) {
        0 => "re.none".to_owned(),
        1 => "re.all".to_owned(),
        2 => "re.allchar".to_owned(),
        3 => "(re.range \"a\" \"c\")".to_owned(),
        _ => format!("(str.to_re {})", string(random)),
    }
}

fn bits(width: u64, random: &mut Random) -> String {
    let width = width as usize;
    match random.below(8) {
        0 => "0".repeat(width),
        1 => "1".repeat(width),
        2 => format!("1{}", "0".repeat(width - 1)),
        3 => format!("0{}", "1".repeat(width - 1)),
        4 => format!("{}1", "0".repeat(width - 1)),
        _ => (0..width).map(|_| if random.chance(1, 2) { '1' } else { '0' }).collect(),
    }
}

fn float(exponent: u64, significand: u64, random: &mut Random) -> String {
    let special = ["+zero", "-zero", "+oo", "-oo", "NaN"];
    if random.chance(1, 4) {
        return format!("(_ {} {exponent} {significand})", special[random.index(5)]);
    }
    let sign = random.below(2);
    // Most operations are interesting near one, and round near the ends of the range.
    let middle = format!("{}{}", sign, "0".repeat(exponent as usize - 1));
    let bias = format!("0{}", "1".repeat(exponent as usize - 1));
    let largest = format!("{}0", "1".repeat(exponent as usize - 1));
    let power = match random.below(6) {
        0 => middle,
        1 | 2 => bias,
        3 => largest,
        4 => "0".repeat(exponent as usize),
        _ => bits(exponent, random),
    };
    format!("(fp #b{sign} #b{power} #b{})", bits(significand - 1, random))
}

/// Constants of sorts with widths, elements or functions.
fn structured(arena: &mut Arena, sort: Sort, context: &mut Context, random: &mut Random) -> Option<String> {
    if let Some(width) = arena.bitvec_width(sort) {
        return Some(format!("#b{}", bits(width, random)));
    }
    if let Some((exponent, significand)) = arena.float_format(sort) {
        return Some(float(exponent, significand, random));
    }
    if arena.datatype_of(sort).is_some() {
        return datatype(arena, sort, context, random);
    }
    if context.values_only {
        // Terms with operators are not values for cvc5.
        context.only(Context::Z3);
    }
    let node = arena.sort_node(sort).clone();
    let name = arena.sort_head(sort).to_owned();
    let text = arena.sort_text(sort);
    let mut some =
        |sort: Sort, context: &mut Context, random: &mut Random| constant(arena, sort, context, random);
    match (name.as_str(), &node.args[..]) {
        ("FiniteField", []) => {
            let Index::Num(order) = *node.indices.first()? else { return None };
            let value = if random.chance(1, 4) { order - 1 } else { random.bits() % order };
            Some(format!("(as ff{value} {text})"))
        }
        ("Unicode", []) => {
            context.only(Context::Z3);
            let table = [0x30, 0x39, 0x41, 0x61, 0x7f, 0xff, 0x2_ffff];
            Some(format!("(_ Char {})", table[random.index(table.len())]))
        }
        ("Array", [keys @ .., value]) => {
            // cvc5 accepts only values here, without operators.
            let outer = std::mem::replace(&mut context.values_only, true);
            let default = some(*value, context, random);
            context.values_only = outer;
            let default = default?;
            let mut array = format!("((as const {text}) {default})");
            for _ in 0..random.below(3) {
                let keys = keys.iter().map(|&key| some(key, context, random)).collect::<Option<Vec<_>>>()?;
                let value = some(*value, context, random)?;
                array = format!("(store {array} {} {value})", keys.join(" "));
            }
            Some(array)
        }
        ("Set", [element]) if context.solvers == Context::Z3 => {
            let mut array = format!("((as const {text}) {})", random.chance(1, 4));
            for _ in 0..random.below(3) {
                array =
                    format!("(store {array} {} {})", some(*element, context, random)?, random.chance(2, 3));
            }
            Some(array)
        }
        (collection @ ("Seq" | "Set" | "FiniteSet" | "Bag"), &[element]) => {
            let (empty, one, join) = match collection {
                "Seq" => ("seq.empty", "seq.unit", "seq.++"),
                "Bag" => ("bag.empty", "bag", "bag.union_disjoint"),
                _ => ("set.empty", "set.singleton", "set.union"),
            };
            match collection {
                "FiniteSet" => context.only(Context::Z3),
                "Set" | "Bag" => context.only(Context::CVC5),
                _ => {}
            }
            let mut whole = format!("(as {empty} {text})");
            for at in 0..random.below(4) {
                let mut item = some(element, context, random)?;
                if collection == "Bag" {
                    item = format!("{item} {}", random.below(4));
                }
                let single = format!("({one} {item})");
                whole = if at == 0 { single } else { format!("({join} {whole} {single})") };
            }
            Some(whole)
        }
        ("Tuple", fields) => {
            context.only(Context::CVC5);
            let fields =
                fields.iter().map(|&field| some(field, context, random)).collect::<Option<Vec<_>>>()?;
            Some(format!("(tuple {})", fields.join(" ")))
        }
        ("Nullable", &[element]) => {
            context.only(Context::CVC5);
            match random.below(3) {
                0 => Some(format!("(as nullable.null {text})")),
                _ => Some(format!("(nullable.some {})", some(element, context, random)?)),
            }
        }
        _ => None,
    }
}

/// A constructor applied to constants. Non-recursive constructors are preferred, so that this terminates.
fn datatype(arena: &mut Arena, sort: Sort, context: &mut Context, random: &mut Random) -> Option<String> {
    let declared = arena.datatype(arena.datatype_of(sort)?).clone();
    let count = declared.constructors.len();
    let recursive =
        |at: usize| declared.constructors[at].fields.iter().any(|(_, field)| *field == declared.sort);
    let mut at = random.index(count);
    if recursive(at) && random.chance(1, 2) {
        at = (0..count).find(|&at| !recursive(at))?;
    }
    let constructor = &declared.constructors[at];
    let mut name = String::new();
    smt::print::name_into(arena.name(constructor.name), &mut name);
    if !declared.params.is_empty() {
        name = format!("(as {name} {})", arena.sort_text(sort));
    }
    let mut fields = Vec::new();
    for &(_, field) in &constructor.fields {
        let field = arena.field_sort(sort, field);
        fields.push(constant(arena, field, context, random)?);
    }
    Some(if fields.is_empty() { name } else { format!("({name} {})", fields.join(" ")) })
}
