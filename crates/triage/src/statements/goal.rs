//! Questions about a goal besides the assertions, and the formulas that answer them.

use super::parts::Parts;
use smt::lexer::elements;
use smt::{Command, Term};

/// The script that asserts `assertions` and asks a command for a formula that has to do with `goal`.
pub(super) fn goal_question(
    parts: &Parts,
    prelude: &str,
    assertions: &[Term],
    command: &str,
    goal: &str,
) -> String {
    let mut name = "formula".to_owned();
    while parts.arena.script_text(&parts.script).contains(&name) {
        name.push('-');
    }
    let mut text = format!("{prelude}\n{}", parts.declarations);
    for &term in assertions {
        text.push_str(&format!("(assert {})\n", parts.arena.term_text(term)));
    }
    text.push_str(&format!("({command} {name} {goal})\n"));
    text
}

/// The goal of the only command of a script with this name. Grammars restrict the answer, so a command with one does not count.
pub(super) fn goal_of(parts: &Parts, command: &str) -> Option<Term> {
    let goals = parts.script.commands.iter().filter_map(|one| match one {
        Command::WithTerm(name, goal, rest) if parts.arena.name(*rest).is_empty() => {
            let (first, _) = parts.arena.name(*name).split_once(' ')?;
            (first == command).then_some(*goal)
        }
        _ => None,
    });
    let goals: Vec<Term> = goals.collect();
    let [goal] = goals.as_slice() else { return None };
    Some(*goal)
}

/// The formula in a response `(define-fun name () Bool formula)`.
pub(super) fn formula_in(response: &str) -> Option<&str> {
    match elements(response)?.as_slice() {
        ["define-fun", _, "()", "Bool", formula] => Some(*formula),
        _ => None,
    }
}
