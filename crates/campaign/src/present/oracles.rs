//! The oracles that can be chosen.

use crate::oracles::Variation;
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

/// The solvers for which a variation has something to vary.
fn varied_solvers(variation: Variation) -> Vec<&'static str> {
    let varies = |name: &&str| {
        Profile::built_in(name).is_ok_and(|profile| match variation {
            Variation::Cores => profile.ask.cores.is_some(),
            Variation::Tactics => !profile.equivalent_tactics.is_empty(),
            Variation::Forms => true,
            Variation::Proofs => !profile.ask.proof_formats.is_empty(),
        })
    };
    Profile::names().filter(varies).collect()
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
    rows.extend(Variation::ALL.map(|oracle| {
        let solvers = varied_solvers(oracle).join(" ");
        row([oracle.name(), oracle.about(), oracle.needs(), oracle.class().name(), &solvers])
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
    let variation = |oracle: &Variation| {
        json!({
            "name": oracle.name(), "about": oracle.about(), "needs": oracle.needs(), "class": oracle.class(),
            "solvers": varied_solvers(*oracle),
        })
    };
    ORACLES.iter().map(object).chain(Variation::ALL.iter().map(variation)).collect()
}
