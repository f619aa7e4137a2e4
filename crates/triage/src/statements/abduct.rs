//! Abducts: the assertions and every abduct imply the goal.

use super::goal::{GoalQuestion, formulas_in, goal_of};
use super::parts::Parts;
use super::{Description, Fact, Needs, Oracle, Stated, Under};
use case::hash::choice;
use case::text::collapsed;
use case::{Answer, Statement};
use smt::{Sort, Term};
use solver::run::PieceKind;
use solver::{Observation, Profile};

const COMMAND: &str = "get-abduct";
const NEXT: &str = "get-abduct-next";
/// One question in this many leaves the form of the abduct to the solver. It takes ten times as long as with a grammar.
const FREE_ONE_IN: u64 = 8;
/// The terms from which a goal is chosen.
const MOST: usize = 20;

pub(super) struct Abduct;

impl Oracle for Abduct {
    fn description(&self) -> &'static Description {
        &Description {
            kind: Statement::Abduct,
            about: "the assertions and an abduct imply the goal",
            needs: Needs::Model,
            asks_the_case: false,
            doubted: 1,
            goes_on: true,
            commands: &[COMMAND, NEXT],
            responses: PieceKind::Formula,
        }
    }

    /// The goal is a subterm of the assertions, or that it is false.
    fn question(&self, case: &str, _: Option<Answer>, solver: &Profile) -> Option<String> {
        solver.ask.statement(Statement::Abduct)?;
        let parts = Parts::of_case(case).filter(|parts| parts.is_whole && parts.is_easy())?;
        let hash = choice(case, "goal");
        let formulas: Vec<Term> = parts
            .closed_subterms(MOST)
            .into_iter()
            .filter(|&term| parts.arena.sort(term) == Sort::BOOL)
            .collect();
        let chosen = (hash >> 8).checked_rem(formulas.len() as u64)?;
        let text = parts.arena.term_text(formulas[chosen as usize]);
        let goal = if hash & 1 == 0 { format!("(not {text})") } else { text };
        let question = GoalQuestion {
            kind: Statement::Abduct,
            command: COMMAND,
            assertions: &parts.assertions,
            goal: &goal,
            further: true,
            grammar: (!choice(case, "grammar").is_multiple_of(FREE_ONE_IN)).then_some(hash),
        };
        question.script(&parts, solver)
    }

    fn read(&self, parts: &mut Parts, _: &Observation, pieces: &[&str]) -> Option<Stated> {
        let goal = parts.arena.term_text(goal_of(parts, COMMAND)?.term);
        let abducts = formulas_in(pieces);
        let fact = |(number, abduct): &(usize, &str)| Fact {
            number: *number,
            said: format!("says that the assertions and the abduct {} imply the goal", collapsed(abduct)),
            formula: format!("(=> (and {} {abduct}) {goal})", parts.conjunction()),
            under: Under::Every,
        };
        let facts: Vec<Fact> = abducts.iter().map(fact).collect();
        let is_complete = facts.len() == pieces.len();
        let stated = Stated::new(parts, facts, Vec::new());
        Some(if is_complete { stated } else { stated.incomplete() })
    }
}
