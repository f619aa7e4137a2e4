//! The facts of the findings of a campaign.

use super::facts::Facts;
use crate::distinguishing_functions::saved_functions;
use crate::releases::Releases;
use crate::subject::reduced_or;
use case::{Finding, Outcome};
use std::path::Path;
use store::Store;

/// The facts of the findings of a campaign that are known without running a solver.
pub fn stored_facts(out: &Path) -> Vec<Facts> {
    let Ok(store) = Store::open_existing(out) else { return Vec::new() };
    let mut all = Vec::new();
    for listed in store.findings().unwrap_or_default() {
        let Ok((finding, case, _)) = store.read(&listed) else { continue };
        let folder = out.join(&listed.folder);
        let script = reduced_or(&folder, case);
        let mut facts = of_finding(&listed.id, &finding, &script)
            .with_releases(Releases::saved(&folder, &script).as_ref());
        facts.functions = saved_functions(&folder, &script).map(|found| found.functions).unwrap_or_default();
        all.push(facts);
    }
    all
}

fn of_finding(id: &str, finding: &Finding, script: &str) -> Facts {
    let suspect = finding.suspects().next();
    let crash = finding.suspects().find_map(|run| match &run.result.outcome {
        Outcome::Crash(crash) => Some(crash.clone()),
        _ => None,
    });
    Facts::new(id, suspect.map_or("", |run| &run.name), finding.class, crash, script)
}
