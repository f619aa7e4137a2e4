//! Questions about a goal besides the assertions, and the formulas that answer them.

use super::parts::Parts;
use smt::lexer::elements;
use smt::{Command, Term};

/// The script that asserts `assertions` and asks a command for a formula that has to do with `goal`. The goal is a definition, so
/// that it can be reduced.
pub(super) fn goal_question(
    parts: &Parts,
    prelude: &str,
    assertions: &[Term],
    command: &str,
    goal: &str,
) -> String {
    let mut name = "goal".to_owned();
    while parts.arena.script_text(&parts.script).contains(&name) {
        name.push('-');
    }
    let mut text = format!("{prelude}\n{}", parts.declarations);
    for &term in assertions {
        text.push_str(&format!("(assert {})\n", parts.arena.term_text(term)));
    }
    text.push_str(&format!("(define-fun {name} () Bool {goal})\n({command} {name}-formula {name})\n"));
    text
}

/// The goal of the only command of a script with this name.
pub(super) fn goal_of(parts: &Parts, command: &str) -> Option<String> {
    let goals = parts.script.commands.iter().filter_map(|one| match one {
        Command::Other(text) => match elements(parts.arena.name(*text))?.as_slice() {
            [name, _, goal] if *name == command => Some((*goal).to_owned()),
            _ => None,
        },
        _ => None,
    });
    let goals: Vec<String> = goals.collect();
    let [goal] = goals.as_slice() else { return None };
    Some(goal.clone())
}

/// The formula in a response `(define-fun name () Bool formula)`.
pub(super) fn formula_in(response: &str) -> Option<&str> {
    match elements(response)?.as_slice() {
        ["define-fun", _, "()", "Bool", formula] => Some(*formula),
        _ => None,
    }
}
