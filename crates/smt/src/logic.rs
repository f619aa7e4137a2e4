//! Logic names: what a name implies, and the smallest logic for a script.

use crate::features::Features;
use crate::signature::Signatures;

/// Whether numerals have sort `Real` in this logic, as they do in a logic with reals but no integers.
pub(crate) fn numerals_are_reals(logic: &str) -> bool {
    let reals = logic.contains("RA") || logic.contains("RDL");
    let integers = logic.contains("IA") || logic.contains("IRA") || logic.contains("IDL");
    reals && !integers
}

/// Theory letters in the order in which logic names list them. `UF` and `DT` stand for functions and datatypes, which belong
/// to no theory.
const ORDER: [&str; 8] = ["A", "UF", "BV", "FP", "FF", "DT", "S", "SEQ"];

/// Letters of the arithmetic theories and of the transcendental functions, which end a logic name.
const ARITHMETIC: [&str; 4] = ["IA", "RA", "IRA", "T"];

/// The name of the smallest logic that covers a script with these features.
///
/// Each theory contributes the letters that its signature file gives as `:logic`. A script that uses a theory without letters
/// needs `ALL`.
///
/// ```
/// use elenchus_smt::{Arena, logic, parse_script};
///
/// let mut arena = Arena::default();
/// let script = parse_script(&mut arena, "(declare-const x Int) (assert (< (* x x) 3))").unwrap();
/// let features = arena.features(&script);
/// assert_eq!(logic::smallest(&features, arena.signatures()), "QF_NIA");
/// ```
pub fn smallest(features: &Features, signatures: &Signatures) -> String {
    if features.higher_order {
        return "HO_ALL".to_owned();
    }
    // Callers may add names that are not theories, such as `Quantifiers`; the other fields cover those.
    let theories = features.theories.iter().filter_map(|name| signatures.theory(name));
    let letters: Option<Vec<&str>> = theories.map(|theory| theory.logic.as_deref()).collect();
    let Some(letters) = letters.filter(|_| !features.recursive) else { return "ALL".to_owned() };
    let has = |part: &str| letters.contains(&part);
    let mut name = String::new();
    for part in ORDER {
        let used = match part {
            "UF" => features.uninterpreted,
            "DT" => features.datatypes,
            _ => has(part),
        };
        if used {
            name.push_str(part);
        }
    }
    let other = |part: &&&str| !ORDER.contains(*part) && !ARITHMETIC.contains(*part);
    name.extend(letters.iter().filter(other).copied());
    let integers = has("IA") || has("IRA");
    let reals = has("RA") || has("IRA");
    let transcendental = has("T");
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
    fn smallest_logic_of_scripts() {
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
            ("(declare-const x (_ FiniteField 7))(assert (= x #f1m7))", "QF_FF"),
            ("(declare-const x Real)(assert (= (sin x) x))", "QF_NRAT"),
            ("(assert (sep sep.emp sep.emp))", "ALL"),
            ("(assert (= (lambda ((x Int)) x) (lambda ((y Int)) y)))", "HO_ALL"),
        ];
        for (source, logic) in table {
            let mut arena = Arena::default();
            let script = parse_script(&mut arena, source).unwrap();
            let features = arena.features(&script);
            assert_eq!(smallest(&features, arena.signatures()), logic, "{source}");
        }
    }

    #[test]
    fn numerals_are_reals_without_integers() {
        for (logic, reals) in
            [("QF_LRA", true), ("QF_UFNRA", true), ("QF_RDL", true), ("QF_LIRA", false), ("ALL", false)]
        {
            assert_eq!(numerals_are_reals(logic), reals, "{logic}");
        }
    }
}
