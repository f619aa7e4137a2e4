//! The oracles that check what solvers state besides their answers.

use case::Statement;
use case::table::{align, row};
use serde_json::{Value, json};
use solver::Profile;
use triage::{Description, Needs, ORACLES};

/// The solvers that make statements of a kind, by name.
fn solvers(kind: Statement) -> Vec<&'static str> {
    let states =
        |name: &&str| Profile::built_in(name).is_ok_and(|profile| profile.ask.statement(kind).is_some());
    Profile::names().filter(states).collect()
}

fn words(needs: Needs) -> &'static str {
    match needs {
        Needs::Nothing => "nothing",
        Needs::Model => "sat",
    }
}

/// All oracles, a line each.
pub fn oracles_table() -> Vec<String> {
    let mut rows = vec![row(["oracle", "what must hold", "needs", "class", "solvers"])];
    rows.extend(ORACLES.into_iter().map(|oracle| {
        let &Description { kind, about, needs, .. } = oracle.description();
        row([kind.name(), about, words(needs), kind.class().name(), &solvers(kind).join(" ")])
    }));
    align(&rows)
}

/// All oracles as JSON.
pub fn oracles_json() -> Value {
    let object = |oracle: &&dyn triage::Oracle| {
        let &Description { kind, about, needs, commands, .. } = oracle.description();
        json!({
            "name": kind.name(), "about": about, "needs": words(needs), "class": kind.class(),
            "commands": commands, "solvers": solvers(kind),
        })
    };
    ORACLES.iter().map(object).collect()
}
