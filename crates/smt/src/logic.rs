//! Names of logics.

use crate::features::Features;

/// Whether numerals are reals under this logic: it has reals and no integers.
pub fn numerals_are_reals(logic: &str) -> bool {
    let reals = logic.contains("RA") || logic.contains("RDL");
    let integers = logic.contains("IA") || logic.contains("IRA") || logic.contains("IDL");
    reals && !integers
}

/// The name of the smallest logic that holds a script with these features; `ALL` where no logic has such a name.
pub fn smallest(features: &Features) -> String {
    let has = |theory: &str| features.theories.contains(theory);
    const UNNAMED: [&str; 6] = ["Sets", "FiniteSets", "Bags", "Relations", "Separation", "Cvc5"];
    if features.higher_order {
        return "HO_ALL".to_owned();
    }
    if UNNAMED.iter().any(|theory| has(theory)) || features.recursive {
        return "ALL".to_owned();
    }
    let strings = has("Strings");
    let arrays = has("ArraysEx");
    let mut name = String::new();
    if arrays {
        name.push('A');
    }
    if features.uninterpreted {
        name.push_str("UF");
    }
    if has("FixedSizeBitVectors") {
        name.push_str("BV");
    }
    if has("FloatingPoint") {
        name.push_str("FP");
    }
    if has("FiniteFields") {
        name.push_str("FF");
    }
    if features.datatypes {
        name.push_str("DT");
    }
    if strings {
        name.push('S');
    }
    if has("Sequences") {
        name.push_str("SEQ");
    }
    let integers = has("Ints") || has("Reals_Ints");
    let reals = has("Reals") || has("Reals_Ints");
    let transcendental = has("Transcendentals");
    let degree = if features.nonlinear || transcendental { "N" } else { "L" };
    let difference = features.difference && !features.nonlinear && name.is_empty();
    name.push_str(&match (integers, reals) {
        (true, false) if difference => "IDL".to_owned(),
        (false, true) if difference => "RDL".to_owned(),
        (true, true) => format!("{degree}IRA"),
        (true, false) => format!("{degree}IA"),
        (false, true) => format!("{degree}RA"),
        (false, false) => String::new(),
    });
    if transcendental {
        name.push('T');
    }
    let name = match name.as_str() {
        "A" => "AX",
        "" => "UF",
        other => other,
    };
    if features.quantifiers { name.to_owned() } else { format!("QF_{name}") }
}
