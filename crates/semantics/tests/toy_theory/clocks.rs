//! Hours on a clock face: the integers modulo twelve.

use elenchus_semantics::Value;
use elenchus_semantics::data::{Cardinality, ValueKind};
use elenchus_semantics::theory::args::int;
use elenchus_semantics::theory::{Rule, SortSemantics, Theory};
use elenchus_semantics::value::integer::Int;
use elenchus_semantics::{Outcome, Reason};

pub static THEORY: Theory = Theory { rules: RULES, sorts: SORTS, ..Theory::new("Clocks") };

/// A value has one part: the hour, from zero to eleven.
static CLOCK: ValueKind = ValueKind {
    name: "Clock",
    print: |parts, arena, _| format!("(clock {})", parts[0].text(arena, smt::Sort::INT)),
};

const RULES: &[(&str, u8, Rule)] = &[
    ("clock", 1, |_, args| clock(int(&args[0])?)),
    ("clock.add", 2, |_, args| clock(&hour(&args[0])?.add(hour(&args[1])?))),
];

const SORTS: &[SortSemantics] = &[SortSemantics {
    name: "Clock",
    size: |_, _| Cardinality::Finite(12),
    values: |_, _| (0..12).map(|hour| clock(&Int::from(hour)).ok()).collect(),
    // A solver may write values as `(as @clock_3 Clock)`.
    constant: |_, _, text| clock(&Int::parse_numeral(text.strip_prefix("@clock_")?)?).ok(),
}];

fn clock(number: &Int) -> Outcome<Value> {
    let hour = number.modulo(&Int::from(12))?;
    Ok(Value::theory(&CLOCK, vec![Value::Int(hour)])?)
}

fn hour(value: &Value) -> Outcome<&Int> {
    match value.parts_of(&CLOCK) {
        Some([Value::Int(hour)]) => Ok(hour),
        _ => Err(Reason::BadArguments(None)),
    }
}
