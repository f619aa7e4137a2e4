//! Tactics: the goals of `(apply tactic)` have the solutions of the assertions, if the tactic promises so.

use super::parts::{Parts, conjunction, disjunction};
use super::{Description, Fact, Needs, Oracle, Stated, Under};
use case::Statement;
use case::hash::choice;
use case::text::collapsed;
use smt::Command;
use smt::sexpr::{Sexpr, read_all};
use solver::run::PieceKind;
use solver::{Observation, Profile};

pub(super) struct Apply;

impl Oracle for Apply {
    fn description(&self) -> &'static Description {
        &Description {
            kind: Statement::Apply,
            about: "the goals that a tactic makes have the solutions of the assertions",
            needs: Needs::Nothing,
            asks_the_case: false,
            doubted: 1,
            commands: &["apply"],
            responses: PieceKind::Applied,
        }
    }

    fn question(&self, case: &str, solver: &Profile) -> Option<String> {
        let prelude = solver.ask.statement(Statement::Apply)?.join("\n");
        let chosen = choice(case, "tactic").checked_rem(solver.equivalent_tactics.len() as u64)?;
        let tactic = &solver.equivalent_tactics[chosen as usize];
        let parts = Parts::read(case).filter(Parts::is_easy)?;
        (!parts.assertions.is_empty()).then(|| parts.asserting(&prelude, &format!("(apply {tactic})\n")))
    }

    fn read(&self, parts: &mut Parts, _: &Observation, pieces: &[&str]) -> Option<Stated> {
        let [goals] = pieces else { return None };
        let goals = goals_formula(goals)?;
        let tactic = parts.script.commands.iter().find_map(|command| match command {
            Command::Other(text) => {
                let text = parts.arena.name(*text);
                text.strip_prefix("(apply ").and_then(|rest| rest.strip_suffix(')')).map(str::to_owned)
            }
            _ => None,
        })?;
        let formula = format!("(= {} {goals})", parts.conjunction());
        let said = format!("turns the assertions into {} by {}", collapsed(&goals), collapsed(&tactic));
        let fact = Fact { number: 0, said, formula, under: Under::Every };
        Some(Stated::new(parts, vec![fact], Vec::new()))
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
