//! What makes two bugs the same before they are reduced: crude, but the same on every machine.

use crate::verdict::Class;
use smt::{Arena, Signatures, parse_script};
use std::collections::BTreeSet;

/// The operators of a script beyond the Boolean ones, sorted; empty if our checker does not accept the script.
pub fn operators(script: &str) -> Vec<String> {
    const PLAIN: [&str; 9] = ["and", "or", "not", "=>", "xor", "=", "distinct", "ite", "true"];
    let mut arena = Arena::new(Signatures::standard());
    match parse_script(&mut arena, script) {
        Ok(script) => {
            let used = arena.features(&script).operators.into_keys();
            used.filter(|name| !PLAIN.contains(&name.as_str()) && name != "false").collect()
        }
        Err(_) => Vec::new(),
    }
}

/// The signature of a wrong answer: class, who says what, theories and operators.
pub fn of_answers(class: Class, said: &[String], theories: &BTreeSet<String>, script: &str) -> String {
    let theories: Vec<&str> = theories.iter().map(String::as_str).filter(|name| *name != "Core").collect();
    format!("{class} {} [{}] {}", said.join(" "), theories.join(" "), operators(script).join(" "))
}

/// The signature of a crash: the solver and the part of its last words that identifies the bug. A bare signal says
/// little, so the theories are added to it.
pub fn of_crash(solver: &str, what: &str, theories: &BTreeSet<String>) -> String {
    let bare = (what.starts_with("SIG") && !what.contains(PLACE))
        || what.starts_with("signal")
        || what.starts_with("exit code");
    let vague = bare || what.contains("suffered a segfault");
    let theories: Vec<&str> = theories.iter().map(String::as_str).filter(|name| *name != "Core").collect();
    if vague {
        format!("{} {solver} {what} [{}]", Class::Crash, theories.join(" "))
    } else {
        format!("{} {solver} {what}", Class::Crash)
    }
}

/// What comes between a signal and the functions on the stack.
const PLACE: &str = " in ";

/// Whether the signature of a crash says nothing but the signal and the theories.
pub fn is_vague(signature: &str) -> bool {
    signature.contains(" SIG") && !signature.contains(PLACE)
}

/// Whether two signatures may be those of the same crash: of a process that stays only the signal is known.
pub fn may_be_the_same(one: &str, other: &str) -> bool {
    let signal = |signature: &str| {
        let end = [PLACE, " ["].iter().filter_map(|mark| signature.find(mark)).min();
        signature[..end.unwrap_or(signature.len())].to_owned()
    };
    one == other || (is_vague(one) || is_vague(other)) && signal(one) == signal(other)
}

/// What can be expected of another release when a crash is the same: the signal, not the functions, which change.
pub fn in_any_release(what: &str) -> &str {
    match what.find(PLACE) {
        Some(end) if what.starts_with("SIG") => &what[..end],
        _ => what,
    }
}

/// The signature of anything else that concerns one solver.
pub fn of_solver(class: Class, solver: &str, theories: &BTreeSet<String>) -> String {
    let theories: Vec<&str> = theories.iter().map(String::as_str).filter(|name| *name != "Core").collect();
    format!("{class} {solver} [{}]", theories.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn theories(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn crashes_are_told_apart_by_their_places() {
        let bare = of_crash("z3", "SIGSEGV", &theories(&["Ints"]));
        let [one, other] =
            ["SIGSEGV in a < b", "SIGSEGV in c"].map(|what| of_crash("z3", what, &theories(&["Ints"])));
        assert_eq!(one, "crash z3 SIGSEGV in a < b");
        let table = [
            (&bare, &bare, true),
            (&bare, &one, true),
            (&one, &one, true),
            (&one, &other, false),
            (&bare, &of_crash("z3", "SIGABRT in a < b", &theories(&[])), false),
        ];
        for (left, right, expected) in table {
            assert_eq!(may_be_the_same(left, right), expected, "{left}, {right}");
        }
        assert_eq!((is_vague(&bare), is_vague(&one)), (true, false));
        assert_eq!(["SIGSEGV in a < b", "ASSERTION in x"].map(in_any_release), ["SIGSEGV", "ASSERTION in x"]);
    }

    #[test]
    fn signatures_are_crude_and_fixed() {
        let script = "(declare-const x Int)(assert (and (< x 1) (= (+ x x) 1)))(check-sat)";
        assert_eq!(operators(script), ["+", "<"]);
        assert_eq!(operators("(assert"), Vec::<String>::new());
        let said = ["cvc5:sat".to_owned(), "z3:unsat".to_owned()];
        assert_eq!(
            of_answers(Class::Contradiction, &said, &theories(&["Core", "Ints"]), script),
            "contradiction cvc5:sat z3:unsat [Ints] + <"
        );
        let table = [
            ("SIGSEGV", "crash z3 SIGSEGV [Ints Strings]"),
            ("theory_str.cpp false", "crash z3 theory_str.cpp false"),
        ];
        for (what, expected) in table {
            assert_eq!(of_crash("z3", what, &theories(&["Core", "Strings", "Ints"])), expected);
        }
    }
}
