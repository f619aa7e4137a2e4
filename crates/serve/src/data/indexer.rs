//! Derives from the folders of findings what they can be filtered by. It works beside the campaign and in small steps, so that neither
//! waits for the other.

use case::Finding;
use std::path::Path;
use store::{Browser, FacetKind, Facets, Outdated, StoreError};
use triage::releases::{Releases, State};
use triage::{operators, reduced_or};

/// How many findings are read at a time.
const STEP: usize = 200;

/// Brings everything up to date. Returns whether anything changed.
pub fn refresh(
    browser: &mut Browser,
    out: &Path,
    should_stop: &dyn Fn() -> bool,
) -> Result<bool, StoreError> {
    let mut changed = false;
    loop {
        let outdated = browser.outdated(STEP)?;
        if outdated.is_empty() || should_stop() {
            break;
        }
        let facets: Vec<Facets> = outdated.iter().map(|entry| facets(out, entry)).collect();
        browser.set_facets(&facets)?;
        changed = true;
    }
    let candidates = browser.without_releases(STEP)?;
    let known: Vec<Facets> = candidates
        .iter()
        .filter(|entry| out.join(&entry.folder).join("releases.json").is_file())
        .map(|entry| facets(out, entry))
        .filter(|facets| facets.values.iter().any(|(kind, _)| *kind == FacetKind::Release))
        .collect();
    if !known.is_empty() {
        browser.set_facets(&known)?;
        changed = true;
    }
    Ok(changed)
}

/// The values of a finding. A folder that cannot be read has none.
fn facets(out: &Path, entry: &Outdated) -> Facets {
    let folder = out.join(&entry.folder);
    let mut facets = Facets { finding: entry.id.clone(), stamp: entry.stamp.clone(), values: Vec::new() };
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
    let Ok(finding) = serde_json::from_str::<Finding>(&text("finding.json")) else { return facets };
    let script = reduced_or(&folder, text("case.smt2"));
    let mut add =
        |kind, values: Vec<String>| facets.values.extend(values.into_iter().map(|value| (kind, value)));
    let wrong: Vec<String> = finding.suspects().map(|run| run.id.clone()).collect();
    let asked = || finding.runs.iter().map(|run| run.id.clone()).collect();
    add(FacetKind::Solver, if wrong.is_empty() { asked() } else { wrong });
    add(FacetKind::Theory, finding.theories.iter().cloned().collect());
    add(FacetKind::Operator, operators(&script));
    add(FacetKind::Strategy, vec![finding.origin.strategy.clone()]);
    add(FacetKind::Seed, vec![finding.seed_name.clone()]);
    let releases = Releases::saved(&folder, &script).into_iter().flat_map(|found| found.probes);
    let bad = releases.filter(|probe| probe.state == State::Bad).map(|probe| probe.release);
    add(FacetKind::Release, bad.collect());
    facets
}
