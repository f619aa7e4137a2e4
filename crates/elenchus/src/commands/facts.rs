//! What findings are compared by, from scripts and from what is kept of them.

use crate::commands::bisect::{Releases, saved};
use crate::commands::functions::kept;
use crate::commands::subject::claims_of;
use smt::{Arena, Signatures, parse_script};
use std::collections::BTreeSet;
use std::path::Path;
use store::Store;
use triage::Class;
use triage::cluster::Facts;
use triage::predicate::{Claim, Established};

/// The facts of what was established.
pub fn facts_of(name: &str, script: &str, established: &Established, releases: Option<&Releases>) -> Facts {
    let blame = triage::blame(established);
    let suspect = &established.participants[*blame.suspects.first().unwrap_or(&0)];
    let crash = match &suspect.claim {
        Claim::Crashes(Some(what)) => what.clone(),
        _ => String::new(),
    };
    facts(name, &suspect.target.name, blame.class, crash, script, releases)
}

/// The facts of a script that shows a bug.
pub fn facts(
    name: &str,
    solver: &str,
    class: Class,
    crash: String,
    script: &str,
    releases: Option<&Releases>,
) -> Facts {
    let theories = theories(script);
    Facts {
        name: name.to_owned(),
        solver: solver.to_owned(),
        class: class.name().to_owned(),
        crash,
        theories,
        operators: triage::operators(script).into_iter().collect(),
        releases: releases.map_or_else(Default::default, |found| {
            (found.first_bad.clone(), found.first_good.clone().unwrap_or_default())
        }),
        functions: BTreeSet::new(),
    }
}

fn theories(script: &str) -> BTreeSet<String> {
    let mut arena = Arena::new(Signatures::standard());
    match parse_script(&mut arena, script) {
        Ok(script) => {
            let mut theories = arena.features(&script).theories;
            theories.remove("Core");
            theories
        }
        Err(_) => BTreeSet::new(),
    }
}

/// The facts of the findings of a campaign, as far as they are known without running anything.
pub fn stored_facts(out: &Path) -> Vec<Facts> {
    let Ok(store) = Store::look(out) else { return Vec::new() };
    let findings = store.findings().unwrap_or_default();
    let mut all = Vec::new();
    for listed in findings {
        let Ok((finding, case, _)) = store.read(&listed) else { continue };
        let folder = out.join(&listed.folder);
        let script = std::fs::read_to_string(folder.join("reduced.smt2")).unwrap_or(case);
        let solver = finding.targets.iter().find(|target| target.suspect).map(|target| target.name.clone());
        let crash = claims_of(&finding).and_then(|predicate| {
            predicate.clauses.iter().find_map(|clause| match &clause.claim {
                Claim::Crashes(what) => what.clone(),
                _ => None,
            })
        });
        let mut found = facts(
            &listed.id,
            &solver.unwrap_or_default(),
            Class::Crash,
            crash.unwrap_or_default(),
            &script,
            saved(&folder).as_ref(),
        );
        found.class = finding.class;
        found.functions = kept(&folder, &script)
            .map(|distinguishing_functions| distinguishing_functions.functions)
            .unwrap_or_default();
        all.push(found);
    }
    all
}
