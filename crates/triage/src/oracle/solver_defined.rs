//! Operators outside the standard that solvers define differently for some arguments, such as 0 to the power 0. Answers that
//! depend on such a value cannot be compared.

use smt::Signatures;
use smt::lexer::{Kind, Lexer};
use std::collections::BTreeSet;

/// Powers. Solvers agree on them if the exponent is a positive integer.
const POWERS: [&str; 2] = ["^", "**"];

/// A list whose end has not been read yet.
#[derive(Default)]
struct OpenList<'a> {
    /// The power that it begins with.
    power: Option<&'a str>,
    /// How many elements have begun.
    elements: usize,
    /// Whether its last element is a positive integer.
    ends_positive: bool,
}

/// The operators of a script that solvers define differently for some arguments.
pub(super) fn solver_defined_operators(script: &str) -> BTreeSet<String> {
    let signatures = Signatures::standard();
    let names = signatures.solver_defined();
    let mut lexer = Lexer::new(script);
    let mut found = BTreeSet::new();
    let mut lists: Vec<OpenList<'_>> = Vec::new();
    let mut opened = false;
    while let Ok(token) = lexer.next_token() {
        let text = lexer.text(token);
        match token.kind {
            Kind::End => break,
            Kind::Close => {
                let power = lists.pop().filter(|list| list.elements != 3 || !list.ends_positive);
                found.extend(power.and_then(|list| list.power).map(str::to_owned));
            }
            Kind::Symbol if names.contains(text) => match lists.last_mut() {
                Some(list) if opened && POWERS.contains(&text) => list.power = Some(text),
                _ => {
                    found.insert(text.to_owned());
                }
            },
            _ => {}
        }
        let positive = matches!(token.kind, Kind::Numeral | Kind::Decimal) && is_positive_integer(text);
        if let Some(list) = lists.last_mut() {
            list.ends_positive = positive;
            list.elements += usize::from(token.kind != Kind::Close);
        }
        opened = token.kind == Kind::Open;
        if opened {
            lists.push(OpenList::default());
        }
    }
    found
}

/// Whether a literal such as `2` or `2.0` is a positive integer.
fn is_positive_integer(literal: &str) -> bool {
    let (whole, fraction) = literal.split_once('.').unwrap_or((literal, ""));
    whole.bytes().any(|digit| digit != b'0') && fraction.bytes().all(|digit| digit == b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_found_and_quotients_are_not() {
        let table: [(&str, &[&str]); 12] = [
            ("(assert (= (^ x 0.0) (/ y 0.0)))", &["^"]),
            ("(assert (= (div x 0) (mod y 0)))", &[]),
            ("(assert (= (sin x) (tan y)))", &["tan"]),
            ("(assert (= s \"^\")) ; ^", &[]),
            ("(assert (= (^ x 2) (^ (+ x 1.0) 3.0)))", &[]),
            ("(assert (= (^ x 00) y))", &["^"]),
            ("(assert (= (^ x 0.5) y))", &["^"]),
            ("(assert (= (^ x y) 2))", &["^"]),
            ("(assert (= (** 2 (^ x 3)) 2))", &["**"]),
            ("(assert (= (f ^) 2))", &["^"]),
            ("(assert (= (^ x 2 (- 1)) 2))", &["^"]),
            ("(assert (= (^ x 0 2) 2))", &["^"]),
        ];
        for (script, expected) in table {
            let found: Vec<String> = solver_defined_operators(script).into_iter().collect();
            assert_eq!(found, expected, "{script}");
        }
    }
}
