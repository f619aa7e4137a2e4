//! Interpolants: the assertions imply the interpolant, the interpolant implies the goal, and its symbols occur in both.

use super::goal::{formula_in, goal_of, goal_question};
use super::parts::Parts;
use super::{Description, Fact, Needs, Oracle, Stated, Under};
use case::Statement;
use case::text::collapsed;
use smt::{Arena, Command, Op, OpKind, Term, View, parse_term};
use solver::run::PieceKind;
use solver::{Observation, Profile};
use std::collections::BTreeSet;

const COMMAND: &str = "get-interpolant";

pub(super) struct Interpolant;

impl Oracle for Interpolant {
    fn description(&self) -> &'static Description {
        &Description {
            kind: Statement::Interpolant,
            about: "an interpolant follows from the assertions and implies the goal",
            needs: Needs::Unsat,
            asks_the_case: false,
            doubted: 1,
            commands: &[COMMAND],
            responses: PieceKind::Formula,
        }
    }

    /// The goal is that the last assertion is false, which the others imply.
    fn question(&self, case: &str, solver: &Profile) -> Option<String> {
        let prelude = solver.ask.statement(Statement::Interpolant)?.join("\n");
        let parts = Parts::read(case).filter(|parts| parts.is_whole && parts.is_easy())?;
        let conjuncts = parts.conjuncts();
        let (last, others) = conjuncts.split_last()?;
        let goal = format!("(not {})", parts.arena.term_text(*last));
        (!others.is_empty()).then(|| goal_question(&parts, &prelude, others, COMMAND, &goal))
    }

    fn read(&self, parts: &mut Parts, _: &Observation, pieces: &[&str]) -> Option<Stated> {
        let [piece] = pieces else { return None };
        let interpolant = formula_in(piece)?;
        let goal = goal_of(parts, COMMAND)?;
        let shown = collapsed(interpolant);
        let fact = |said: String, formula: String| Fact { number: 0, said, formula, under: Under::Every };
        let mut facts = vec![
            fact(
                format!("says that the interpolant {shown} follows from the assertions"),
                format!("(=> {} {interpolant})", parts.conjunction()),
            ),
            fact(
                format!("says that the interpolant {shown} implies the goal"),
                format!("(=> {interpolant} {})", parts.arena.term_text(goal)),
            ),
        ];
        if let Some(symbol) = foreign_symbol(parts, interpolant, goal) {
            let said =
                format!("gives the interpolant {shown}, although {symbol} does not occur on both sides");
            facts.push(fact(said, "false".to_owned()));
        }
        Some(Stated::new(parts, facts, Vec::new()))
    }
}

/// A declared symbol of an interpolant that does not occur in both the assertions and the goal. `None` if there is none, or if the
/// script has definitions: a solver may take them for assertions.
fn foreign_symbol(parts: &mut Parts, interpolant: &str, goal: Term) -> Option<String> {
    if parts.script.commands.iter().any(|command| matches!(command, Command::Define(..))) {
        return None;
    }
    let interpolant = parse_term(&mut parts.arena, &mut parts.scope, interpolant).ok()?;
    let asserted = symbols(&parts.arena, &parts.assertions);
    let wanted = symbols(&parts.arena, &[goal]);
    let mut used = symbols(&parts.arena, &[interpolant]).into_iter();
    let foreign = used.find(|op| !asserted.contains(op) || !wanted.contains(op))?;
    Some(parts.arena.op_name(foreign).to_owned())
}

/// The declared functions that occur in terms.
fn symbols(arena: &Arena, terms: &[Term]) -> BTreeSet<Op> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut waiting = terms.to_vec();
    while let Some(term) = waiting.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let View::App(op, _) = arena.view(term)
            && matches!(arena.op(op).kind, OpKind::Function { .. })
        {
            found.insert(op);
        }
        waiting.extend(arena.children(term));
    }
    found
}
