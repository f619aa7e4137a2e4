//! Crashes by a signal. Where a solver crashes says little about the cause if its memory is corrupt.

use super::facts::Facts;
use crate::operators::{family, is_common, is_extension};
use case::{CrashCause, CrashStack};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A crash by a signal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryError {
    /// The innermost functions on the stack, innermost first.
    pub stack: Vec<String>,
    /// The operators of the script that are not in the standard, without common ones.
    pub extensions: BTreeSet<String>,
}

impl MemoryError {
    /// The memory error of a finding with these facts, if it is one and its stack is known.
    pub fn of(facts: &Facts) -> Option<MemoryError> {
        let crash = facts.crash.as_ref().filter(|crash| matches!(crash.cause, CrashCause::Signal(_)))?;
        let CrashStack::Innermost(stack) = &crash.stack else { return None };
        let rare = facts.operators.iter().filter(|name| is_extension(name) && !is_common(name));
        Some(MemoryError { stack: stack.clone(), extensions: rare.cloned().collect() })
    }

    /// Whether two errors likely have the same cause.
    pub fn has_same_cause(&self, other: &MemoryError) -> bool {
        self.has_same_calls(other) || self.shares_extension(other)
    }

    /// Whether the same calls lead to both errors. One of them may be a call deeper.
    pub fn has_same_calls(&self, other: &MemoryError) -> bool {
        let (one, two) = (&self.stack, &other.stack);
        calls_alike(one, two)
            || one.get(1..).is_some_and(|outer| calls_alike(outer, two))
            || two.get(1..).is_some_and(|outer| calls_alike(one, outer))
    }

    /// Whether both errors are in the same function, called by methods of one class.
    pub fn has_same_function(&self, other: &MemoryError) -> bool {
        self.stack.get(..2).zip(other.stack.get(..2)).is_some_and(|(one, two)| calls_alike(one, two))
    }

    /// Whether both scripts need the same operator outside the standard. Such an operator is rarely tested, and one fault in its code
    /// can show up in many places.
    pub fn shares_extension(&self, other: &MemoryError) -> bool {
        self.extensions.iter().any(|own| other.extensions.iter().any(|one| family(own) == family(one)))
    }
}

/// Whether the innermost functions are the same, and functions of one class call them.
fn calls_alike(one: &[String], two: &[String]) -> bool {
    let both = one.len().min(two.len());
    both >= 2
        && one[..both - 1] == two[..both - 1]
        && class(&one[both - 1]).is_some_and(|name| Some(name) == class(&two[both - 1]))
}

/// The class of a method, such as `smt::theory_seq` of `smt::theory_seq::propagate`.
fn class(function: &str) -> Option<&str> {
    function.rsplit_once("::").map(|(class, _)| class)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(stack: &str, extensions: &str) -> MemoryError {
        let words = |text: &str, separator: &str| {
            text.split(separator).filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>()
        };
        MemoryError { stack: words(stack, " < "), extensions: words(extensions, " ").into_iter().collect() }
    }

    #[test]
    fn errors_are_compared_by_their_calls_and_by_extensions() {
        let table = [
            ("a::x < b::y < c::p", "a::x < b::y < c::q", true),
            // One call deeper.
            ("a::x < b::y < c::p", "b::y < c::q < d::z", true),
            ("b::y < c::q < d::z", "a::x < b::y < c::p", true),
            ("a::x < b::y < c::p", "a::x < b::y < d::p", false),
            ("a::x < b::y < c::p", "a::x < b::z < c::p", false),
            ("a::x < b::y < c::p", "a::x", false),
            ("x < y", "x < z", false),
        ];
        for (one, two, expected) in table {
            assert_eq!(error(one, "").has_same_cause(&error(two, "")), expected, "{one}, {two}");
        }
        assert!(error("x < a::y < b::p", "").has_same_function(&error("x < a::z < c::q", "")));
        assert!(!error("x < a::y < b::p", "").has_same_function(&error("x < b::y < b::p", "")));
        assert!(error("a", "tree-order").has_same_cause(&error("b", "linear-order tree-order")));
        assert!(error("a", "tree-order").has_same_cause(&error("b", "linear-order")));
        assert!(!error("a", "tree-order").has_same_cause(&error("b", "str.from_ubv")));
    }
}
