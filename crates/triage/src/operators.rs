//! The operators of a script. They are part of the signature of wrong answers.

use smt::{Arena, Signatures, parse_script};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

/// Operators that do not characterise a bug.
pub const BOOLEAN: [&str; 10] = ["and", "or", "not", "=>", "xor", "=", "distinct", "ite", "true", "false"];

/// The operators of a script beyond the Boolean ones, sorted; empty if our checker rejects the script.
pub fn operators(script: &str) -> Vec<String> {
    operators_with(&Signatures::standard(), script)
}

/// Like [`operators`], with these signatures.
pub fn operators_with(signatures: &Arc<Signatures>, script: &str) -> Vec<String> {
    let mut arena = Arena::new(signatures.clone());
    match parse_script(&mut arena, script) {
        Ok(script) => {
            let used = arena.features(&script).operators.into_keys();
            used.filter(|name| !BOOLEAN.contains(&name.as_str())).collect()
        }
        Err(_) => Vec::new(),
    }
}

/// Operators that occur in so many scripts that one of them alone does not identify a bug.
const COMMON: [&str; 21] = [
    "+",
    "-",
    "*",
    "<",
    "<=",
    ">",
    ">=",
    "select",
    "store",
    "str.++",
    "str.len",
    "bvadd",
    "bvult",
    "concat",
    "extract",
    "seq.++",
    "seq.empty",
    "seq.extract",
    "seq.len",
    "seq.nth",
    "seq.unit",
];

/// Operators that make values which say nothing about a bug: rounding modes, and the literals of floats.
const VALUES: [&str; 11] = [
    "fp",
    "RNE",
    "RNA",
    "RTP",
    "RTN",
    "RTZ",
    "roundNearestTiesToEven",
    "roundNearestTiesToAway",
    "roundTowardPositive",
    "roundTowardNegative",
    "roundTowardZero",
];

/// Operators that share an implementation: each is defined in terms of another of its family, or differs from it in a detail.
const FAMILIES: [&[&str]; 10] = [
    &["<", "<=", ">", ">="],
    &["str.<", "str.<="],
    &["bvult", "bvule", "bvugt", "bvuge"],
    &["bvslt", "bvsle", "bvsgt", "bvsge"],
    &["fp.lt", "fp.leq", "fp.gt", "fp.geq"],
    &[
        "fp.isNormal",
        "fp.isSubnormal",
        "fp.isZero",
        "fp.isInfinite",
        "fp.isNaN",
        "fp.isNegative",
        "fp.isPositive",
    ],
    &["div", "mod", "rem", "/"],
    &["to_int", "is_int"],
    &["str.from_ubv", "str.from_sbv"],
    &["partial-order", "linear-order", "tree-order", "piecewise-linear-order"],
];

/// The names that mean another operator in every theory, such as `int.to.str`, with that operator.
static OTHER_NAMES: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let signatures = Signatures::standard();
    let mut meanings: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for declaration in &signatures.declarations {
        let means = signatures.name(declaration.alias.unwrap_or(declaration.name));
        meanings.entry(signatures.name(declaration.name)).or_default().insert(means);
    }
    let only = |(name, means): (&str, BTreeSet<&str>)| {
        let mut others = means.into_iter();
        let means = others.next().filter(|means| *means != name && others.next().is_none())?;
        Some((name.to_owned(), means.to_owned()))
    };
    meanings.into_iter().filter_map(only).collect()
});

/// The operator that a name means: solvers have other names for some of the standard's operators.
pub fn standard_name(name: &str) -> &str {
    OTHER_NAMES.get(name).map_or(name, String::as_str)
}

/// Whether an operator occurs in so many scripts that it alone does not identify a bug.
pub fn is_common(name: &str) -> bool {
    COMMON.contains(&name)
}

/// Whether an operator makes a value that says nothing about a bug.
pub fn is_value(name: &str) -> bool {
    VALUES.contains(&name)
}

/// Whether this is the name of a theory, which stands for the operators of a script without any.
pub fn is_theory(name: &str) -> bool {
    Signatures::standard().theory(name).is_some()
}

/// The name of the family that an operator belongs to. Operators of strings and of sequences with the same name are one.
pub fn family(operator: &str) -> &str {
    let operator = standard_name(operator);
    let family = FAMILIES.iter().find(|family| family.contains(&operator));
    let name = family.map_or(operator, |family| family[0]);
    let own = name.strip_prefix("seq").or_else(|| name.strip_prefix("str"));
    own.filter(|own| own.starts_with('.')).unwrap_or(name)
}

/// Whether an operator is outside the standard, and not just another name for a standard one.
pub fn is_extension(name: &str) -> bool {
    let signatures = Signatures::standard();
    let mut own = signatures.declarations.iter().filter(|one| signatures.name(one.name) == name);
    own.all(|one| signatures.solvers_of(one).is_some() && one.alias.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boolean_operators_do_not_count() {
        let script = "(declare-const x Int)(assert (and (< x 1) (= (+ x x) 1)))(check-sat)";
        assert_eq!(operators(script), ["+", "<"]);
        assert_eq!(operators("(assert"), Vec::<String>::new());
    }

    #[test]
    fn other_names_belong_to_the_family_of_the_operator() {
        for (one, other) in [
            ("int.to.str", "str.from-int"),
            ("str.in.re", "str.in_re"),
            ("str.to.re", "str.to_re"),
            ("str.<", "str.<="),
            ("seq.at", "str.at"),
        ] {
            assert_eq!(family(one), family(other), "{one}");
        }
        for name in ["str.len", "bvadd", "union", "no-operator"] {
            assert_eq!(standard_name(name), name);
        }
    }

    #[test]
    fn extensions_are_not_in_the_standard() {
        for (name, expected) in [
            ("+", false),
            ("bvadd", false),
            ("tree-order", true),
            ("bvsmul_noovfl", true),
            ("str.to.re", false),
        ] {
            assert_eq!(is_extension(name), expected, "{name}");
        }
    }
}
