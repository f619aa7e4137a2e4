//! Scripts about unsat cores: one that asks for a core, and one that asserts the core alone.
//!
//! A core together with the unnamed assertions must be unsatisfiable. A model of it proves it wrong.

use smt::lexer::elements;
use smt::{Arena, Signatures, parse_script};
use solver::run::{Command, Script};
use std::collections::BTreeSet;

/// Commands that a script may contain. Others change what is asserted, or what a core is about. Recursive definitions can be
/// contradictory without any assertion, which no core shows.
const PLAIN: [&str; 12] = [
    "set-logic",
    "set-option",
    "set-info",
    "declare-fun",
    "declare-const",
    "declare-sort",
    "declare-datatype",
    "declare-datatypes",
    "define-fun",
    "define-const",
    "define-sort",
    "assert",
];

/// The script that asks for a core: conjunctions are split, and every assertion gets a name. `None` for scripts without exactly
/// one plain check, or with fewer than two assertions to choose from.
pub fn core_question(script: &str) -> Option<String> {
    let commands = before_the_check(script)?;
    let mut prefix = "core-".to_owned();
    while script.contains(&prefix) {
        prefix.push('-');
    }
    let mut text = "(set-option :produce-unsat-cores true)\n".to_owned();
    let mut names = 0;
    for command in commands {
        let body = match elements(command.text)?.as_slice() {
            ["assert", body] => *body,
            _ if command.name == "assert" => return None,
            // Set above.
            ["set-option", ":produce-unsat-cores", _] => continue,
            _ => {
                text.push_str(command.text);
                text.push('\n');
                continue;
            }
        };
        if name_of(body).is_some() {
            names += 1;
            text.push_str(&format!("(assert {body})\n"));
            continue;
        }
        for part in conjuncts(body) {
            names += 1;
            text.push_str(&format!("(assert (! {part} :named {prefix}{names}))\n"));
        }
    }
    text.push_str("(check-sat)\n(get-unsat-core)\n");
    (names > 1).then_some(text)
}

/// The script that asserts the core alone, with the unnamed assertions. `None` if the core is not a list of names of the
/// script, if it leaves no assertion out, or if an assertion that it leaves out is used elsewhere by its name.
pub fn core_alone(question: &str, core: &str) -> Option<String> {
    let core: BTreeSet<&str> = elements(core)?.into_iter().map(unquoted).collect();
    let mut left = core.clone();
    let mut left_out = false;
    let mut text = String::new();
    for command in before_the_check(question)? {
        let parts = elements(command.text)?;
        // The options for cores are those of one solver.
        if matches!(parts.as_slice(), ["set-option", keyword, _] if keyword.contains("core")) {
            continue;
        }
        let name = match parts.as_slice() {
            ["assert", body] => name_of(body).map(unquoted),
            _ => None,
        };
        if let Some(name) = name
            && !left.remove(name)
        {
            left_out = true;
            continue;
        }
        text.push_str(command.text);
        text.push('\n');
    }
    text.push_str("(check-sat)\n");
    let readable = || parse_script(&mut Arena::new(Signatures::standard()), &text).is_ok();
    (left_out && left.is_empty() && readable()).then_some(text)
}

/// The commands before the only check of a script; `None` unless all of them are plain.
fn before_the_check(script: &str) -> Option<Vec<Command<'_>>> {
    let split = Script::split(script);
    if split.broken.is_some() || split.checks() != 1 {
        return None;
    }
    let check = split.commands.iter().position(Command::is_check)?;
    let (before, after) = split.commands.split_at(check);
    let asks = |command: &Command<'_>| command.name.starts_with("get-") || command.name == "echo";
    let before: Vec<Command<'_>> = before.iter().copied().filter(|command| !asks(command)).collect();
    let plain = before.iter().all(|command| PLAIN.contains(&command.name)) && after[1..].iter().all(asks);
    (plain && after[0].name == "check-sat").then_some(before)
}

/// The name of an assertion's body, if it has one.
fn name_of(body: &str) -> Option<&str> {
    let parts = elements(body).filter(|parts| parts.first() == Some(&"!"))?;
    let keyword = parts.iter().position(|part| *part == ":named")?;
    parts.get(keyword + 1).copied()
}

/// The conjuncts of a term, in order.
fn conjuncts(body: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut open = vec![body];
    while let Some(term) = open.pop() {
        match elements(term) {
            Some(list) if list.first() == Some(&"and") && list.len() > 1 => {
                open.extend(list[1..].iter().rev());
            }
            _ => parts.push(term),
        }
    }
    parts
}

/// A symbol without its bars, if it has any.
fn unquoted(symbol: &str) -> &str {
    symbol.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')).unwrap_or(symbol)
}

#[cfg(test)]
mod tests {
    use super::{core_alone, core_question};

    #[test]
    fn assertions_are_named_for_the_question() {
        let table = [
            (
                "(set-logic QF_LIA)(declare-const x Int)(assert (and (< x 1) (and (> x 2) (= x 3))))(check-sat)(get-model)",
                Some(
                    "(set-option :produce-unsat-cores true)\n(set-logic QF_LIA)\n(declare-const x Int)\n\
                     (assert (! (< x 1) :named core-1))\n(assert (! (> x 2) :named core-2))\n\
                     (assert (! (= x 3) :named core-3))\n(check-sat)\n(get-unsat-core)\n",
                ),
            ),
            (
                "(declare-const core-1 Bool)(assert (! core-1 :named a))(assert (not core-1))(check-sat)",
                Some(
                    "(set-option :produce-unsat-cores true)\n(declare-const core-1 Bool)\n\
                     (assert (! core-1 :named a))\n(assert (! (not core-1) :named core--2))\n\
                     (check-sat)\n(get-unsat-core)\n",
                ),
            ),
            ("(assert false)(check-sat)", None),
            ("(assert true)(assert false)(check-sat)(check-sat)", None),
            ("(assert true)(push 1)(assert false)(check-sat)", None),
            ("(assert true)(assert false)(check-sat-assuming ())", None),
            (
                "(define-fun-rec f ((x Int)) Int (+ 1 (f x)))(assert (= (f 0) 0))(assert true)(check-sat)",
                None,
            ),
            ("(assert true)(assert false)(check-sat)(assert true)", None),
        ];
        for (script, expected) in table {
            let question = core_question(script);
            assert_eq!(question.as_deref(), expected, "{script}");
            // A script that asks for a core stays the same.
            assert_eq!(question.as_deref().and_then(core_question), question, "{script}");
        }
    }

    #[test]
    fn the_core_and_the_unnamed_assertions_are_left() {
        let question = "(set-option :produce-unsat-cores true)\n(declare-const p Bool)\n(assert (! p :named a))\n\
                        (assert (! (not p) :named |b|))\n(assert (or p p))\n(check-sat)\n(get-unsat-core)\n";
        let table = [
            (
                "(b)",
                Some(
                    "(declare-const p Bool)\n(assert (! (not p) :named |b|))\n(assert (or p p))\n(check-sat)\n",
                ),
            ),
            (
                "(\n|a|\n)",
                Some("(declare-const p Bool)\n(assert (! p :named a))\n(assert (or p p))\n(check-sat)\n"),
            ),
            ("()", Some("(declare-const p Bool)\n(assert (or p p))\n(check-sat)\n")),
            // No assertion is left out.
            ("(a b)", None),
            // Not a name of the script, or not a core at all.
            ("(a c)", None),
            ("a", None),
        ];
        for (core, expected) in table {
            assert_eq!(core_alone(question, core).as_deref(), expected, "{core}");
        }
        let optional = format!("(set-option :smt.core.minimize true)\n{question}");
        assert_eq!(core_alone(&optional, "(b)"), core_alone(question, "(b)"));
        let used = "(declare-const p Bool)(assert (! p :named a))(assert (! (not a) :named b))(check-sat)";
        assert_eq!(core_alone(used, "(b)"), None);
    }
}
