//! The operators of a script. They are part of the signature of wrong answers.

use smt::{Arena, Signatures, parse_script};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Operators that do not characterise a bug.
const BOOLEAN: [&str; 10] = ["and", "or", "not", "=>", "xor", "=", "distinct", "ite", "true", "false"];

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

/// The operators among these that are not in the standard.
pub fn extensions(operators: &BTreeSet<String>) -> BTreeSet<String> {
    let signatures = Signatures::standard();
    let mut found = operators.clone();
    for declaration in signatures.declarations.iter().filter(|one| signatures.solvers_of(one).is_none()) {
        found.remove(signatures.name(declaration.name));
    }
    found
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
    fn extensions_are_not_in_the_standard() {
        let operators = ["+", "bvadd", "tree-order", "bvsmul_noovfl"].map(str::to_owned).into();
        assert_eq!(extensions(&operators), ["bvsmul_noovfl", "tree-order"].map(str::to_owned).into());
    }
}
