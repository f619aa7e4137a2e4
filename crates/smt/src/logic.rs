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
    let difference = features.difference && !features.nonlinear && !features.quantifiers && name.is_empty();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arena, parse_script};

    #[test]
    fn the_smallest_logic() {
        let table = [
            ("(assert true)", "QF_UF"),
            ("(declare-sort U 0)(declare-fun f (U) U)(assert (forall ((x U)) (= (f x) x)))", "UF"),
            ("(declare-const x Int)(declare-const y Int)(assert (< (- x y) 3))", "QF_IDL"),
            ("(declare-const x Int)(assert (< (+ x x) 3))", "QF_LIA"),
            ("(declare-const x Int)(assert (< (* 2 x) 3))", "QF_LIA"),
            ("(declare-const x Int)(assert (< (* x x) 3))", "QF_NIA"),
            ("(declare-const x Int)(assert (let ((y 2)) (< (* y x) 3)))", "QF_LIA"),
            ("(declare-const x Real)(assert (< (/ x 2.0) (+ x 3.0)))", "QF_LRA"),
            ("(declare-const x Real)(assert (= (to_int x) 3))", "QF_LIRA"),
            ("(assert (forall ((x Int)) (< x 3)))", "LIA"),
            (
                "(declare-const v (_ BitVec 8))(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))(assert (= (select a v) v))",
                "QF_ABV",
            ),
            ("(declare-const a (Array Bool Bool))(assert (select a true))", "QF_AX"),
            ("(declare-const s String)(assert (= (str.len s) 3))", "QF_SLIA"),
            ("(declare-const x (_ FloatingPoint 8 24))(assert (fp.isNaN x))", "QF_FP"),
            (
                "(declare-datatypes ((T 0)) (((c) (d (f Int)))))(declare-const t T)(assert (= (f t) 3))",
                "QF_DTLIA",
            ),
            ("(declare-const s (Set Int))(assert (set.member 1 s))", "ALL"),
            ("(assert (= (lambda ((x Int)) x) (lambda ((y Int)) y)))", "HO_ALL"),
        ];
        for (source, logic) in table {
            let mut arena = Arena::default();
            let script = parse_script(&mut arena, source).unwrap();
            assert_eq!(smallest(&arena.features(&script)), logic, "{source}");
        }
    }

    #[test]
    fn numerals() {
        for (logic, reals) in
            [("QF_LRA", true), ("QF_UFNRA", true), ("QF_RDL", true), ("QF_LIRA", false), ("ALL", false)]
        {
            assert_eq!(numerals_are_reals(logic), reals, "{logic}");
        }
    }
}
