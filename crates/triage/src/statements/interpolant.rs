//! Interpolants: the assertions imply every interpolant, it implies the goal, and its symbols occur in both.

use super::goal::{Goal, GoalQuestion, formulas_in, goal_of};
use super::parts::{Parts, symbols};
use super::{Description, Fact, Needs, Oracle, Stated, Under};
use case::hash::choice;
use case::text::collapsed;
use case::{Answer, Statement};
use smt::{Command, Sort, Term, parse_term};
use solver::run::PieceKind;
use solver::{Observation, Profile};

const COMMAND: &str = "get-interpolant";
const NEXT: &str = "get-interpolant-next";
/// The terms from which the other formula is chosen.
const MOST: usize = 20;
/// One question in this many asks for further interpolants. The search for several is another one, and slower.
const FURTHER_ONE_IN: u64 = 4;
/// One question in this many has a grammar.
const GRAMMAR_ONE_IN: u64 = 4;

pub(super) struct Interpolant;

impl Oracle for Interpolant {
    fn description(&self) -> &'static Description {
        &Description {
            kind: Statement::Interpolant,
            about: "an interpolant follows from the assertions and implies the goal",
            needs: Needs::Nothing,
            asks_the_case: false,
            doubted: 1,
            goes_on: true,
            commands: &[COMMAND, NEXT],
            responses: PieceKind::Formula,
        }
    }

    /// If there is no solution, the goal is that the last assertion is false, which the others imply. Otherwise it is a disjunction that
    /// one of the assertions implies, with another formula.
    fn question(&self, case: &str, known: Option<Answer>, solver: &Profile) -> Option<String> {
        solver.ask.statement(Statement::Interpolant)?;
        let parts = Parts::of_case(case).filter(|parts| parts.is_whole && parts.is_easy())?;
        let conjuncts = parts.conjuncts();
        let further = choice(case, "further").is_multiple_of(FURTHER_ONE_IN);
        // Few formulas of a grammar lie between the assertions and the goal, but the assertions' own do.
        let hash = choice(case, "grammar");
        let grammar = hash.is_multiple_of(GRAMMAR_ONE_IN).then_some(hash >> 8);
        let question = |assertions: &[Term], goal: &str| {
            let kind = Statement::Interpolant;
            GoalQuestion { kind, command: COMMAND, assertions, goal, further, grammar }.script(&parts, solver)
        };
        if known == Some(Answer::Unsat)
            && let Some((last, others)) = conjuncts.split_last()
            && !others.is_empty()
        {
            let goal = format!("(not {})", parts.arena.term_text(*last));
            return question(others, &goal);
        }
        let hash = choice(case, "goal");
        let one_of = |terms: &[Term], hash: u64| {
            let at = hash.checked_rem(terms.len() as u64)? as usize;
            Some(terms[at])
        };
        let implied = one_of(&conjuncts, hash)?;
        let formulas: Vec<Term> = parts
            .closed_subterms(MOST)
            .into_iter()
            .filter(|&term| parts.arena.sort(term) == Sort::BOOL && term != implied)
            .collect();
        let other = one_of(&formulas, hash >> 16)?;
        let [implied, other] = [implied, other].map(|term| parts.arena.term_text(term));
        let goal = match (hash >> 32) % 4 {
            0 => format!("(or {implied} {other})"),
            1 => format!("(=> {other} {implied})"),
            2 => format!("(not (and {other} (not {implied})))"),
            _ => format!("(ite {other} {implied} true)"),
        };
        question(&conjuncts, &goal)
    }

    fn read(&self, parts: &mut Parts, _: &Observation, pieces: &[&str]) -> Option<Stated> {
        let goal = goal_of(parts, COMMAND)?;
        let (asserted, wanted) = (parts.conjunction(), parts.arena.term_text(goal.term));
        let interpolants = formulas_in(pieces);
        let mut facts = Vec::new();
        for &(number, interpolant) in &interpolants {
            let shown = collapsed(interpolant);
            let mut fact = |said: String, formula: String| {
                facts.push(Fact { number, said, formula, under: Under::Every })
            };
            fact(
                format!("says that the interpolant {shown} follows from the assertions"),
                format!("(=> {asserted} {interpolant})"),
            );
            fact(
                format!("says that the interpolant {shown} implies the goal"),
                format!("(=> {interpolant} {wanted})"),
            );
            if let Some(symbol) = foreign_symbol(parts, interpolant, &goal) {
                let said =
                    format!("gives the interpolant {shown}, although {symbol} does not occur on both sides");
                fact(said, "false".to_owned());
            }
        }
        let is_complete = interpolants.len() == pieces.len();
        let stated = Stated::new(parts, facts, Vec::new());
        Some(if is_complete { stated } else { stated.incomplete() })
    }
}

/// A declared symbol of an interpolant that does not occur in both the assertions and the goal. `None` if there is none, or if a
/// grammar has other symbols, or the script has definitions: a solver may take them for assertions.
fn foreign_symbol(parts: &mut Parts, interpolant: &str, goal: &Goal) -> Option<String> {
    if goal.has_grammar || parts.script.commands.iter().any(|command| matches!(command, Command::Define(..)))
    {
        return None;
    }
    let interpolant = parse_term(&mut parts.arena, &mut parts.scope, interpolant).ok()?;
    let asserted = symbols(&parts.arena, &parts.assertions);
    let wanted = symbols(&parts.arena, &[goal.term]);
    let mut used = symbols(&parts.arena, &[interpolant]).into_iter();
    let foreign = used.find(|op| !asserted.contains(op) || !wanted.contains(op))?;
    Some(parts.arena.op_name(foreign).to_owned())
}
