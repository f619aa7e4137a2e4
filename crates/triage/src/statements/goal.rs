//! Questions about a goal besides the assertions, and the formulas that answer them.

use super::parts::Parts;
use case::Statement;
use smt::lexer::elements;
use smt::{Command, Term};
use solver::Profile;

/// How many further formulas are asked for, if any. Each goes on from the search for those before it, so that it costs little.
const FURTHER: usize = 9;

/// A question for formulas that have to do with a goal.
pub(super) struct GoalQuestion<'a> {
    /// What is asked for, with the name of its command.
    pub kind: Statement,
    pub command: &'static str,
    /// What is asserted.
    pub assertions: &'a [Term],
    /// The goal.
    pub goal: &'a str,
    /// Whether to ask for further formulas.
    pub further: bool,
}

impl GoalQuestion<'_> {
    /// The script that asks a solver; `None` if the solver has no such command.
    pub(super) fn script(&self, parts: &Parts, solver: &Profile) -> Option<String> {
        let GoalQuestion { kind, command, assertions, goal, further } = *self;
        let mut name = "formula".to_owned();
        while parts.arena.script_text(&parts.script).contains(&name) {
            name.push('-');
        }
        let more: &[String] = if further { &solver.ask.further_formulas } else { &[] };
        let mut text = [solver.ask.statement(kind)?, more].concat().join("\n");
        text.push_str(&format!("\n{}", parts.declarations));
        for &term in assertions {
            text.push_str(&format!("(assert {})\n", parts.arena.term_text(term)));
        }
        text.push_str(&format!("({command} {name} {goal})\n"));
        if further {
            text.push_str(&format!("({command}-next)\n").repeat(FURTHER));
        }
        Some(text)
    }
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

/// The formulas in responses `(define-fun name () Bool formula)`, with their numbers. A solver that finds none says so in another way.
pub(super) fn formulas_in<'p>(pieces: &[&'p str]) -> Vec<(usize, &'p str)> {
    let formula = |(number, piece): (usize, &&'p str)| match elements(piece)?.as_slice() {
        ["define-fun", _, "()", "Bool", formula] => Some((number, *formula)),
        _ => None,
    };
    pieces.iter().enumerate().filter_map(formula).collect()
}
