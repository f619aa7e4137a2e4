//! Questions about a goal besides the assertions, and the formulas that answer them.

use super::grammar::grammar;
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
    /// A number that chooses the terms of a grammar; `None` for any formula.
    pub grammar: Option<u64>,
}

impl GoalQuestion<'_> {
    /// The script that asks a solver; `None` if the solver has no such command.
    pub(super) fn script(&self, parts: &Parts, solver: &Profile) -> Option<String> {
        let GoalQuestion { kind, command, assertions, goal, further, grammar: of_terms } = *self;
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
        let grammar = of_terms.and_then(|hash| grammar(parts, assertions, &format!("{name}-"), hash));
        let grammar = grammar.map(|grammar| format!(" {grammar}")).unwrap_or_default();
        text.push_str(&format!("({command} {name} {goal}{grammar})\n"));
        if further {
            text.push_str(&format!("({command}-next)\n").repeat(FURTHER));
        }
        Some(text)
    }
}

/// What a script asks formulas for.
pub(super) struct Goal {
    pub term: Term,
    /// Whether a grammar says which symbols a formula may have.
    pub has_grammar: bool,
}

/// The goal of the only command of a script with this name.
pub(super) fn goal_of(parts: &Parts, command: &str) -> Option<Goal> {
    let goals = parts.script.commands.iter().filter_map(|one| match one {
        Command::WithTerm(name, term, rest) => {
            let (first, _) = parts.arena.name(*name).split_once(' ')?;
            let has_grammar = !parts.arena.name(*rest).is_empty();
            (first == command).then_some(Goal { term: *term, has_grammar })
        }
        _ => None,
    });
    let mut goals = goals.fuse();
    let goal = goals.next()?;
    goals.next().is_none().then_some(goal)
}

/// The formulas in responses `(define-fun name () Bool formula)`, with their numbers. A solver that finds none says so in another way.
pub(super) fn formulas_in<'p>(pieces: &[&'p str]) -> Vec<(usize, &'p str)> {
    let formula = |(number, piece): (usize, &&'p str)| match elements(piece)?.as_slice() {
        ["define-fun", _, "()", "Bool", formula] => Some((number, *formula)),
        _ => None,
    };
    pieces.iter().enumerate().filter_map(formula).collect()
}
