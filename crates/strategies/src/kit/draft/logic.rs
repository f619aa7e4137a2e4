//! What the name of a logic allows. A mutant that needs more gets a wider logic.

use super::facts::{Fact, mark, theory_bit};
use smt::Signatures;

/// What scripts of a logic may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Allowance {
    /// Everything that solvers support.
    Everything {
        /// Whether functions may be values.
        higher_order: bool,
    },
    /// Only these theories and marks.
    Only {
        /// Theories, as bits.
        theories: u64,
        /// The marks that are allowed.
        marks: u32,
    },
    /// Nothing is known about the name.
    Nothing,
}

/// The parts of a logic's name, longer ones first, with the theories and the mark that they allow.
const PARTS: &[(&str, &[&str], u32)] = &[
    ("NIRA", &["Ints", "Reals", "Reals_Ints"], mark::NONLINEAR),
    ("LIRA", &["Ints", "Reals", "Reals_Ints"], 0),
    ("NIA", &["Ints"], mark::NONLINEAR),
    ("LIA", &["Ints"], 0),
    ("NRA", &["Reals"], mark::NONLINEAR),
    ("LRA", &["Reals"], 0),
    ("SEQ", &["Sequences"], mark::RESTRICTED),
    ("AX", &["ArraysEx"], 0),
    ("UF", &[], mark::FUNCTIONS),
    ("BV", &["FixedSizeBitVectors"], 0),
    ("FP", &["FloatingPoint"], 0),
    ("DT", &[], mark::DATATYPES),
    ("A", &["ArraysEx"], 0),
    // String lengths are integers, but not every solver accepts arithmetic in a logic of strings alone.
    ("S", &["Strings"], 0),
];

/// What a logic allows.
pub(crate) fn allowance(signatures: &Signatures, logic: &str) -> Allowance {
    match logic {
        "ALL" => return Allowance::Everything { higher_order: false },
        "HO_ALL" => return Allowance::Everything { higher_order: true },
        _ => {}
    }
    let bit = |name: &str| match signatures.theories.iter().position(|theory| theory.name == name) {
        Some(at) => theory_bit(at),
        None => 0,
    };
    let mut theories = bit("Core");
    let mut marks = mark::NAMED | mark::HIDEABLE | mark::OWN;
    let mut rest = match logic.strip_prefix("QF_") {
        Some(rest) => rest,
        None => {
            marks |= mark::QUANTIFIER;
            logic
        }
    };
    while !rest.is_empty() {
        let Some((part, names, extra)) = PARTS.iter().find(|(part, ..)| rest.starts_with(part)) else {
            return Allowance::Nothing;
        };
        rest = &rest[part.len()..];
        theories |= names.iter().fold(0, |set, name| set | bit(name));
        marks |= extra;
    }
    Allowance::Only { theories, marks }
}

impl Allowance {
    /// Whether a script with these needs may use the logic.
    pub fn covers(self, needs: &Fact) -> bool {
        match self {
            Allowance::Everything { higher_order } => higher_order || needs.marks & mark::HIGHER_ORDER == 0,
            Allowance::Only { theories, marks } => {
                needs.theories & !theories == 0 && needs.marks & !marks == 0
            }
            Allowance::Nothing => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logic_names_cover_their_theories() {
        let signatures = Signatures::standard();
        let bit = |name: &str| {
            theory_bit(signatures.theories.iter().position(|theory| theory.name == name).unwrap())
        };
        let need = |theories: u64, marks: u32| Fact { theories, marks, ..Fact::NEUTRAL };
        let ints = bit("Core") | bit("Ints");
        let table = [
            ("QF_LIA", need(ints, 0), true),
            ("QF_LIA", need(ints, mark::NONLINEAR), false),
            ("QF_NIA", need(ints, mark::NONLINEAR), true),
            ("QF_LIA", need(ints, mark::QUANTIFIER), false),
            ("UFLIA", need(ints, mark::QUANTIFIER | mark::FUNCTIONS), true),
            ("QF_S", need(bit("Core") | bit("Strings"), 0), true),
            ("QF_S", need(ints | bit("Strings"), 0), false),
            ("QF_SLIA", need(ints | bit("Strings"), 0), true),
            ("QF_SLIA", need(ints | bit("Strings"), mark::RESTRICTED), false),
            (
                "QF_AUFBV",
                need(bit("Core") | bit("ArraysEx") | bit("FixedSizeBitVectors"), mark::FUNCTIONS),
                true,
            ),
            ("QF_BV", need(ints | bit("FixedSizeBitVectors"), 0), false),
            ("QF_IDL", need(ints, 0), false),
            ("ALL", need(u64::MAX, mark::NONLINEAR | mark::RESTRICTED), true),
            ("ALL", need(0, mark::HIGHER_ORDER), false),
            ("HO_ALL", need(0, mark::HIGHER_ORDER), true),
            ("SOMETHING", need(0, 0), false),
        ];
        for (logic, needs, covered) in table {
            assert_eq!(allowance(&signatures, logic).covers(&needs), covered, "{logic} {needs:?}");
        }
    }
}
