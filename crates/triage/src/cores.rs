//! Scripts about unsat cores: one that asks for a core by one of the commands that print one, and one that asserts the core alone.
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

/// A command that prints a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoreCommand {
    /// `get-unsat-core`: of the named assertions.
    UnsatCore,
    /// `get-unsat-assumptions`: of the assumptions, each of which implies an assertion.
    UnsatAssumptions,
    /// `get-timeout-core`: of the named assertions, after a search of its own. It also prints the answer.
    TimeoutCore,
}

impl CoreCommand {
    /// All of them.
    pub const ALL: [CoreCommand; 3] =
        [CoreCommand::UnsatCore, CoreCommand::UnsatAssumptions, CoreCommand::TimeoutCore];

    /// Its name in scripts.
    pub fn name(self) -> &'static str {
        match self {
            CoreCommand::UnsatCore => "get-unsat-core",
            CoreCommand::UnsatAssumptions => "get-unsat-assumptions",
            CoreCommand::TimeoutCore => "get-timeout-core",
        }
    }

    /// The command with this name.
    pub fn from_name(name: &str) -> Option<CoreCommand> {
        CoreCommand::ALL.into_iter().find(|command| command.name() == name)
    }

    /// The option without which there is no core.
    fn option(self) -> &'static str {
        match self {
            CoreCommand::UnsatCore | CoreCommand::TimeoutCore => ":produce-unsat-cores",
            CoreCommand::UnsatAssumptions => ":produce-unsat-assumptions",
        }
    }

    /// How a script adds a part of an assertion under a name.
    fn named(self, part: &str, name: &str) -> String {
        match self {
            CoreCommand::UnsatCore | CoreCommand::TimeoutCore => {
                format!("(assert (! {part} :named {name}))\n")
            }
            CoreCommand::UnsatAssumptions => {
                format!("(declare-const {name} Bool)\n(assert (=> {name} {part}))\n")
            }
        }
    }

    /// The end of a script that asks for the core of these names.
    fn question(self, names: &[String]) -> String {
        match self {
            CoreCommand::UnsatCore => "(check-sat)\n(get-unsat-core)\n".to_owned(),
            CoreCommand::UnsatAssumptions => {
                format!("(check-sat-assuming ({}))\n(get-unsat-assumptions)\n", names.join(" "))
            }
            CoreCommand::TimeoutCore => "(get-timeout-core)\n".to_owned(),
        }
    }
}

/// The script that asks for a core by a command: conjunctions are split, and every assertion gets a name. `None` for scripts
/// without exactly one plain check, or with fewer than two assertions to choose from.
pub fn core_question(script: &str, by: CoreCommand) -> Option<String> {
    let (commands, check) = before_the_check(script)?;
    if check.name != "check-sat" {
        return None;
    }
    let mut prefix = "core-".to_owned();
    while script.contains(&prefix) {
        prefix.push('-');
    }
    let mut text = format!("(set-option {} true)\n", by.option());
    let mut names: Vec<String> = Vec::new();
    for command in commands {
        let body = match elements(command.text)?.as_slice() {
            ["assert", body] => *body,
            _ if command.name == "assert" => return None,
            // Set above.
            ["set-option", option, _] if *option == by.option() => continue,
            _ => {
                text.push_str(command.text);
                text.push('\n');
                continue;
            }
        };
        if let Some(name) = name_of(body).filter(|_| by != CoreCommand::UnsatAssumptions) {
            names.push(name.to_owned());
            text.push_str(&format!("(assert {body})\n"));
            continue;
        }
        for part in conjuncts(body) {
            let name = format!("{prefix}{}", names.len() + 1);
            text.push_str(&by.named(part, &name));
            names.push(name);
        }
    }
    text.push_str(&by.question(&names));
    (names.len() > 1).then_some(text)
}

/// The script that asserts the core alone, with the unnamed assertions. `None` if the core is not a list of names of the
/// script, if it leaves no assertion out, or if an assertion that it leaves out is used elsewhere by its name.
pub fn core_alone(question: &str, core: &str) -> Option<String> {
    let core: BTreeSet<&str> = elements(core)?.into_iter().map(unquoted).collect();
    let (commands, check) = before_the_check(question)?;
    let assumed = assumptions(check.text);
    let mut left = core.clone();
    let mut left_out = false;
    let mut text = String::new();
    for command in commands {
        let parts = elements(command.text)?;
        // The options for cores are those of one solver.
        let is_about_cores = |keyword: &str| keyword.contains("core") || keyword.contains("assumptions");
        if matches!(parts.as_slice(), ["set-option", keyword, _] if is_about_cores(keyword)) {
            continue;
        }
        let name = match parts.as_slice() {
            ["assert", body] if assumed.is_none() => name_of(body).map(unquoted),
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
    for name in assumed.into_iter().flatten() {
        match left.remove(unquoted(name)) {
            true => text.push_str(&format!("(assert {name})\n")),
            false => left_out = true,
        }
    }
    text.push_str("(check-sat)\n");
    let readable = || parse_script(&mut Arena::new(Signatures::standard()), &text).is_ok();
    (left_out && left.is_empty() && readable()).then_some(text)
}

/// The commands before the only check of a script, and the check; `None` unless all of them are plain.
pub(crate) fn before_the_check(script: &str) -> Option<(Vec<Command<'_>>, Command<'_>)> {
    let split = Script::split(script);
    let is_check =
        |command: &Command<'_>| command.is_check() || command.name == CoreCommand::TimeoutCore.name();
    if split.broken.is_some() || split.commands.iter().filter(|command| is_check(command)).count() != 1 {
        return None;
    }
    let at = split.commands.iter().position(is_check)?;
    let (before, after) = split.commands.split_at(at);
    let asks = |command: &Command<'_>| command.name.starts_with("get-") || command.name == "echo";
    let before: Vec<Command<'_>> = before.iter().copied().filter(|command| !asks(command)).collect();
    let plain = before.iter().all(|command| PLAIN.contains(&command.name)) && after[1..].iter().all(asks);
    (plain && after[0].name != "check-sat-using").then_some((before, after[0]))
}

/// The names that a check assumes; `None` if it is another command.
fn assumptions(check: &str) -> Option<Vec<&str>> {
    match elements(check)?.as_slice() {
        ["check-sat-assuming", names] => elements(names),
        _ => None,
    }
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
    use super::{CoreCommand, core_alone, core_question};

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
            let asked = |script: &str| core_question(script, CoreCommand::UnsatCore);
            let question = asked(script);
            assert_eq!(question.as_deref(), expected, "{script}");
            // A script that asks for a core stays the same.
            assert_eq!(question.as_deref().and_then(asked), question, "{script}");
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
    #[test]
    fn other_commands_print_cores_too() {
        let script = "(set-logic QF_LIA)(declare-const x Int)(assert (and (< x 1) (> x 2)))(assert (= x 3))(check-sat)";
        let declared = "(set-logic QF_LIA)\n(declare-const x Int)\n";
        let by_assumptions = core_question(script, CoreCommand::UnsatAssumptions).unwrap();
        let implied = "(declare-const core-1 Bool)\n(assert (=> core-1 (< x 1)))\n(declare-const core-2 Bool)\n\
                       (assert (=> core-2 (> x 2)))\n(declare-const core-3 Bool)\n(assert (=> core-3 (= x 3)))\n";
        assert_eq!(
            by_assumptions,
            format!(
                "(set-option :produce-unsat-assumptions true)\n{declared}{implied}\
                 (check-sat-assuming (core-1 core-2 core-3))\n(get-unsat-assumptions)\n"
            )
        );
        let alone = format!("{declared}{implied}(assert core-1)\n(assert core-3)\n(check-sat)\n");
        assert_eq!(core_alone(&by_assumptions, "(core-3 core-1)"), Some(alone));
        assert_eq!(core_alone(&by_assumptions, "(core-1 core-2 core-3)"), None);
        assert_eq!(core_alone(&by_assumptions, "(core-1 (not core-2))"), None);
        let with_timeout = core_question(script, CoreCommand::TimeoutCore).unwrap();
        assert!(with_timeout.ends_with("(assert (! (= x 3) :named core-3))\n(get-timeout-core)\n"));
        let alone = format!("{declared}(assert (! (= x 3) :named core-3))\n(check-sat)\n");
        assert_eq!(core_alone(&with_timeout, "(core-3)"), Some(alone));
    }
}
