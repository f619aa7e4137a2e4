//! Abducts: the assertions and every abduct imply the goal.

use super::goal::{GoalQuestion, formulas_in, goal_of};
use super::grammar::is_compared;
use super::parts::{Parts, symbols};
use super::{Description, Fact, Needs, Oracle, Stated, Under};
use case::hash::choice;
use case::text::collapsed;
use case::{Answer, Statement};
use smt::{Arena, Op, Sort, Term, View};
use solver::run::PieceKind;
use solver::{Observation, Profile};
use std::collections::{BTreeMap, BTreeSet};

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

    /// The goal is a subterm of the assertions or that it is false, or an equation between two of their terms. Only the assertions that
    /// have a symbol of the goal are asked about: the others make the search longer, but do not change what is found.
    fn question(&self, case: &str, _: Option<Answer>, solver: &Profile) -> Option<String> {
        solver.ask.statement(Statement::Abduct)?;
        let parts = Parts::of_case(case).filter(|parts| parts.is_whole && parts.is_easy())?;
        let hash = choice(case, "goal");
        let goals = goals(&parts);
        let goal = &goals[(hash >> 8).checked_rem(goals.len() as u64)? as usize];
        let text = if hash & 1 == 0 { format!("(not {})", goal.text) } else { goal.text.clone() };
        let mut assertions = parts.conjuncts();
        assertions.retain(|&term| !symbols(&parts.arena, &[term]).is_disjoint(&goal.symbols));
        let question = GoalQuestion {
            kind: Statement::Abduct,
            command: COMMAND,
            assertions: &assertions,
            goal: &text,
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

/// A formula that may be the goal, or whose negation may be.
struct Candidate {
    text: String,
    symbols: BTreeSet<Op>,
}

/// The formulas that may be goals: subterms of the assertions and equations between them, but nothing that is asserted or denied, since
/// it needs no abduct or has none.
fn goals(parts: &Parts) -> Vec<Candidate> {
    let arena = &parts.arena;
    let asserted: BTreeSet<Term> =
        parts.conjuncts().into_iter().flat_map(|term| literal(arena, term)).collect();
    let mut of_sort: BTreeMap<Sort, Vec<Term>> = BTreeMap::new();
    for term in parts.constants().into_iter().chain(parts.closed_subterms(MOST)) {
        of_sort.entry(arena.sort(term)).or_default().push(term);
    }
    let formulas = of_sort.remove(&Sort::BOOL).unwrap_or_default();
    let mut found: Vec<Candidate> = Vec::new();
    for term in formulas.into_iter().filter(|term| !asserted.contains(term)) {
        found.push(Candidate { text: arena.term_text(term), symbols: symbols(arena, &[term]) });
    }
    of_sort.retain(|&sort, _| is_compared(arena, sort));
    for terms in of_sort.values() {
        for pair in terms.windows(2) {
            let [left, right] = [pair[0], pair[1]].map(|term| arena.term_text(term));
            found.push(Candidate { text: format!("(= {left} {right})"), symbols: symbols(arena, pair) });
        }
    }
    found
}

/// A formula and what it denies.
fn literal(arena: &Arena, term: Term) -> Vec<Term> {
    match arena.view(term) {
        View::App(op, &[inner]) if arena.op_name(op) == "not" => vec![term, inner],
        _ => vec![term],
    }
}
