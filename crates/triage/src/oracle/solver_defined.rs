//! Operators outside the standard that solvers define differently for some arguments, such as 0 to the power 0. Answers that
//! depend on such a value cannot be compared.

use smt::Signatures;
use smt::lexer::{Kind, Lexer};
use std::collections::BTreeSet;

/// The operators of a script that solvers define differently for some arguments.
pub(super) fn solver_defined_operators(script: &str) -> BTreeSet<String> {
    let signatures = Signatures::standard();
    let names = signatures.solver_defined();
    let mut lexer = Lexer::new(script);
    let mut found = BTreeSet::new();
    while let Ok(token) = lexer.next_token() {
        match token.kind {
            Kind::End => break,
            Kind::Symbol if names.contains(lexer.text(token)) => {
                found.insert(lexer.text(token).to_owned());
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_found_and_quotients_are_not() {
        let table: [(&str, &[&str]); 4] = [
            ("(assert (= (^ x 0.0) (/ y 0.0)))", &["^"]),
            ("(assert (= (div x 0) (mod y 0)))", &[]),
            ("(assert (= (sin x) (tan y)))", &["tan"]),
            ("(assert (= s \"^\")) ; ^", &[]),
        ];
        for (script, expected) in table {
            let found: Vec<String> = solver_defined_operators(script).into_iter().collect();
            assert_eq!(found, expected, "{script}");
        }
    }
}
