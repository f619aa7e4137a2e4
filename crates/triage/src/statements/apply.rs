//! Tactics: the goals of `(apply tactic)` have the solutions of the assertions, if the tactic promises so.

use super::parts::{Parts, conjunction, disjunction};
use super::{Description, Fact, Needs, Oracle, Stated, Under};
use case::hash::choice;
use case::text::collapsed;
use case::{Answer, Statement};
use smt::Command;
use smt::sexpr::{Sexpr, read_all};
use solver::run::PieceKind;
use solver::{Observation, Profile};

/// The tactics of one script.
const MOST: usize = 12;

pub(super) struct Apply;

impl Oracle for Apply {
    fn description(&self) -> &'static Description {
        &Description {
            kind: Statement::Apply,
            about: "the goals that a tactic makes have the solutions of the assertions",
            needs: Needs::Nothing,
            asks_the_case: false,
            doubted: 1,
            goes_on: false,
            commands: &["apply"],
            responses: PieceKind::Applied,
        }
    }

    fn question(&self, case: &str, _: Option<Answer>, solver: &Profile) -> Option<String> {
        let prelude = solver.ask.statement(Statement::Apply)?.join("\n");
        let parts = Parts::of_case(case).filter(Parts::is_easy)?;
        let first = choice(case, "tactic").checked_rem(solver.equivalent_tactics.len() as u64)?;
        let mut chosen: Vec<(usize, &String)> = solver.equivalent_tactics.iter().enumerate().collect();
        chosen.rotate_left(first as usize);
        chosen.truncate(MOST);
        // The last in the list are the slowest, and what comes before a limit counts.
        chosen.sort_unstable();
        let asked: String = chosen.iter().map(|(_, tactic)| format!("(apply {tactic})\n")).collect();
        (!parts.assertions.is_empty()).then(|| parts.asserting(&prelude, &asked))
    }

    fn read(&self, parts: &mut Parts, _: &Observation, pieces: &[&str]) -> Option<Stated> {
        let tactics = parts.script.commands.iter().filter_map(|command| match command {
            Command::Other(text) => {
                let text = parts.arena.name(*text);
                text.strip_prefix("(apply ").and_then(|rest| rest.strip_suffix(')')).map(str::to_owned)
            }
            _ => None,
        });
        let asserted = parts.conjunction();
        let fact = |(number, (tactic, piece)): (usize, (String, &&str))| {
            let goals = goals_formula(piece)?;
            let said = format!("turns the assertions into {} by {}", collapsed(&goals), collapsed(&tactic));
            let formula = format!("(= {asserted} {goals})");
            Some(Fact { number, said, formula, under: Under::Every })
        };
        let facts: Vec<Fact> = tactics.zip(pieces).enumerate().filter_map(fact).collect();
        let is_complete = facts.len() == pieces.len();
        let stated = Stated::new(parts, facts, Vec::new());
        Some(if is_complete { stated } else { stated.incomplete() })
    }
}

/// The disjunction of goals as Z3 prints them. `None` if they are not precise.
pub(super) fn goals_formula(text: &str) -> Option<String> {
    let read = read_all(text).ok()?;
    let [goals] = read.as_slice() else { return None };
    let [name, goals @ ..] = goals.list()? else { return None };
    if name.atom() != Some("goals") {
        return None;
    }
    let written = |part: &Sexpr| text[part.span().start as usize..part.span().end as usize].to_owned();
    let goal = |goal: &Sexpr| {
        let [name, parts @ ..] = goal.list()? else { return None };
        let attributes = parts.iter().position(|part| part.atom().is_some_and(|word| word.starts_with(':')));
        let (formulas, attributes) = parts.split_at(attributes.unwrap_or(parts.len()));
        let precise = attributes
            .windows(2)
            .any(|pair| pair[0].atom() == Some(":precision") && pair[1].atom() == Some("precise"));
        (name.atom() == Some("goal") && precise).then(|| conjunction(formulas.iter().map(written)))
    };
    goals.iter().map(goal).collect::<Option<Vec<String>>>().map(disjunction)
}
